// SPDX-License-Identifier: MIT
#include "semblance/two_parts.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "semblance/error.hpp"

namespace two_parts_test {
using namespace semblance;

const Layout mixed = Layout::pair(Layout::string(4, "ACGT"), Layout::sparse(10));

std::vector<float> row_of(const Layout& layout, const PairPart& first, const PairPart& second) {
  std::vector<float> row(pair_size(layout, first.values.size(), second.values.size()));
  write_pair(first, second, layout, row);
  return row;
}

TEST_CASE("a row gives back both samples of a pair") {
  const std::vector<float> symbols = {0, 3, 2}, values = {0.5F, -1}, columns = {1, 9};
  const auto row = row_of(mixed, {7, symbols}, {5, values, columns});
  CHECK(row.size() == 3 + 3 + 4);
  const PairView view(row, mixed);
  CHECK(view.part(Side::first).number == 7);
  CHECK(std::ranges::equal(view.part(Side::first).values, symbols));
  CHECK(view.part(Side::first).columns.empty());
  CHECK(view.part(Side::second).number == 5);
  CHECK(std::ranges::equal(view.part(Side::second).values, values));
  CHECK(std::ranges::equal(view.part(Side::second).columns, columns));
  CHECK(part_size(row, mixed, Side::first) == 3);
  CHECK(part_size(row, mixed, Side::second) == 2);
  CHECK(row.size() <= mixed.size());
}

TEST_CASE("a row that is no pair is refused") {
  const std::vector<float> symbols = {0, 3}, values = {0.5F, -1}, columns = {1, 9};
  const auto good = row_of(mixed, {7, symbols}, {5, values, columns});
  const auto refused = [&](std::size_t at, float value) {
    auto row = good;
    row[at] = value;
    CHECK_THROWS_AS(PairView(row, mixed), Error);
  };
  refused(0, -1);
  refused(1, 0.5F);
  refused(2, 100);
  refused(2, 3);  // an odd number of values remains for the entries
  refused(5, 9);  // columns must ascend
  refused(6, 10);
  CHECK_THROWS_AS(PairView(std::span(good).first(2), mixed), Error);
  const Layout vectors = Layout::pair(Layout::vector(2), Layout::vector(3));
  const std::vector<float> short_row = {0, 0, 2, 1, 2, 3, 4};
  CHECK_THROWS_WITH_AS(PairView(short_row, vectors),
                       "is no pair: its second sample has 2 values, but should be a vector of 3",
                       Error);
}

TEST_CASE("equal samples with the same number are one") {
  const std::vector<float> a = {0, 3}, b = {1}, values = {2}, one = {1}, two = {2}, none;
  std::vector<std::vector<float>> pairs = {
      row_of(mixed, {0, a}, {0, values, one}), row_of(mixed, {1, b}, {1, values, two}),
      row_of(mixed, {0, a}, {1, values, two}), row_of(mixed, {2, a}, {2, none, none})};
  std::vector<std::size_t> sizes;
  for (const auto& row : pairs) sizes.push_back(row.size());
  FloatMatrix rows = room_for(mixed, sizes);
  for (std::size_t i = 0; i < pairs.size(); ++i) std::ranges::copy(pairs[i], rows.view().row(i));
  const DistinctParts first = distinct_parts(rows.view(), mixed, Side::first);
  CHECK(first.of == std::vector<std::uint32_t>{0, 1, 0, 2});
  CHECK(first.numbers == std::vector<std::int64_t>{0, 1, 2});
  CHECK(std::ranges::equal(std::as_const(first.rows).view().row_span(2), a));
  const DistinctParts second = distinct_parts(rows.view(), mixed, Side::second);
  CHECK(second.of == std::vector<std::uint32_t>{0, 1, 1, 2});
  REQUIRE(std::as_const(second.rows).view().sparse());
  CHECK(std::as_const(second.rows).view().columns_of(1)[0] == 2);
  CHECK(std::as_const(second.rows).view().size(2) == 0);
}

TEST_CASE("a layout of pairs says what its samples are") {
  CHECK(describe(mixed) ==
        "pair of a string of up to 4 symbols out of 4 and a sparse vector of 10");
}

}  // namespace two_parts_test
