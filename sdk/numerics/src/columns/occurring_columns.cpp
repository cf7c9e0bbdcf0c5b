// SPDX-License-Identifier: MIT
#include "semblance_numerics/occurring_columns.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include "semblance/error.hpp"

namespace semblance::numerics {
namespace {

constexpr std::size_t bits = 64;

/// Columns as they are found: sorted numbers, or a bit for each column where these take less.
class FoundColumns {
 public:
  explicit FoundColumns(std::size_t width) : width_(width) {}

  void add(std::span<const std::uint32_t> columns) {
    if (!marks_.empty()) return mark(columns);
    numbers_.insert(numbers_.end(), columns.begin(), columns.end());
    if (numbers_.size() > width_ / 32) {
      marks_.resize((width_ + bits - 1) / bits);
      mark(numbers_);
      numbers_ = {};
    } else if (numbers_.size() >= 2 * unique_) {
      sort();
    }
  }

  /// All of them, ascending.
  std::vector<std::uint32_t> take() {
    sort();
    for (std::size_t c = 0; c < marks_.size() * bits; ++c)
      if ((marks_[c / bits] >> (c % bits) & 1) != 0)
        numbers_.push_back(static_cast<std::uint32_t>(c));
    return std::move(numbers_);
  }

 private:
  void mark(std::span<const std::uint32_t> columns) {
    for (const std::uint32_t c : columns) marks_[c / bits] |= std::uint64_t{1} << (c % bits);
  }
  void sort() {
    constexpr std::size_t few = std::size_t{1} << 16;
    std::ranges::sort(numbers_);
    numbers_.erase(std::ranges::unique(numbers_).begin(), numbers_.end());
    unique_ = std::max(few, numbers_.size());
  }

  std::size_t width_;
  std::vector<std::uint64_t> marks_;
  std::vector<std::uint32_t> numbers_;
  std::size_t unique_ = 0;
};

std::span<const std::uint32_t> entries_of(MatrixView rows) {
  return {rows.columns + rows.offsets[0], rows.values()};
}

OccurringColumns worth_it(std::vector<std::uint32_t> columns, std::size_t width) {
  if (columns.empty()) columns.push_back(0);  // nothing is made for samples without values
  if (2 * columns.size() >= width) return OccurringColumns(width);
  return {std::move(columns), width};
}

}  // namespace

OccurringColumns::OccurringColumns(std::vector<std::uint32_t> columns, std::size_t width)
    : width_(width), size_(columns.size()), columns_(std::move(columns)) {
  if (std::ranges::adjacent_find(columns_, std::greater_equal()) != columns_.end() ||
      (!columns_.empty() && columns_.back() >= width_))
    throw Error("its columns are not in ascending order below " + std::to_string(width_));
  if (columns_.empty()) return;
  // About as many ranges as columns.
  while ((columns_.back() >> shift_) > columns_.size()) ++shift_;
  starts_.resize((columns_.back() >> shift_) + 2);
  for (const std::uint32_t column : columns_) ++starts_[(column >> shift_) + 1];
  for (std::size_t b = 1; b < starts_.size(); ++b) starts_[b] += starts_[b - 1];
}

std::size_t OccurringColumns::place_within(std::size_t first, std::size_t end,
                                           std::size_t column) const noexcept {
  const auto last = columns_.begin() + static_cast<std::ptrdiff_t>(end);
  const auto found =
      std::lower_bound(columns_.begin() + static_cast<std::ptrdiff_t>(first), last, column);
  if (found == last || *found != column) return none;
  return static_cast<std::size_t>(found - columns_.begin());
}

OccurringColumns OccurringColumns::of(const TrainingSet& training, Context& context) {
  const Rows& rows = training.rows;
  if (training.layout.kind != LayoutKind::sparse) return OccurringColumns(rows.cols());
  Collectives& ranks = context.collectives();
  const OwnParts own = ranks.own(RowParts(rows.rows()));
  FoundColumns found(rows.cols());
  for (std::size_t first = own.first_row; first < own.end_row(); first += block_rows) {
    const std::size_t count = std::min(block_rows, own.end_row() - first);
    found.add(entries_of(rows.view(first, count)));
    rows.release(first, count);
  }
  if (ranks.ranks() == 1) return worth_it(found.take(), rows.cols());
  FoundColumns together(rows.cols());
  together.add(ranks.gather(found.take()));
  return worth_it(together.take(), rows.cols());
}

OccurringColumns OccurringColumns::of(MatrixView rows) {
  if (!rows.sparse()) return OccurringColumns(rows.cols);
  FoundColumns found(rows.cols);
  if (rows.rows > 0) found.add(entries_of(rows));
  return worth_it(found.take(), rows.cols);
}

FloatMatrix OccurringColumns::at_places(MatrixView rows) const {
  FloatMatrix made;
  made.rows = rows.rows;
  made.cols = size_;
  made.offsets.assign(1, 0);
  for (std::size_t i = 0; i < rows.rows; ++i) {
    for (std::size_t k = 0; k < rows.size(i); ++k) {
      const std::size_t at = place(rows.columns_of(i)[k]);
      if (at == none) continue;
      made.values.push_back(rows.row(i)[k]);
      made.columns.push_back(static_cast<std::uint32_t>(at));
    }
    made.offsets.push_back(made.values.size());
  }
  made.is_sparse = true;
  return made;
}

void OccurringColumns::save(StateWriter& state) const {
  if (are_all()) return;
  state.integers("columns", std::vector<std::int64_t>(columns_.begin(), columns_.end()));
}

OccurringColumns OccurringColumns::load(const StateReader& state, std::size_t width) {
  if (!state.has("columns")) return OccurringColumns(width);
  const std::vector<std::int64_t> saved = state.integers("columns");
  std::vector<std::uint32_t> columns;
  columns.reserve(saved.size());
  for (const std::int64_t column : saved) {
    if (column < 0 || static_cast<std::size_t>(column) >= width)
      throw Error("its column " + std::to_string(column) + " is not below " +
                  std::to_string(width));
    columns.push_back(static_cast<std::uint32_t>(column));
  }
  return {std::move(columns), width};
}

}  // namespace semblance::numerics
