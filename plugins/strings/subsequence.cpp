// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "panel_similarity.hpp"
#include "semblance/declaration.hpp"
#include "semblance_numerics/aligned_array.hpp"
#include "semblance_numerics/simd_targets.hpp"
#include "string_panels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "subsequence.cpp"
#include "hwy/foreach_target.h"
// After foreach_target.
#include "hwy/highway.h"
#include "symbol_lanes-inl.hpp"

#ifndef SEMBLANCE_STRINGS_SUBSEQUENCE
#define SEMBLANCE_STRINGS_SUBSEQUENCE
namespace semblance::strings {

/// The gap-weighted subsequence kernel of Lodhi et al. 2002, section 4, divided by decay^(2
/// length), so that it does not vanish for a small decay: the sum over all pairs of equal
/// subsequences of `length` symbols of decay^(the symbols that they skip in both strings), one
/// string per lane, in double. At most the product of both strings' numbers of subsequences, 10^128
/// for 20 out of 13,000 symbols.
///
/// Call start() once per panel and string, advance() with the string's symbols in one or several
/// parts, and finish() for the results.
class SubsequenceProgramme {
 public:
  SubsequenceProgramme(std::size_t length, double decay) : length_(length), decay_(decay) {}

  void start(const StringPanels& strings, const StringPanels::Panel& panel, std::size_t length);
  void advance(std::span<const Symbol> part);
  /// One value a lane.
  void finish(double* values) const;

 private:
  std::size_t length_;
  double decay_;
  const StringPanels* strings_ = nullptr;
  const StringPanels::Panel* panel_ = nullptr;
  numerics::AlignedArray<double> prefixes_, sums_;
};

/// The data of the recurrence, which symbols advance; see SubsequenceProgramme.
struct SubsequenceRows {
  double* prefixes;  ///< position, subsequences of 1 to `length` - 1 symbols, lane: K' there
  double* sums;      ///< of each lane
  const Symbol* symbols;
  std::size_t longest;
  std::size_t lanes;  ///< in use
  std::size_t length;
  double decay;
};

}  // namespace semblance::strings
#endif

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
  HWY_DYNAMIC_DISPATCH(count_subsequences)
  ({prefixes_.data(), sums_.data(), strings_->symbols(*panel_), panel_->longest, panel_->strings,
    length_, decay_},
   part);
}

void SubsequenceProgramme::finish(double* values) const {
  std::copy_n(sums_.data(), panel_->strings, values);
}

namespace {

/// The kernel of subsequences weighted by their spans.
class Subsequence final : public PanelSimilarity {
 public:
  static Declaration<Subsequence> declare();
  double operations() const noexcept override;

  /// The inner product of vectors with one value per subsequence.
  bool positive_semidefinite() const noexcept override { return true; }

 private:
  void scores(const PackedStrings& strings, std::size_t first, std::size_t count, MatrixView in,
              Context& context, const Store& store) const override;
  bool needs_self() const noexcept override { return normalize_; }
  double normalized(double score, const StringSide& basis, const StringSide& row) const override;

  std::int64_t length_ = 3;
  double decay_ = 0.5;
  bool normalize_ = true;
};

Declaration<Subsequence> Subsequence::declare() {
  return Declaration<Subsequence>("similarity/subsequence",
                                  "Gap-weighted subsequence kernel of strings")
      .parameter("length", &Subsequence::length_, "symbols of a subsequence", at_least(1),
                 at_most(20), unit("symbols"))
      .parameter("decay", &Subsequence::decay_,
                 "weight of each symbol that a subsequence spans, including those that it skips",
                 above(0), at_most(1))
      .parameter("normalize", &Subsequence::normalize_, "k(b, x) / sqrt(k(b, b) k(x, x))")
      .accepts({LayoutKind::string})
      .symmetric()
      .documentation(
          "The sum over all pairs of equal subsequences of both strings of decay^(the symbols they "
          "span in both). Strings that are shorter than `length` have no subsequence, and "
          "similarity 0 with all strings, themselves included. Computed in float64; where it is "
          "not normalized, a value beyond float32 is an error.")
      .reference("Lodhi et al. 2002, Text classification using string kernels, section 4")
      .complexity("4 length |b| |x| operations per pair, 32 bases at once")
      .example(R"(
        words: {is: source/random_strings}
        bases: {is: basis/random, count: 40, from: words}
        spans: {is: similarity/subsequence, length: 3, decay: 0.5, from: words, bases: bases}
        phi:   {is: normalizer/mean_norm, from: spans}
        svm:   {is: solver/linear_svm, from: phi}
        test:  {is: evaluator/classification, from: svm})");
}

double Subsequence::operations() const noexcept {
  const auto longest = static_cast<double>(layout().size());
  return 4 * static_cast<double>(length_) * longest * longest;
}

void Subsequence::scores(const PackedStrings& strings, std::size_t first, std::size_t count,
                         MatrixView in, Context& context, const Store& store) const {
  strings.compare(first, count, in, SubsequenceProgramme(static_cast<std::size_t>(length_), decay_),
                  context, store);
}

double Subsequence::normalized(double score, const StringSide& basis, const StringSide& row) const {
  if (normalize_) return cosine(score, basis, row);
  return score * std::pow(decay_, 2 * static_cast<double>(length_));
}

}  // namespace

ComponentEntry declare_subsequence() { return Subsequence::declare().entry(); }

}  // namespace semblance::strings
#endif
