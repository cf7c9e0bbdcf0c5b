// SPDX-License-Identifier: MIT
#include "products/stored_bases.hpp"

#include <Eigen/Eigenvalues>
#include <map>
#include <string>

#include "grids/correlation_plan.hpp"
#include "grids/shifts.hpp"
#include "semblance/formula.hpp"
#include "semblance/similarity.hpp"
#include "similarity_testing.hpp"

namespace semblance::vectors::stored_bases_test {
namespace {

using namespace testing;

TEST_CASE("bases and samples of the wrong size are refused with their sizes") {
  auto measure = make_component<Similarity>("similarity/linear");
  TestContext context;
  measure->bind(Layout::vector(4));
  const FloatMatrix bases = normal_rows(2, 4, 1), wrong = normal_rows(3, 5, 2);
  CHECK_THROWS_WITH_AS(
      measure->set_bases(wrong.view(), first_indices(3), context),
      "the bases have 5 values, the samples 4; both must come from the same features", Error);
  CHECK_THROWS_WITH_AS(measure->set_bases(bases.view().rows_range(0, 0), {}, context),
                       "there are no bases to compare with; choose at least one", Error);
  measure->set_bases(bases.view(), first_indices(2), context);
  FloatMatrix out(3, 2);
  CHECK_THROWS_AS(measure->apply(wrong.view(), out.view(), context), Error);
  CHECK_THROWS_AS(measure->bind(Layout::vector(0)), Error);
}

TEST_CASE("measures on dense values compare samples with a few bases at a time") {
  TestContext context;
  const FloatMatrix bases = normal_rows(3, 9, 3);
  for (const auto& [id, few] : std::map<std::string, bool>{
           {"similarity/rbf", true}, {"similarity/linear", true}, {"similarity/rigid", false}}) {
    const auto measure = make_component<Similarity>(id);
    measure->bind(id == "similarity/rigid" ? Layout::grid(3, 3, 1) : Layout::vector(9));
    measure->set_bases(bases.view(), first_indices(3), context);
    CHECK(measure->compares_few_bases() == few);
  }
  const auto sparse = make_component<Similarity>("similarity/rbf");
  sparse->bind(Layout::sparse(9));
  CHECK_FALSE(sparse->compares_few_bases());
}

TEST_CASE("bases are kept as they were given") {
  TestContext context;
  // More than a panel of the product kernels, and not a multiple of it.
  const FloatMatrix bases = normal_rows(37, 5, 3);
  const auto rbf = make_component<Similarity>("similarity/rbf", {{"gamma", 0.5}});
  rbf->bind(Layout::vector(5));
  rbf->set_bases(bases.view(), first_indices(37), context);
  std::vector<float> row(5);
  for (std::size_t b = 0; b < 37; ++b) {
    rbf->kept_basis(b, row);
    CHECK(std::ranges::equal(row, bases.view().row_span(b)));
  }
  FloatMatrix sparse = FloatMatrix::sparse(5, std::vector<std::size_t>{2, 0, 1});
  sparse.values = {7, -1, 3};
  sparse.columns = {1, 4, 0};
  const auto linear = make_component<Similarity>("similarity/linear");
  linear->bind(Layout::sparse(5));
  linear->set_bases(sparse.view(), first_indices(3), context);
  const std::vector<std::vector<float>> expected = {
      {0, 7, 0, 0, -1}, {0, 0, 0, 0, 0}, {3, 0, 0, 0, 0}};
  for (std::size_t b = 0; b < 3; ++b) {
    linear->kept_basis(b, row);
    CHECK(row == expected[b]);
  }
}

TEST_CASE("a state made for other samples is refused") {
  TestContext context;
  MemoryState state;
  state.floats("bases", normal_rows(2, 5, 1).view());
  auto measure = make_component<Similarity>("similarity/linear");
  measure->bind(Layout::vector(4));
  CHECK_THROWS_WITH_AS(
      measure->load(state, context),
      "the saved bases have 5 values, the samples 4; use samples like those trained on", Error);
  CHECK_THROWS_AS(measure->load(MemoryState(), context), Error);
}

/// The smallest eigenvalue of the samples' matrix K, in units of their mean, tr K / n.
double smallest_share(Similarity& measure, const FloatMatrix& samples) {
  TestContext context;
  const auto n = static_cast<Eigen::Index>(samples.rows);
  measure.bind(Layout::vector(samples.cols));
  measure.set_bases(samples.view(), first_indices(samples.rows), context);
  const FloatMatrix k = compare(measure, samples.view(), context);
  const Eigen::MatrixXd matrix =
      Eigen::Map<const Eigen::MatrixXf>(k.values.data(), n, n).cast<double>();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(matrix, Eigen::EigenvaluesOnly);
  return solver.eigenvalues().minCoeff() / (matrix.trace() / double(n));
}

TEST_CASE("measures that say so are positive semi-definite, and others are not") {
  const FloatMatrix normal = normal_rows(40, 6, 3), histograms = histogram_rows(40, 6, 4);
  for (auto& measure :
       {make_component<Similarity>("similarity/linear"),
        make_component<Similarity>("similarity/rbf"),
        make_component<Similarity>("similarity/polynomial", {{"degree", std::int64_t{3}}})}) {
    CHECK(measure->positive_semidefinite());
    CHECK(smallest_share(*measure, normal) > -1e-5);
  }
  for (auto& measure :
       {make_component<Similarity>("similarity/intersection"),
        make_component<Similarity>("similarity/chi_square"),
        make_component<Similarity>("similarity/chi_square", {{"form", std::string("additive")}})}) {
    CHECK(measure->positive_semidefinite());
    CHECK(smallest_share(*measure, histograms) > -1e-5);
  }
  const auto difference = make_component<Similarity>(
      "similarity/polynomial", {{"degree", std::int64_t{3}}, {"offset", -1.0}});
  CHECK_FALSE(difference->positive_semidefinite());
  CHECK(smallest_share(*difference, normal) < -1e-2);
  CHECK_FALSE(make_component<Similarity>("similarity/precomputed")->positive_semidefinite());
  CHECK_FALSE(make_component<Similarity>("similarity/rigid")->positive_semidefinite());
}

TEST_CASE("an empty block is nothing to do") {
  auto measure = make_component<Similarity>("similarity/linear");
  TestContext context;
  measure->bind(Layout::vector(4));
  measure->set_bases(normal_rows(2, 4, 1).view(), first_indices(2), context);
  CHECK(compare(*measure, {nullptr, 0, 4, 4}, context).values.empty());
}

}  // namespace
}  // namespace semblance::vectors::stored_bases_test
