// SPDX-License-Identifier: MIT
#include "runtime/rows/rearranged_rows.hpp"

#include <algorithm>

namespace semblance {

RearrangedRows::RearrangedRows(std::shared_ptr<const Dataset> all, Outline outline,
                               std::vector<std::int64_t> rows)
    : all_(std::move(all)), outline_(std::move(outline)), rows_(std::move(rows)) {
  const auto take = [&](const auto& of_all, std::size_t per_row, auto& own) {
    if (of_all.empty()) return;
    own.reserve(rows_.size() * per_row);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const auto row = of_all.subspan(position(i) * per_row, per_row);
      own.insert(own.end(), row.begin(), row.end());
    }
  };
  take(all_->labels(), 1, labels_);
  take(all_->targets(), outline_.targets.size(), targets_);
  take(all_->weights(), 1, weights_);
  take(all_->groups(), 1, groups_);
}

void RearrangedRows::read(std::size_t first, MutableMatrixView out) const {
  for (std::size_t done = 0; done < out.rows;) {
    const std::size_t row = position(first + done);
    std::size_t run = 1;  // consecutive rows are read together
    while (done + run < out.rows && position(first + done + run) == row + run) ++run;
    all_->read(row, out.rows_range(done, run));
    done += run;
  }
}

MatrixView RearrangedRows::in_place(std::size_t first, std::size_t count) const noexcept {
  for (std::size_t i = 1; i < count; ++i)
    if (position(first + i) != position(first) + i) return {};
  return count > 0 ? all_->in_place(position(first), count) : MatrixView();
}

std::vector<std::int64_t> row_numbers(const Dataset& data) {
  const std::size_t rows = data.outline().rows();
  std::size_t same = 0;
  while (same < rows && data.number(same) == static_cast<std::int64_t>(same)) ++same;
  std::vector<std::int64_t> numbers(same < rows ? rows : 0);
  for (std::size_t row = 0; row < numbers.size(); ++row) numbers[row] = data.number(row);
  return numbers;
}

Outline with_set_aside(Outline all, std::size_t rows) {
  all.numbered_rows = numbered_rows(all);
  all.train_rows -= rows;
  all.test_rows += rows;
  if (rows > 0) all.rows_in_place = 0;
  return all;
}

std::vector<std::int64_t> rows_with_set_aside(const Outline& all,
                                              std::span<const std::int64_t> set_aside) {
  std::vector<std::int64_t> rows;
  rows.reserve(all.rows());
  const auto train = static_cast<std::int64_t>(all.train_rows);
  for (std::int64_t row = 0; row < train; ++row)
    if (!std::ranges::binary_search(set_aside, row)) rows.push_back(row);
  rows.insert(rows.end(), set_aside.begin(), set_aside.end());
  for (auto row = train; row < static_cast<std::int64_t>(all.rows()); ++row) rows.push_back(row);
  return rows;
}

}  // namespace semblance
