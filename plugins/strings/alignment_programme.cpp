// SPDX-License-Identifier: MIT
#include "alignment_programme.hpp"

#include <algorithm>
#include <limits>

namespace semblance::strings {
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
