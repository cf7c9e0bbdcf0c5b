// SPDX-License-Identifier: MIT
#include "runtime/rows/constant_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <string_view>

#include "semblance/collectives.hpp"

namespace semblance {

namespace {

/// The columns that equal `first` in all rows of this rank.
std::vector<std::size_t> unchanging(const Rows& rows, const OwnParts& own,
                                    std::span<const float> first) {
  std::vector<std::size_t> left(rows.cols());
  std::iota(left.begin(), left.end(), std::size_t{0});
  for (std::size_t begin = own.first_row; begin < own.end_row() && !left.empty();
       begin += block_rows) {
    const std::size_t count = std::min(block_rows, own.end_row() - begin);
    const MatrixView block = rows.view(begin, count);
    for (std::size_t r = 0; r < count && !left.empty(); ++r)
      std::erase_if(left, [&](std::size_t j) { return block.row(r)[j] != first[j]; });
    rows.release(begin, count);
  }
  return left;
}

}  // namespace

std::vector<std::size_t> constant_columns(const Rows& rows, Context& context) {
  if (rows.rows() < 2) return {};
  Collectives& ranks = context.collectives();
  const std::vector<std::int64_t> zero = {0};
  const FloatMatrix first = gather_rows(rows, zero, context);
  auto own = unchanging(rows, ranks.own(RowParts(rows.rows())), first.view().row_span(0));
  if (ranks.ranks() == 1) return own;
  std::vector<std::size_t> agreed(rows.cols(), 0);
  for (const std::size_t column : ranks.gather(own)) ++agreed[column];
  std::vector<std::size_t> constant;
  for (std::size_t column = 0; column < agreed.size(); ++column)
    if (agreed[column] == ranks.ranks()) constant.push_back(column);
  return constant;
}

void drop_rare_categories(std::vector<std::size_t>& constant, std::span<const std::string> names) {
  std::map<std::string_view, std::size_t> categories;  // by column
  const auto of_column = [&](std::string_view name) -> std::size_t& {
    return categories[name.substr(0, std::min(name.find('='), name.size()))];
  };
  for (const std::string& name : names) ++of_column(name);
  std::erase_if(constant, [&](std::size_t column) {
    return column < names.size() && names[column].find('=') != std::string::npos &&
           of_column(names[column]) > 1;
  });
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
      "{} the same value in all training rows and so cannot help to predict: {}; check that the "
      "data were read as intended, or drop them",
      how_many, which);
}

}  // namespace semblance
