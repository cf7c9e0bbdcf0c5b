// SPDX-License-Identifier: MIT
#include <algorithm>

#include "semblance_numerics/simd_targets.hpp"
#include "subsequence_programme.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "subsequence_lanes.cpp"
#include "hwy/foreach_target.h"
// After foreach_target.
#include "hwy/highway.h"
#include "symbol_lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace semblance::strings {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Doubles = hn::ScalableTag<double>;
using DoubleVec = hn::Vec<Doubles>;

/// The largest number of symbols of a subsequence, as in Subsequence::declare().
constexpr std::size_t most_levels = 20;

/// One symbol of the string against all of the panel's. kLength is the subsequences' length if
/// known at compile time, so that its data stay in registers; else 0.
template <std::size_t kLength>
void sweep_subsequences(const SubsequenceRows& rows, std::size_t lane, Symbol which) {
  constexpr Doubles d;
  constexpr std::size_t width = StringPanels::width;
  const std::size_t levels = (kLength > 0 ? kLength : rows.length) - 1;
  const DoubleVec wanted = symbol(d, which);
  const DoubleVec decay = hn::Set(d, rows.decay);
  // For each level: K'' of eq. (4) at the previous position, and K' there before this symbol.
  DoubleVec open[kLength > 0 ? kLength : most_levels], before[kLength > 0 ? kLength : most_levels];
  for (std::size_t i = 0; i < levels; ++i) open[i] = before[i] = hn::Zero(d);
  DoubleVec sum = hn::Load(d, rows.sums + lane);
  double* prefixes = rows.prefixes + lane;
  for (std::size_t k = 0; k < rows.longest; ++k) {
    const auto equal = hn::Eq(load_symbols(d, rows.symbols + k * width + lane), wanted);
    DoubleVec shorter = hn::Set(d, 1);  // K' of the level below at the position before
    for (std::size_t i = 0; i < levels; ++i, prefixes += width) {
      open[i] = hn::MulAdd(open[i], decay, hn::IfThenElseZero(equal, shorter));
      const DoubleVec old = hn::Load(d, prefixes);
      hn::Store(hn::MulAdd(old, decay, open[i]), d, prefixes);
      shorter = before[i];
      before[i] = old;
    }
    sum = hn::Add(sum, hn::IfThenElseZero(equal, shorter));
  }
  hn::Store(sum, d, rows.sums + lane);
}

using Sweep = void (*)(const SubsequenceRows&, std::size_t, Symbol);

Sweep sweep_of(std::size_t length) {
  switch (length) {
    case 1:
      return sweep_subsequences<1>;
    case 2:
      return sweep_subsequences<2>;
    case 3:
      return sweep_subsequences<3>;
    case 4:
      return sweep_subsequences<4>;
    case 5:
      return sweep_subsequences<5>;
    case 6:
      return sweep_subsequences<6>;
    default:
      return sweep_subsequences<0>;
  }
}

}  // namespace

void count_subsequences(const SubsequenceRows& rows, std::span<const Symbol> part) {
  const Sweep sweep = sweep_of(rows.length);
  for (std::size_t lane = 0; lane < rows.lanes; lane += hn::MaxLanes(Doubles()))
    for (const Symbol which : part) sweep(rows, lane, which);
}

}  // namespace HWY_NAMESPACE
}  // namespace semblance::strings
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace semblance::strings {

HWY_EXPORT(count_subsequences);

void run_subsequences(const SubsequenceRows& rows, std::span<const Symbol> part) {
  HWY_DYNAMIC_DISPATCH(count_subsequences)(rows, part);
}

void SubsequenceProgramme::start(const StringPanels& strings, const StringPanels::Panel& panel,
                                 std::size_t) {
  strings_ = &strings;
  panel_ = &panel;
  const std::size_t size = panel.longest * (length_ - 1) * StringPanels::width;
  if (prefixes_.size() != size || sums_.size() == 0) {
    prefixes_ = numerics::AlignedArray<double>(size);
    sums_ = numerics::AlignedArray<double>(StringPanels::width);
  }
  std::fill_n(prefixes_.data(), size, 0.0);
  std::fill_n(sums_.data(), StringPanels::width, 0.0);
}

void SubsequenceProgramme::advance(std::span<const Symbol> part) {
  run_subsequences({prefixes_.data(), sums_.data(), strings_->symbols(*panel_), panel_->longest,
                    panel_->strings, length_, decay_},
                   part);
}

void SubsequenceProgramme::finish(double* values) const {
  std::copy_n(sums_.data(), panel_->strings, values);
}

}  // namespace semblance::strings
#endif
