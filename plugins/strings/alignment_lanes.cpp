// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>

#include "alignment_programme.hpp"
#include "semblance_numerics/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "alignment_lanes.cpp"
#include "hwy/foreach_target.h"
// After foreach_target.
#include "hwy/highway.h"
#include "symbol_lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace semblance::strings {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// Symbols of the string processed in one sweep over the panel's strings: the rows are read and
/// written once for all of them, and their latencies overlap.
constexpr std::size_t alignment_rows = 4;

/// Scores of pairs that are equal or not.
template <class T>
struct EqualPairs {
  static constexpr hn::ScalableTag<T> d{};
  using Vec = hn::Vec<hn::ScalableTag<T>>;
  const Symbol* symbols;
  Vec match, mismatch;

  EqualPairs(const AlignmentRows<T>& rows, std::size_t lane)
      : symbols(rows.symbols + lane),
        match(hn::Set(d, rows.match)),
        mismatch(hn::Set(d, rows.mismatch)) {}

  struct Wanted {
    Vec symbol;
    HWY_INLINE Wanted(const EqualPairs&, Symbol which) : symbol(HWY_NAMESPACE::symbol(d, which)) {}
    HWY_INLINE Vec score(const EqualPairs& pairs, Vec of_panel, std::size_t) const {
      return hn::IfThenElse(hn::Eq(of_panel, symbol), pairs.match, pairs.mismatch);
    }
  };
  HWY_INLINE Vec at(std::size_t cell) const { return load_symbols(d, symbols + cell); }
};

/// Scores of pairs as the panel's profile lists them.
template <class T>
struct ListedPairs {
  static constexpr hn::ScalableTag<T> d{};
  using Vec = hn::Vec<hn::ScalableTag<T>>;
  const std::int8_t* profile;
  std::size_t size;  // of a symbol's part

  ListedPairs(const AlignmentRows<T>& rows, std::size_t lane)
      : profile(rows.profile + lane), size(rows.longest * StringPanels::width) {}

  struct Wanted {
    const std::int8_t* scores;
    HWY_INLINE Wanted(const ListedPairs& pairs, Symbol which)
        : scores(pairs.profile + which * pairs.size) {}
    HWY_INLINE Vec score(const ListedPairs&, Vec, std::size_t cell) const {
      return hn::PromoteTo(d,
                           hn::Load(hn::Rebind<std::int8_t, hn::ScalableTag<T>>(), scores + cell));
    }
  };
  HWY_INLINE Vec at(std::size_t) const { return hn::Zero(d); }
};

template <class T, class Pairs, std::size_t... R>
HWY_INLINE void sweep_alignment(const AlignmentRows<T>& rows, std::size_t lane, const Symbol* part,
                                std::index_sequence<R...>) {
  constexpr hn::ScalableTag<T> d;
  using Vec = hn::Vec<hn::ScalableTag<T>>;
  constexpr std::size_t last = sizeof...(R);
  const Pairs pairs(rows, lane);
  const Vec zero = hn::Zero(d);
  const Vec first = hn::Set(d, rows.gap_first), extend = hn::Set(d, rows.gap_extend);
  const typename Pairs::Wanted wanted[] = {typename Pairs::Wanted(pairs, part[R])...};
  // For each row of the sweep: the cell above the left one, and the gap continued from the left. A
  // gap that scores zero is dropped: the alignment can equally start after it.
  Vec corner[] = {(static_cast<void>(R), zero)...};
  Vec gap[] = {(static_cast<void>(R), zero)...};
  Vec highest = hn::Load(d, rows.highest + lane);
  for (std::size_t k = 0; k < rows.longest; ++k) {
    const std::size_t cell = k * StringPanels::width;
    const Vec of_panel = pairs.at(cell);
    Vec above = hn::Load(d, rows.best + lane + cell);
    Vec down = hn::Load(d, rows.gap + lane + cell);
    const auto step = [&](Vec& row_corner, Vec& row_gap, const auto& row_wanted) HWY_ATTR {
      Vec best = hn::Max(hn::Add(row_corner, row_wanted.score(pairs, of_panel, cell)), zero);
      best = hn::Max(best, hn::Max(row_gap, down));
      highest = hn::Max(highest, best);
      const Vec opened = hn::Sub(best, first);
      row_gap = hn::Max(hn::Sub(row_gap, extend), opened);
      down = hn::Max(hn::Sub(down, extend), opened);
      row_corner = above;
      above = best;
    };
    (step(corner[R], gap[R], wanted[R]), ...);
    hn::Store(above, d, rows.best + lane + cell);
    hn::Store(down, d, rows.gap + lane + cell);
  }
  static_cast<void>(last);
  hn::Store(highest, d, rows.highest + lane);
}

