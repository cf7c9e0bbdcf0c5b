// SPDX-License-Identifier: MIT
#include "runtime/nodes/constant_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace semblance {

std::vector<std::size_t> constant_columns(const Rows& rows) {
  if (rows.rows() < 2) return {};
  std::vector<std::size_t> left(rows.cols());
  std::iota(left.begin(), left.end(), std::size_t{0});
  const std::span<const float> first_row = rows.view(0, 1).row_span(0);
  const std::vector<float> first(first_row.begin(), first_row.end());
  for (std::size_t begin = 0; begin < rows.rows() && !left.empty(); begin += block_rows) {
    const std::size_t count = std::min(block_rows, rows.rows() - begin);
    const MatrixView block = rows.view(begin, count);
    for (std::size_t r = 0; r < count && !left.empty(); ++r)
      std::erase_if(left, [&](std::size_t j) { return block.row(r)[j] != first[j]; });
    rows.release(begin, count);
  }
  return left;
}

std::string constant_columns_text(std::span<const std::size_t> constant, std::size_t columns,
                                  std::span<const std::string> names) {
  constexpr std::size_t most_named = 5;
  std::string which;
  for (std::size_t k = 0; k < std::min(constant.size(), most_named); ++k) {
    const std::size_t column = constant[k];
    which += k == 0 ? "" : ", ";
    which +=
        names.size() == columns ? fmt::format("'{}'", names[column]) : fmt::format("{}", column);
  }
  if (constant.size() > most_named)
    which += fmt::format(" and {} more", constant.size() - most_named);
  if (names.size() != columns) which += " (counted from 0)";
  const std::string how_many =
      constant.size() == columns ? fmt::format("all {} columns have", columns)
      : constant.size() == 1     ? fmt::format("1 of {} columns has", columns)
                                 : fmt::format("{} of {} columns have", constant.size(), columns);
  return fmt::format(
      "{} the same value in all training rows and so cannot tell classes apart: {}; check that the "
      "data were read as intended, or drop them",
      how_many, which);
}

}  // namespace semblance
