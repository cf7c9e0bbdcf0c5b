// SPDX-License-Identifier: MIT
#include "projections/projection_testing.hpp"

namespace lda_test {

using namespace semblance;
using namespace semblance::testing;

namespace {

Value whole(std::int64_t x) { return x; }

constexpr std::size_t rows = 600, cols = 12, classes = 90;

/// The covariances by their definitions, one row after the other.
struct Covariances {
  Eigen::MatrixXd within = Eigen::MatrixXd::Zero(cols, cols);
  Eigen::MatrixXd total = Eigen::MatrixXd::Zero(cols, cols);
};

Covariances covariances(const FloatMatrix& m, const std::vector<std::int32_t>& labels) {
  const Eigen::MatrixXd x = wide(m);
  Covariances c;
  double paired = 0;
  for (std::size_t i = 0; i < m.rows; ++i) {
    Eigen::RowVectorXd mean = Eigen::RowVectorXd::Zero(cols);
    double count = 0;
    for (std::size_t j = 0; j < m.rows; ++j)
      if (labels[j] == labels[i]) mean += x.row(Eigen::Index(j)), ++count;
    const Eigen::RowVectorXd own = x.row(Eigen::Index(i)) - mean / count;
    const Eigen::RowVectorXd all = x.row(Eigen::Index(i)) - x.colwise().mean();
    c.total += all.transpose() * all / double(m.rows);
    if (count < 2) continue;
    c.within += count / (count - 1) * own.transpose() * own;
    ++paired;
  }
  c.within /= paired;
  return c;
}

FloatMatrix fitted(Normalizer& lda, const FloatMatrix& m, const std::vector<std::int32_t>& labels,
                   std::size_t directions) {
  TestContext context;
  CHECK(lda.bind(Layout::vector(m.cols)) == Layout::vector(directions));
  fit_labelled(lda, m, labels, classes, context);
  return project(lda, m, directions);
}

/// Some classes have a single sample, and some none.
std::vector<std::int32_t> uneven_labels() {
  std::vector<std::int32_t> labels = labels_of(rows, 60);
  for (std::size_t i = 0; i < 20; ++i) labels[i * 7] = static_cast<std::int32_t>(60 + i);
  return labels;
}

}  // namespace

TEST_CASE("directions are the generalized eigenvectors of the two covariances") {
  const FloatMatrix m = classes_of_rows(rows, cols, 60);
  const auto labels = uneven_labels();
  for (const double share : {0.0, 0.2}) {
    Covariances c = covariances(m, labels);
    c.within = ((1 - share) * c.within +
                share * c.within.trace() / double(cols) * Eigen::MatrixXd::Identity(cols, cols))
                   .eval();
    // total w = lambda within w, with w^T within w = 1
    const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> eigen(c.total, c.within);
    const Eigen::MatrixXd x = wide(m), centred = x.rowwise() - x.colwise().mean();
    for (const std::size_t count : {std::size_t{5}, cols}) {
      auto lda = make_component<Normalizer>(
          "normalizer/lda",
          {{"components", whole(count == cols ? 0 : 5)}, {"regularization", share}});
      const Eigen::MatrixXd z = wide(fitted(*lda, m, labels, count));
      for (Eigen::Index k = 0; k < Eigen::Index(count); ++k) {
        const Eigen::VectorXd expected =
            centred * eigen.eigenvectors().col(Eigen::Index(cols) - 1 - k);
        CHECK(difference(z.col(k), expected) < 1e-3 * expected.cwiseAbs().maxCoeff());
      }
    }
  }
}

TEST_CASE("with all directions and no regularization classes have unit covariance") {
  const FloatMatrix m = classes_of_rows(rows, cols, 60);
  const auto labels = uneven_labels();
  auto lda = make_component<Normalizer>("normalizer/lda", {{"regularization", 0.0}});
  const Covariances c = covariances(fitted(*lda, m, labels, cols), labels);
  CHECK((c.within - Eigen::MatrixXd::Identity(cols, cols)).cwiseAbs().maxCoeff() < 1e-4);
  const Eigen::MatrixXd diagonal = c.total.diagonal().asDiagonal();
  CHECK((c.total - diagonal).cwiseAbs().maxCoeff() < 1e-4 * c.total(0, 0));
  for (Eigen::Index k = 1; k < Eigen::Index(cols); ++k)
    CHECK(c.total(k, k) <= c.total(k - 1, k - 1));
}

TEST_CASE("lda keeps a projection's contract") {
  check_projection("normalizer/lda", {{"components", whole(9)}}, 9);
}

TEST_CASE("what lda cannot work with is named") {
  auto lda = make_component<Normalizer>("normalizer/lda", {{"components", whole(6)}});
  CHECK_THROWS_WITH_AS(lda->bind(Layout::vector(5)),
                       "rows of 5 values have no 6 discriminant directions; lower 'components'",
                       Error);
  TestContext context;
  auto unlabelled = make_component<Normalizer>("normalizer/lda");
  unlabelled->bind(Layout::vector(cols));
  CHECK_THROWS_WITH_AS(fit_labelled(*unlabelled, classes_of_rows(9, cols, 3), {}, 0, context),
                       "it learns from classes, but the training rows have none; give labels",
                       Error);
  FloatMatrix m = classes_of_rows(classes, cols, classes);
  auto alone = make_component<Normalizer>("normalizer/lda");
  CHECK_THROWS_WITH_AS(fitted(*alone, m, labels_of(classes, classes), cols),
                       "no class has two training rows, so nothing is known about how rows of a "
                       "class differ; give more examples per class",
                       Error);
  m = classes_of_rows(rows, cols, 60);
  for (std::size_t i = 0; i < rows; ++i) m.values[i * cols + 3] = 1;
  auto singular = make_component<Normalizer>("normalizer/lda", {{"regularization", 0.0}});
  CHECK_THROWS_WITH_AS(fitted(*singular, m, uneven_labels(), cols),
                       doctest::Contains("the covariance within the classes is singular"), Error);
  auto mended = make_component<Normalizer>("normalizer/lda");
  for (const float v : fitted(*mended, m, uneven_labels(), cols).values) CHECK(std::isfinite(v));
}

TEST_CASE("rows far from 0 have the coordinates of the same rows near it") {
  check_projection_far_from_0("normalizer/lda", {}, 5, 1e-5);
}

}  // namespace lda_test
