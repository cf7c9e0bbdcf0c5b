// SPDX-License-Identifier: MIT
#include "normalizer_testing.hpp"
#include "row_kernels.hpp"
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

TEST_CASE("where the columns are changes no bit, and memory follows those that occur") {
  const FloatMatrix near = sparse_of(samples().view());
  FloatMatrix far = near;
  constexpr std::uint32_t step = 40'000'000;
  for (std::uint32_t& column : far.columns) column = column * step + 3;
  far.cols = near.cols * step;
  for (const auto& [id, parameters] :
       std::vector<std::pair<std::string, Parameters>>{{"normalizer/unit_length", {}},
                                                       {"normalizer/zscore", {{"center", false}}},
                                                       {"normalizer/max_abs", {}}}) {
    CAPTURE(id);
    CHECK(normalized(id, far, parameters).values == normalized(id, near, parameters).values);
    const auto fitted = make_component<Normalizer>(id, parameters),
               loaded = make_component<Normalizer>(id, parameters);
    for (const auto& each : {fitted.get(), loaded.get()}) each->bind(Layout::sparse(far.cols));
    fit(*fitted, far, 2);
    MemoryState state;
    fitted->save(state);
    TestContext context;
    loaded->load(state, context);
    // Columns that training rows lack keep their values, or count for the length.
    FloatMatrix fresh(far.view());
    for (std::size_t k = 0; k < fresh.columns.size(); k += 5) ++fresh.columns[k];
    FloatMatrix one(fresh.view()), other(fresh.view());
    fitted->apply(fresh.view(), one.view(), context);
    loaded->apply(fresh.view(), other.view(), context);
    CHECK(one.values == other.values);
    CHECK(one.columns == fresh.columns);
    if (id != "normalizer/unit_length")
      for (std::size_t k = 0; k < fresh.columns.size(); k += 5)
        REQUIRE(one.values[k] == fresh.values[k]);
  }
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
