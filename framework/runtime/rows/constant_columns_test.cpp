// SPDX-License-Identifier: MIT
#include "runtime/rows/constant_columns.hpp"

#include <doctest/doctest.h>

#include "semblance/collectives_testing.hpp"

namespace semblance::constant_columns_test {
namespace {

TEST_CASE("columns with one value in all rows are found, in blocks of any kind") {
  for (const std::size_t rows : {2u, 127u, 128u, 129u, 1000u}) {
    FloatMatrix values(rows, 5);
    for (std::size_t i = 0; i < rows; ++i) {
      float* row = values.view().row(i);
      row[0] = static_cast<float>(i);
      row[1] = 7;
      row[2] = i + 1 == rows ? 1 : 0;  // only the last row differs
      row[4] = -1;
    }
    const testing::MemoryRows all(values);
    testing::TestContext context;
    CHECK(constant_columns(all, context) == std::vector<std::size_t>{1, 3, 4});
    for (const std::size_t ranks : {2u, 3u, 40u})
      testing::on_ranks(ranks, [&](testing::RankContext& own) {
        const bool same = constant_columns(testing::OwnRows(all, own.collectives()), own) ==
                          std::vector<std::size_t>{1, 3, 4};
        if (!same) throw Error("ranks find other columns");
      });
  }
  testing::TestContext context;
  CHECK(constant_columns(testing::MemoryRows(FloatMatrix(1, 3)), context).empty());
}

TEST_CASE("a category that no row has is not a constant column, unless its column has one value") {
  const std::vector<std::string> names = {"age",       "city=Rome", "city=Oslo",
                                          "city=Bern", "site=A",    "unit"};
  std::vector<std::size_t> constant = {0, 2, 4, 5};
  drop_rare_categories(constant, names);
  CHECK(constant == std::vector<std::size_t>{0, 4, 5});
  constant = {1, 2, 3, 4};
  drop_rare_categories(constant, names);
  CHECK(constant == std::vector<std::size_t>{4});
  constant = {2, 4};
  drop_rare_categories(constant, {});
  CHECK(constant == std::vector<std::size_t>{2, 4});
}

TEST_CASE("the remark says how many columns are constant, and which") {
  const std::vector<std::string> names = {"id", "width", "unit"};
  CHECK(constant_columns_text(std::vector<std::size_t>{2}, 3, names) ==
        "1 of 3 columns has the same value in all training rows and so cannot help to predict: "
        "'unit'; check that the data were read as intended, or drop them");
  CHECK(constant_columns_text(std::vector<std::size_t>{0, 1, 2, 5, 6, 8, 9}, 10, {})
            .starts_with(
                "7 of 10 columns have the same value in all training rows and so cannot help "
                "to predict: 0, 1, 2, 5, 6 and 2 more (counted from 0); "));
  CHECK(constant_columns_text(std::vector<std::size_t>{0, 1, 2}, 3, names)
            .starts_with("all 3 columns have the same value"));
}

}  // namespace
}  // namespace semblance::constant_columns_test
