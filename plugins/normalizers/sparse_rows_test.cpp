// SPDX-License-Identifier: MIT
#include "sparse_rows.hpp"

#include "normalizer_testing.hpp"
#include "semblance/sparse_testing.hpp"

namespace sparse_rows_test {

using namespace semblance;
using namespace semblance::normalizers;
using namespace semblance::testing;

namespace {

/// Counts of which some are negative.
FloatMatrix samples() {
  FloatMatrix rows = counts(700, 50, 0.1);
  for (std::size_t k = 0; k < rows.values.size(); k += 3) rows.values[k] = -rows.values[k];
  return rows;
}

FloatMatrix normalized(const std::string& id, const FloatMatrix& rows, const Parameters& parameters,
                       std::size_t threads = 2) {
  const auto normalizer = make_component<Normalizer>(id, parameters);
  const Layout layout = rows.is_sparse ? Layout::sparse(rows.cols) : Layout::vector(rows.cols);
  CHECK(normalizer->bind(layout) == layout);
  fit(*normalizer, rows, threads);
  TestContext context;
  FloatMatrix out(rows.view());
  std::ranges::fill(out.columns, 0U);
  normalizer->apply(rows.view(), out.view(), context);
  return out;
}

/// Checks that dense and sparse rows give the same result.
void check_same(const std::string& id, const Parameters& parameters) {
  const FloatMatrix dense = samples(), sparse = sparse_of(dense.view());
  const FloatMatrix expected = normalized(id, dense, parameters);
  for (const std::size_t threads : {1U, 2U}) {
    const FloatMatrix found = normalized(id, sparse, parameters, threads);
    const FloatMatrix filled = dense_of(std::as_const(found).view());
    REQUIRE(filled.values.size() == expected.values.size());
    for (std::size_t k = 0; k < filled.values.size(); ++k)
      REQUIRE(filled.values[k] == doctest::Approx(expected.values[k]).epsilon(1e-6));
  }
  CHECK(normalized(id, sparse, parameters, 1).values ==
        normalized(id, sparse, parameters, 2).values);
}

}  // namespace

TEST_CASE("sparse rows become what dense ones do") {
  check_same("normalizer/unit_length", {});
  check_same("normalizer/zscore", {{"center", false}});
  check_same("normalizer/zscore", {{"center", false}, {"scale", false}});
  check_same("normalizer/max_abs", {});
}

TEST_CASE("the largest absolute value of each column becomes 1") {
  FloatMatrix rows(3, 3);
  rows.values = {-4, 0, 2, 1, 0, 0, 2, 0, 1};
  CHECK(normalized("normalizer/max_abs", rows, {}).values ==
        std::vector<float>{-1, 0, 1, 0.25F, 0, 0, 0.5F, 0, 0.5F});
  check_contract("normalizer/max_abs", true);
}

TEST_CASE("what would make zeros other values is refused") {
  CHECK_THROWS_WITH_AS(make_component<Normalizer>("normalizer/zscore")->bind(Layout::sparse(3)),
                       "'center: true' would make sparse vectors dense; set 'center: false', or "
                       "put feature/dense before it",
                       Error);
  CHECK_THROWS_WITH_AS(
      make_component<Normalizer>("normalizer/unit_length", {{"center", true}})
          ->bind(Layout::sparse(3)),
      "'center: true' would make sparse vectors dense; omit it, or put feature/dense before it",
      Error);
}

TEST_CASE("values that are not finite are named by their column") {
  FloatMatrix rows(2, 9);
  rows.values[9 + 7] = std::numeric_limits<float>::infinity();
  const FloatMatrix sparse = sparse_of(rows.view());
  CHECK_THROWS_WITH_AS(normalized("normalizer/unit_length", sparse, {}),
                       "the value in row 1 of the block, column 7 (both from 0) is infinite; "
                       "remove or replace such values before normalizing",
                       Error);
  CHECK_THROWS_WITH_AS(normalized("normalizer/max_abs", sparse, {}),
                       doctest::Contains("training row 1, column 7"), Error);
  CHECK_THROWS_WITH_AS(normalized("normalizer/zscore", sparse, {{"center", false}}),
                       doctest::Contains("training row 1, column 7"), Error);
}

}  // namespace sparse_rows_test
