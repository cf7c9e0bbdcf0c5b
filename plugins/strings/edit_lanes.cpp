// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>

#include "edit_programme.hpp"
#include "semblance_numerics/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "edit_lanes.cpp"
#include "hwy/foreach_target.h"
// After foreach_target.
#include "hwy/highway.h"
#include "symbol_lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace semblance::strings {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// Symbols of the string processed in one sweep over the panel's strings: the row is read and
/// written once for all of them, and their latencies overlap.
constexpr std::size_t edit_rows = HWY_TARGET <= HWY_AVX3 ? 8 : 4;

template <class T, std::size_t kRows>
void sweep_edits(const EditRow<T>& row, std::size_t lane, std::size_t steps, const Symbol* part) {
  constexpr hn::ScalableTag<T> d;
  using Vec = hn::Vec<decltype(d)>;
  constexpr std::size_t width = StringPanels::width;
  const Vec insertion = hn::Set(d, row.insertion);
  const Vec deletion = hn::Set(d, row.deletion);
  const Vec substitution = hn::Set(d, row.substitution);
  // For each row of the sweep: the cell to the left, and the one above it.
  Vec left[kRows], corner[kRows], wanted[kRows];
  for (std::size_t r = 0; r < kRows; ++r) {
    wanted[r] = symbol(d, part[r]);
    left[r] = hn::Set(d, static_cast<T>(static_cast<T>(steps + r + 1) * row.insertion));
    corner[r] = hn::Set(d, static_cast<T>(static_cast<T>(steps + r) * row.insertion));
  }
  T* values = row.values + lane;
  hn::Store(left[kRows - 1], d, values);
  const Symbol* symbols = row.symbols + lane;
  for (std::size_t k = 0; k < row.longest; ++k, symbols += width) {
    values += width;
    const Vec of_panel = load_symbols(d, symbols);
    Vec above = hn::Load(d, values);
    for (std::size_t r = 0; r < kRows; ++r) {
      const Vec kept =
          hn::Add(corner[r], hn::IfThenZeroElse(hn::Eq(of_panel, wanted[r]), substitution));
      const Vec moved = hn::Min(hn::Add(above, insertion), hn::Add(left[r], deletion));
      corner[r] = above;
      above = left[r] = hn::Min(kept, moved);
    }
    hn::Store(above, d, values);
  }
}

/// Advances the row, which `steps` symbols have made, by those of `part`.
template <class T>
void edit_programme(const EditRow<T>& row, std::size_t steps, std::span<const Symbol> part) {
  for (std::size_t lane = 0; lane < row.lanes; lane += hn::MaxLanes(hn::ScalableTag<T>())) {
    std::size_t done = 0;
    for (; done + edit_rows <= part.size(); done += edit_rows)
      sweep_edits<T, edit_rows>(row, lane, steps + done, part.data() + done);
    for (; done < part.size(); ++done)
      sweep_edits<T, 1>(row, lane, steps + done, part.data() + done);
  }
}

}  // namespace

void edits_in_floats(const EditRow<float>& row, std::size_t steps, std::span<const Symbol> part) {
  edit_programme(row, steps, part);
}
void edits_in_integers(const EditRow<std::int16_t>& row, std::size_t steps,
                       std::span<const Symbol> part) {
  edit_programme(row, steps, part);
}

}  // namespace HWY_NAMESPACE
}  // namespace semblance::strings
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace semblance::strings {

HWY_EXPORT(edits_in_floats);
HWY_EXPORT(edits_in_integers);

template <class T>
void EditProgramme::start_row(numerics::AlignedArray<T>& row) {
  constexpr std::size_t width = StringPanels::width;
  const std::size_t size = (panel_->longest + 1) * width;
  if (row.size() != size) row = numerics::AlignedArray<T>(size);
  const T deletion = static_cast<T>(costs_.deletion);
  for (std::size_t k = 0; k <= panel_->longest; ++k)
    std::fill_n(row.data() + k * width, width, static_cast<T>(static_cast<T>(k) * deletion));
}

void EditProgramme::start(const StringPanels& strings, const StringPanels::Panel& panel,
                          std::size_t length) {
  strings_ = &strings;
  panel_ = &panel;
  steps_ = 0;
  const double highest = std::max({costs_.insertion, costs_.deletion, costs_.substitution});
  const auto is_whole = [](double x) { return x == std::floor(x); };
  whole_ = is_whole(costs_.insertion) && is_whole(costs_.deletion) &&
           is_whole(costs_.substitution) &&
           static_cast<double>(length + panel.longest + 2) * highest <=
               std::numeric_limits<std::int16_t>::max();
  if (whole_)
    start_row(whole_row_);
  else
    start_row(row_);
}

void EditProgramme::advance(std::span<const Symbol> part) {
  const auto data = [&]<class T>(numerics::AlignedArray<T>& row) {
    return EditRow<T>{row.data(),
                      strings_->symbols(*panel_),
                      panel_->longest,
                      panel_->strings,
                      static_cast<T>(costs_.insertion),
                      static_cast<T>(costs_.deletion),
                      static_cast<T>(costs_.substitution)};
  };
  if (whole_)
    HWY_DYNAMIC_DISPATCH(edits_in_integers)(data(whole_row_), steps_, part);
  else
    HWY_DYNAMIC_DISPATCH(edits_in_floats)(data(row_), steps_, part);
  steps_ += part.size();
}

void EditProgramme::finish(double* values) const {
  for (std::size_t lane = 0; lane < panel_->strings; ++lane) {
    const std::size_t cell = strings_->length(*panel_, lane) * StringPanels::width + lane;
    values[lane] = whole_ ? double(whole_row_.data()[cell]) : double(row_.data()[cell]);
  }
}

}  // namespace semblance::strings
#endif
