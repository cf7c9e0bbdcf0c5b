// SPDX-License-Identifier: MIT
#include "runtime/ranks/row_share.hpp"

#include <algorithm>
#include <vector>

namespace semblance {
namespace {

std::size_t count_of(const std::vector<RowSpan>& pieces) {
  std::size_t count = 0;
  for (const RowSpan piece : pieces) count += piece.count;
  return count;
}

}  // namespace

RowShare share_of(const Ranks& ranks) {
  return [&ranks](RowSpan rows, const Outline& of) {
    return ranks.together() ? count_of(ranks.own(rows, of.train_rows, of.rows())) : rows.count;
  };
}

RowShare largest_share(std::size_t ranks) {
  return [ranks](RowSpan rows, const Outline& of) {
    std::size_t most = 0;
    for (std::size_t r = 0; r < ranks; ++r)
      most = std::max(most, count_of(rows_of_rank(r, ranks, rows, of.train_rows, of.rows())));
    return most;
  };
}

}  // namespace semblance
