// SPDX-License-Identifier: MIT
#include <array>

#include "projections/projection_testing.hpp"

namespace pca_test {

using namespace semblance;
using namespace semblance::testing;

namespace {

Value whole(std::int64_t x) { return x; }

FloatMatrix fitted(Normalizer& pca, const FloatMatrix& m, std::size_t directions) {
  TestContext context;
  CHECK(pca.bind(Layout::vector(m.cols)) == Layout::vector(directions));
  fit_labelled(pca, m, std::vector<std::int32_t>(m.rows, 0), 1, context);
  return project(pca, m, directions);
}

struct Reference {
  Eigen::MatrixXd centred;
  Eigen::MatrixXd axes;       // columns, of ascending variance
  Eigen::VectorXd variances;  // ascending
};

Reference reference(const FloatMatrix& m) {
  const Eigen::MatrixXd x = wide(m);
  const Eigen::MatrixXd centred = x.rowwise() - x.colwise().mean();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(centred.transpose() * centred /
                                                             double(m.rows));
  return {centred, eigen.eigenvectors(), eigen.eigenvalues()};
}

}  // namespace

TEST_CASE("coordinates are those of the covariance matrix's eigenvectors") {
  const FloatMatrix m = classes_of_rows(700, 24, 5);
  const Reference truth = reference(m);
  for (const double power : {0.0, 0.5, 1.0}) {
    auto pca = make_component<Normalizer>("normalizer/pca",
                                          {{"components", whole(10)}, {"whiten", power}});
    const Eigen::MatrixXd z = wide(fitted(*pca, m, 10));
    for (Eigen::Index k = 0; k < 10; ++k) {
      const Eigen::Index e = 23 - k;
      const double deviation = std::sqrt(truth.variances[e]);
      const Eigen::VectorXd expected =
          truth.centred * truth.axes.col(e) / std::pow(deviation, power);
      CHECK(difference(z.col(k), expected) < 2e-4 * expected.cwiseAbs().maxCoeff());
    }
  }
}

TEST_CASE("a subspace narrower than the rank finds the leading axes, better with iterations") {
  const std::size_t cols = 300;
  Random random(3);
  FloatMatrix m(500, cols);
  for (std::size_t i = 0; i < m.rows; ++i)
    for (std::size_t c = 0; c < cols; ++c)
      m.values[i * cols + c] = static_cast<float>(random.normal() / std::sqrt(1.0 + double(c)));
  const Reference truth = reference(m);
  const double best = truth.variances.tail(8).sum();
  const auto kept = [&](std::int64_t iterations) {
    auto pca = make_component<Normalizer>(
        "normalizer/pca",
        {{"components", whole(8)}, {"iterations", whole(iterations)}, {"oversampling", whole(8)}});
    return wide(fitted(*pca, m, 8)).squaredNorm() / 500;
  };
  const double one = kept(1), many = kept(12);
  CHECK(one < many);
  CHECK(many == doctest::Approx(best).epsilon(1e-3));
  CHECK(many <= best * (1 + 1e-5));
}

TEST_CASE("axes without variance give 0, even when whitened") {
  FloatMatrix m = classes_of_rows(200, 6, 1);
  for (std::size_t i = 0; i < m.rows; ++i) {
    m.values[i * 6 + 4] = m.values[i * 6] + m.values[i * 6 + 1];
    m.values[i * 6 + 5] = 7;
  }
  auto pca =
      make_component<Normalizer>("normalizer/pca", {{"components", whole(6)}, {"whiten", 1.0}});
  const Eigen::MatrixXd z = wide(fitted(*pca, m, 6));
  for (Eigen::Index k = 0; k < 4; ++k)
    CHECK(z.col(k).squaredNorm() / 200 == doctest::Approx(1).epsilon(1e-3));
  CHECK(z.rightCols(2).cwiseAbs().maxCoeff() == 0);

  auto equal =
      make_component<Normalizer>("normalizer/pca", {{"components", whole(2)}, {"whiten", 1.0}});
  const FloatMatrix same(50, 3);
  for (const float v : fitted(*equal, same, 2).values) CHECK(v == 0);
}

TEST_CASE("an axis of far smaller spread keeps its coordinates, as in double") {
  for (const double small : {1e-3, 1e-5, 1e-6}) {
    CAPTURE(small);
    Random random(4);
    FloatMatrix m(500, 3);
    for (std::size_t i = 0; i < m.rows; ++i) {
      const double large = random.normal();
      const std::array x = {large, small * (random.normal() + 0.3 * large), 100 + random.normal()};
      for (std::size_t c = 0; c < 3; ++c) m.values[i * 3 + c] = static_cast<float>(x[c]);
    }
    const Reference truth = reference(m);
    for (const double whiten : {0.0, 1.0}) {
      auto pca = make_component<Normalizer>("normalizer/pca",
                                            {{"components", whole(0)}, {"whiten", whiten}});
      const Eigen::VectorXd expected =
          truth.centred * truth.axes.col(0) / std::pow(truth.variances[0], whiten / 2);
      const Eigen::VectorXd found = wide(fitted(*pca, m, 3)).col(2);
      CHECK(difference(found, expected) <
            2e-5 * expected.cwiseAbs().maxCoeff() / std::min(1.0, small * 1e5));
    }
  }
}

TEST_CASE("without a number of components there are as many as values") {
  const FloatMatrix m = classes_of_rows(400, 15, 4);
  const Reference truth = reference(m);
  auto all = make_component<Normalizer>("normalizer/pca");
  const Eigen::MatrixXd z = wide(fitted(*all, m, 15));
  for (Eigen::Index k = 0; k < 15; ++k)
    CHECK(z.col(k).squaredNorm() / 400 == doctest::Approx(truth.variances[14 - k]).epsilon(1e-3));
  CHECK(z.squaredNorm() == doctest::Approx(truth.centred.squaredNorm()).epsilon(1e-5));
}

TEST_CASE("the log says how much of the variance is retained") {
  const FloatMatrix m = classes_of_rows(300, 12, 3);
  const Reference truth = reference(m);
  auto pca = make_component<Normalizer>("normalizer/pca", {{"components", whole(3)}});
  pca->bind(Layout::vector(12));
  TestContext context;
  fit_labelled(*pca, m, std::vector<std::int32_t>(m.rows, 0), 1, context);
  char share[32];
  std::snprintf(share, sizeof share, "%.4g",
                100 * truth.variances.tail(3).sum() / truth.variances.sum());
  CHECK(context.lines.back().find("3 of 12 components keep " + std::string(share) +
                                  " % of the variance") != std::string::npos);
}

TEST_CASE("pca keeps a projection's contract") {
  check_projection("normalizer/pca", {{"components", whole(7)}}, 7);
}

TEST_CASE("more components than values are refused") {
  auto pca = make_component<Normalizer>("normalizer/pca", {{"components", whole(6)}});
  CHECK_THROWS_WITH_AS(pca->bind(Layout::vector(5)),
                       "rows of 5 values have no 6 principal components; lower 'components'",
                       Error);
}

TEST_CASE("rows far from 0 have the coordinates of the same rows near it") {
  check_projection_far_from_0("normalizer/pca", {{"components", whole(5)}, {"whiten", 1.0}}, 5,
                              1e-5);
}

TEST_CASE("a state with shifts of the products, as it was saved once, gives what it gave") {
  MemoryState state;
  const std::vector<float> weights = {1, 0, 0, 2}, shift = {3, 5};
  state.floats("weights", {weights.data(), 2, 2, 2});
  state.floats("shift", {shift.data(), 1, 2, 2});
  const auto pca = make_component<Normalizer>("normalizer/pca");
  pca->bind(Layout::vector(2));
  TestContext context;
  pca->load(state, context);
  FloatMatrix m(1, 2);
  m.values = {4, 4};
  CHECK(project(*pca, m, 2).values == std::vector<float>{1, 3});
}

}  // namespace pca_test