template <class T, class Pairs>
void align_lanes(const AlignmentRows<T>& rows, std::span<const Symbol> part) {
  for (std::size_t lane = 0; lane < rows.lanes; lane += hn::MaxLanes(hn::ScalableTag<T>())) {
    std::size_t done = 0;
    for (; done + alignment_rows <= part.size(); done += alignment_rows)
      sweep_alignment<T, Pairs>(rows, lane, part.data() + done,
                                std::make_index_sequence<alignment_rows>());
    for (; done < part.size(); ++done)
      sweep_alignment<T, Pairs>(rows, lane, part.data() + done, std::index_sequence<0>());
  }
}

template <class T>
void align_pairs(const AlignmentRows<T>& rows, std::span<const Symbol> part) {
  if (rows.profile != nullptr)
    align_lanes<T, ListedPairs<T>>(rows, part);
  else
    align_lanes<T, EqualPairs<T>>(rows, part);
}

}  // namespace

void align_narrow(const AlignmentRows<std::int16_t>& rows, std::span<const Symbol> part) {
  align_pairs(rows, part);
}
void align_wide(const AlignmentRows<std::int32_t>& rows, std::span<const Symbol> part) {
  align_pairs(rows, part);
}

}  // namespace HWY_NAMESPACE
}  // namespace semblance::strings
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace semblance::strings {

HWY_EXPORT(align_narrow);
HWY_EXPORT(align_wide);

void run_alignment(const AlignmentRows<std::int16_t>& rows, std::span<const Symbol> part) {
  HWY_DYNAMIC_DISPATCH(align_narrow)(rows, part);
}
void run_alignment(const AlignmentRows<std::int32_t>& rows, std::span<const Symbol> part) {
  HWY_DYNAMIC_DISPATCH(align_wide)(rows, part);
}

namespace {

/// The negative score of padding, which never improves an alignment.
constexpr std::int8_t against_padding = std::numeric_limits<std::int8_t>::min();

}  // namespace

AlignmentProgramme::AlignmentProgramme(const AlignmentScores& scores) : scores_(scores) {
  highest_pair_ = scores.pairs.empty() ? scores.match : std::ranges::max(scores.pairs);
}

void AlignmentProgramme::prepare_profile() {
  constexpr std::size_t width = StringPanels::width;
  const std::size_t alphabet = strings_->alphabet();
  const std::size_t size = panel_->longest * width;
  profile_ = numerics::AlignedArray<std::int8_t>(alphabet * size);
  const Symbol* symbols = strings_->symbols(*panel_);
  for (std::size_t a = 0; a < alphabet; ++a)
    for (std::size_t k = 0; k < size; ++k)
      profile_.data()[a * size + k] =
          symbols[k] == no_symbol ? against_padding : scores_.pairs[a * alphabet + symbols[k]];
}

template <class T>
void AlignmentProgramme::start_rows(Rows<T>& rows) {
  constexpr std::size_t width = StringPanels::width;
  const std::size_t size = panel_->longest * width;
  if (rows.best.size() != size) {
    rows.best = numerics::AlignedArray<T>(size);
    rows.gap = numerics::AlignedArray<T>(size);
    rows.highest = numerics::AlignedArray<T>(width);
  }
  std::fill_n(rows.best.data(), size, T{0});
  std::fill_n(rows.gap.data(), size, T{0});
  std::fill_n(rows.highest.data(), width, T{0});
}

void AlignmentProgramme::start(const StringPanels& strings, const StringPanels::Panel& panel,
                               std::size_t length) {
  const bool known = strings_ == &strings && panel_ == &panel;
  strings_ = &strings;
  panel_ = &panel;
  if (!known && !scores_.pairs.empty()) prepare_profile();
  // The longest gap and the worst pair must not underflow either.
  const std::int64_t reach =
      static_cast<std::int64_t>(std::min(length, panel.longest)) * highest_pair_ +
      scores_.gap_open + 2 * scores_.gap_extend - std::min(scores_.mismatch, -256);
  narrow_ = reach <= std::numeric_limits<std::int16_t>::max();
  if (narrow_)
    start_rows(narrow_rows_);
  else
    start_rows(wide_rows_);
}

void AlignmentProgramme::advance(std::span<const Symbol> part) {
  const auto run = [&]<class T>(Rows<T>& rows) {
    run_alignment(AlignmentRows<T>{rows.best.data(), rows.gap.data(), rows.highest.data(),
                                   strings_->symbols(*panel_),
                                   scores_.pairs.empty() ? nullptr : profile_.data(),
                                   panel_->longest, panel_->strings, static_cast<T>(scores_.match),
                                   static_cast<T>(scores_.mismatch),
                                   static_cast<T>(scores_.gap_open + scores_.gap_extend),
                                   static_cast<T>(scores_.gap_extend)},
                  part);
  };
  if (narrow_)
    run(narrow_rows_);
  else
    run(wide_rows_);
}

void AlignmentProgramme::finish(double* values) const {
  for (std::size_t lane = 0; lane < panel_->strings; ++lane)
    values[lane] = narrow_ ? narrow_rows_.highest.data()[lane] : wide_rows_.highest.data()[lane];
}

}  // namespace semblance::strings
#endif
