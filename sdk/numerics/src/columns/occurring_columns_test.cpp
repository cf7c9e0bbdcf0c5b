// SPDX-License-Identifier: MIT
#include "semblance_numerics/occurring_columns.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "semblance/error.hpp"
#include "semblance/memory_state.hpp"
#include "semblance/random.hpp"
#include "semblance/testing.hpp"

namespace semblance::numerics::occurring_columns_test {
namespace {

using semblance::testing::MemoryState;
using semblance::testing::TestContext;

/// Sparse rows of `count` values in random columns, about half of them among the first 1000.
FloatMatrix scattered(std::size_t rows, std::size_t count, std::size_t width, std::uint64_t seed) {
  Random random(seed);
  FloatMatrix made = FloatMatrix::sparse(width, std::vector<std::size_t>(rows, count));
  for (std::size_t i = 0; i < rows; ++i) {
    std::set<std::uint32_t> columns;
    while (columns.size() < count)
      columns.insert(static_cast<std::uint32_t>(
          random.below(random.below(2) == 0 ? std::min<std::size_t>(width, 1000) : width)));
    std::ranges::copy(columns, made.view().columns_of(i).begin());
    std::ranges::fill(made.view().row_span(i), 1.0F);
  }
  return made;
}

void check(const OccurringColumns& found, const std::set<std::uint32_t>& expected,
           std::size_t width) {
  REQUIRE(found.size() == expected.size());
  CHECK(found.width() == width);
  std::size_t place = 0;
  Random random(3);
  for (const std::uint32_t column : expected) {
    REQUIRE(found.column(place) == column);
    REQUIRE(found.place(column) == place++);
    const std::size_t other = random.below(width);
    if (!expected.contains(static_cast<std::uint32_t>(other)))
      REQUIRE(found.place(other) == OccurringColumns::none);
  }
  CHECK(found.place(width - 1) == (expected.contains(static_cast<std::uint32_t>(width - 1))
                                       ? expected.size() - 1
                                       : OccurringColumns::none));
}

}  // namespace

TEST_CASE("the columns that occur are those of a set, few and many, near and far") {
  for (const std::size_t width : {std::size_t{3000}, std::size_t{300'000}, std::size_t{1} << 31})
    for (const std::size_t rows : {1U, 40U, 2000U}) {
      CAPTURE(width);
      CAPTURE(rows);
      const FloatMatrix sparse = scattered(rows, 40, width, rows);
      const std::set<std::uint32_t> expected(sparse.columns.begin(), sparse.columns.end());
      TestContext context;
      const MatrixRows held(sparse.view());
      const OccurringColumns found =
          OccurringColumns::of({held, Layout::sparse(width), {}, {}}, context);
      if (2 * expected.size() >= width) {
        CHECK(found.are_all());
        CHECK(found.place(width / 2) == width / 2);
        continue;
      }
      check(found, expected, width);
      check(OccurringColumns::of(sparse.view()), expected, width);
      CHECK(found.bytes() <= 16 * expected.size() + 16);
    }
}

TEST_CASE("rows without a value have one column, and dense rows all") {
  const FloatMatrix empty = FloatMatrix::sparse(1000, std::vector<std::size_t>(5, 0));
  CHECK(OccurringColumns::of(empty.view()).size() == 1);
  CHECK(OccurringColumns::of(FloatMatrix(3, 7).view()).are_all());
}

TEST_CASE("columns are read from a state as they were saved, and damaged ones are refused") {
  MemoryState state;
  const OccurringColumns columns({2, 5, 70'000}, 100'000);
  columns.save(state);
  const OccurringColumns read = OccurringColumns::load(state, 100'000);
  CHECK(read.size() == 3);
  CHECK(read.place(70'000) == 2);
  CHECK_THROWS_WITH_AS(OccurringColumns::load(state, 70'000), "its column 70000 is not below 70000",
                       Error);
  CHECK_THROWS_WITH_AS(OccurringColumns({5, 2}, 10),
                       "its columns are not in ascending order below 10", Error);
  MemoryState all;
  OccurringColumns(12).save(all);
  CHECK(OccurringColumns::load(all, 12).are_all());
}

}  // namespace semblance::numerics::occurring_columns_test
