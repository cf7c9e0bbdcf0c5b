// SPDX-License-Identifier: MIT

#include "semblance/similarity.hpp"
#include "similarity_testing.hpp"

namespace semblance::vectors::precomputed_test {
namespace {

using namespace testing;

TEST_CASE("precomputed takes the columns of the bases' training rows") {
  const FloatMatrix matrix = normal_rows(9, 9, 1);
  auto measure = make_component<Similarity>("similarity/precomputed");
  TestContext context;
  measure->bind(Layout::vector(9));
  const std::vector<std::int64_t> indices = {7, 0, 3};
  measure->set_bases({}, indices, context);
  CHECK(measure->bind(Layout::vector(9)) == Layout::vector(3));
  const FloatMatrix result = compare(*measure, matrix.view(), context);
  for (std::size_t i = 0; i < 9; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      CHECK(result.view().row(i)[j] == matrix.view().row(i)[indices[j]]);
  auto fresh = make_component<Similarity>("similarity/precomputed");
  check_saved(*measure, *fresh, Layout::vector(9), matrix);
}

TEST_CASE("precomputed refuses bases without a column") {
  auto measure = make_component<Similarity>("similarity/precomputed");
  TestContext context;
  measure->bind(Layout::vector(100));
  CHECK_THROWS_WITH_AS(
      measure->set_bases({}, std::vector<std::int64_t>{3, 120}, context),
      "basis row 120 has no column: the matrix has 100; it must have one column per training row",
      Error);
  CHECK_THROWS_AS(measure->set_bases({}, std::vector<std::int64_t>{-1}, context), Error);
  CHECK_THROWS_AS(measure->set_bases({}, {}, context), Error);
}

TEST_CASE("precomputed refuses sparse samples, whose values do not stand in their columns") {
  CHECK_THROWS_WITH_AS(
      make_component<Similarity>("similarity/precomputed")->bind(Layout::sparse(9)),
      "each sample is a sparse vector of 9, not a row of a matrix; put "
      "feature/dense before it where most similarities are 0",
      Error);
}

}  // namespace
}  // namespace semblance::vectors::precomputed_test
