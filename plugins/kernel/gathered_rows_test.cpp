// SPDX-License-Identifier: MIT
#include "gathered_rows.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

#include "ranks_testing.hpp"
#include "sparse_clouds_testing.hpp"

namespace semblance::kernel::gathered_rows_test {
namespace {

using namespace testing;

/// Every third row, then the others: neighbours in this order are on different ranks.
std::vector<std::uint32_t> dealt(std::size_t rows) {
  std::vector<std::uint32_t> order;
  for (std::size_t first = 0; first < 3; ++first)
    for (std::size_t row = first; row < rows; row += 3)
      order.push_back(static_cast<std::uint32_t>(row));
  return order;
}

void check_row(MatrixView found, MatrixView expected) {
  CHECK(std::ranges::equal(found.row_span(0), expected.row_span(0)));
  CHECK(found.sparse() == expected.sparse());
  if (expected.sparse()) CHECK(std::ranges::equal(found.columns_of(0), expected.columns_of(0)));
}

void check_gathered(const FloatMatrix& values, const Layout& layout, std::size_t ranks) {
  const MemoryRows all(values);
  const std::vector<std::uint32_t> order = dealt(values.rows);
  std::vector<std::size_t> sizes;
  for (std::size_t row = 0; layout.ragged() && row < values.rows; ++row)
    sizes.push_back(values.view().size(row));
  on_ranks(ranks, [&](RankContext& context) {
    const OwnRows own(all, context.collectives());
    const GatheredRows gathered(own, layout, order, sizes, context);
    REQUIRE(gathered.rows() == values.rows);
    for (std::size_t place = 0; place < order.size(); ++place) {
      check_row(gathered.by_place().rows_range(place, 1),
                values.view().rows_range(order[place], 1));
      check_row(gathered.view(place, 1), values.view().rows_range(place, 1));
    }
  });
}

}  // namespace

TEST_CASE("every rank gets all rows in the order wanted, and finds each by its number") {
  for (const std::size_t ranks : {1U, 2U, 3U, 8U}) {
    CAPTURE(ranks);
    // More values than are sent at once.
    check_gathered(clouds(1100, 700, 2).values, Layout::vector(700), ranks);
    const Samples of_lengths = series(clouds(700, 9, 2));
    check_gathered(of_lengths.data.values, of_lengths.layout, ranks);
    check_gathered(sparse_clouds(700, 60, 2).values, Layout::sparse(60), ranks);
  }
}

TEST_CASE("rows are given together only where they are stored together") {
  const FloatMatrix values = clouds(600, 4, 2).values;
  const MemoryRows all(values);
  std::vector<std::uint32_t> order(600);
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::rotate(order, order.begin() + 300);
  TestContext context;
  const GatheredRows gathered(all, Layout::vector(4), order, {}, context);
  CHECK(gathered.view(10, 200).row(5) == gathered.view(15, 1).row(0));
  CHECK(gathered.view(7, 0).rows == 0);
  CHECK_THROWS_AS(gathered.view(299, 2), Error);
}

}  // namespace semblance::kernel::gathered_rows_test
