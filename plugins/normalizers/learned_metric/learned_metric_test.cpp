// SPDX-License-Identifier: MIT
#include "learned_metric/metric_search.hpp"
#include "projections/projection_testing.hpp"

namespace learned_metric_test {

using namespace semblance;
using namespace semblance::testing;
using namespace semblance::normalizers;

namespace {

/// Rows of `cols` normal values; the number is a function of the first two only.
MetricData two_that_matter(std::size_t rows, std::size_t cols) {
  Random random(3);
  MetricData data{rows, cols, 1, {}, {}};
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t c = 0; c < cols; ++c) data.x.push_back(random.normal());
    const double* x = &data.x[i * cols];
    data.y.push_back(std::sin(2 * x[0]) + 0.5 * x[1] * x[1] - 0.5);
  }
  return data;
}

Eigen::MatrixXd matrix(const std::vector<double>& values, std::size_t rows, std::size_t cols) {
  return Eigen::Map<const Eigen::Matrix<double, -1, -1, Eigen::RowMajor>>(
      values.data(), Eigen::Index(rows), Eigen::Index(cols));
}

double distance(Profile kind, const Eigen::RowVectorXd& a, const Eigen::RowVectorXd& b) {
  return kind == Profile::gaussian ? (a - b).squaredNorm() : (a - b).cwiseAbs().sum();
}

/// The machine by its definition; the scale is the median distance.
struct PlainMachine {
  Eigen::MatrixXd z, k;
  double scale = 1;

  PlainMachine(const MetricData& data, const Eigen::MatrixXd& root, Profile kind, double width) {
    z = matrix(data.x, data.rows, data.cols) * root;
    std::vector<double> distances;
    for (Eigen::Index i = 0; i < z.rows(); ++i)
      for (Eigen::Index j = 0; j < i; ++j) distances.push_back(distance(kind, z.row(i), z.row(j)));
    std::ranges::nth_element(distances, distances.begin() + long(distances.size() / 2));
    scale = distances[distances.size() / 2];
    k.resize(z.rows(), z.rows());
    for (Eigen::Index i = 0; i < z.rows(); ++i)
      for (Eigen::Index j = 0; j < z.rows(); ++j)
        k(i, j) = std::exp(-width * distance(kind, z.row(i), z.row(j)) / scale);
  }

  Eigen::MatrixXd alpha(const Eigen::MatrixXd& y, double penalty) const {
    return (k + penalty * Eigen::MatrixXd::Identity(k.rows(), k.rows())).ldlt().solve(y);
  }
};

Eigen::MatrixXd mixing_root(std::size_t d) {
  Eigen::MatrixXd root = Eigen::MatrixXd::Identity(Eigen::Index(d), Eigen::Index(d));
  root(0, 1) = root(1, 0) = 0.4;
  root(2, 2) = 0.3;
  return root;
}

std::vector<double> flat(const Eigen::MatrixXd& m) {
  const Eigen::Matrix<double, -1, -1, Eigen::RowMajor> rows = m;
  return {rows.data(), rows.data() + rows.size()};
}

}  // namespace

TEST_CASE("the errors are those of machines that are trained without each row") {
  TestContext context;
  MetricData data = two_that_matter(60, 4);
  const Eigen::MatrixXd root = mixing_root(4);
  for (const Profile kind : {Profile::gaussian, Profile::laplacian}) {
    const KernelMachine machine(data, 60, flat(root), kind, 0.7, {}, context);
    const PlainMachine plain(data, root, kind, 0.7);
    const Eigen::MatrixXd y = matrix(data.y, 60, 1);
    for (Eigen::Index left = 0; left < 60; left += 13) {
      Eigen::MatrixXd k = plain.k, without = y;
      k.row(left).setZero();
      k.col(left).setZero();
      k(left, left) = 1;
      without(left) = 0;
      k.diagonal().array() += machine.penalty().first;
      const Eigen::VectorXd alpha = k.ldlt().solve(without);
      const double residual = y(left) - (plain.k.row(left) * alpha)(0) + alpha(left);
      CHECK(machine.errors()[std::size_t(left)] ==
            doctest::Approx(residual * residual).epsilon(1e-6));
    }
    // No penalty ten times as large or small has a lower error.
    for (const double other : {machine.penalty().first / 10, machine.penalty().first * 10}) {
      if (other > 11 || other < 9e-7) continue;
      const Eigen::MatrixXd inverse =
          (plain.k + other * Eigen::MatrixXd::Identity(60, 60)).inverse();
      const Eigen::VectorXd residuals = (inverse * y).array() / inverse.diagonal().array();
      CHECK(residuals.squaredNorm() / 60 >= mean_of(machine.errors()) * (1 - 1e-9));
    }
  }
}

TEST_CASE("of many rows the last half is judged, and bases have an error of their own") {
  TestContext context;
  const MetricData data = two_that_matter(240, 4);
  const std::vector<double> root(4, 1.0);
  for (const Profile kind : {Profile::gaussian, Profile::laplacian}) {
    CHECK(KernelMachine(data, 240, root, kind, 0.7, {}, context).errors().size() == 120);
    // Through 40 bases: ridge regression on the similarities, in the norm of their kernel.
    const KernelMachine machine(data, 40, root, kind, 0.7, {}, context);
    REQUIRE(machine.errors().size() == 120);
    Eigen::MatrixXd k(240, 40);
    const Eigen::MatrixXd x = matrix(data.x, 240, 4), y = matrix(data.y, 240, 1);
    for (Eigen::Index i = 0; i < 240; ++i)
      for (Eigen::Index j = 0; j < 40; ++j)
        k(i, j) = std::exp(-machine.rate() * distance(kind, x.row(i), x.row(j)));
    for (const Eigen::Index left : {120, 177, 239}) {
      Eigen::MatrixXd without = k;
      without.row(left).setZero();
      const Eigen::MatrixXd system =
          without.transpose() * without +
          machine.penalty().first * (k.topRows(40) + 4e-5 * Eigen::MatrixXd::Identity(40, 40));
      const Eigen::VectorXd alpha = system.ldlt().solve(without.transpose() * y);
      const double residual = y(left) - (k.row(left) * alpha)(0);
      CHECK(machine.errors()[std::size_t(left) - 120] ==
            doctest::Approx(residual * residual).epsilon(1e-4));
    }
  }
}

TEST_CASE("the metric is the mean outer product of the gradients") {
  TestContext context;
  MetricData data = two_that_matter(50, 4);
  // Two outputs.
  data.outputs = 2;
  std::vector<double> y;
  for (std::size_t i = 0; i < 50; ++i) y.insert(y.end(), {data.y[i], data.x[i * 4 + 3]});
  data.y = y;
  for (const Profile kind : {Profile::gaussian, Profile::laplacian})
    for (const bool mixed : {false, true}) {
      const Eigen::MatrixXd root =
          mixed ? mixing_root(4) : Eigen::MatrixXd(Eigen::Vector4d(1, 0.5, 2, 0.1).asDiagonal());
      const KernelMachine machine(data, 50,
                                  mixed ? flat(root) : std::vector<double>{1, 0.5, 2, 0.1}, kind,
                                  0.7, {}, context);
      const PlainMachine plain(data, root, kind, 0.7);
      const Eigen::MatrixXd alpha = plain.alpha(matrix(data.y, 50, 2), machine.penalty().first);
      // By central differences of f; a row's own term is left out.
      const auto f = [&](const Eigen::RowVectorXd& x, Eigen::Index own, Eigen::Index output) {
        double sum = 0;
        for (Eigen::Index j = 0; j < 50; ++j)
          if (j != own)
            sum += alpha(j, output) *
                   std::exp(-0.7 * distance(kind, x * root, plain.z.row(j)) / plain.scale);
        return sum;
      };
      Eigen::MatrixXd expected = Eigen::MatrixXd::Zero(4, 4);
      const Eigen::MatrixXd rows = matrix(data.x, 50, 4);
      for (Eigen::Index i = 0; i < 50; ++i)
        for (Eigen::Index output = 0; output < 2; ++output) {
          Eigen::RowVectorXd gradient(4);
          for (Eigen::Index c = 0; c < 4; ++c) {
            Eigen::RowVectorXd up = rows.row(i), down = rows.row(i);
            up(c) += 1e-5;
            down(c) -= 1e-5;
            gradient(c) = (f(up, i, output) - f(down, i, output)) / 2e-5;
          }
          expected += gradient.transpose() * gradient / 50;
        }
      const Eigen::MatrixXd full = matrix(machine.gradient_products(true, context), 4, 4);
      CHECK((full - expected).cwiseAbs().maxCoeff() < 1e-6 * expected.cwiseAbs().maxCoeff());
      if (mixed) continue;
      const auto diagonal = machine.gradient_products(false, context);
      for (Eigen::Index c = 0; c < 4; ++c)
        CHECK(diagonal[std::size_t(c)] == doctest::Approx(expected(c, c)).epsilon(1e-6));
    }
}

TEST_CASE("columns that matter are found, and errors on new rows fall") {
  TestContext context;
  const MetricData data = two_that_matter(200, 12);
  const MetricSearch search{.profile = Profile::gaussian};
  const LearnedMetric found = learn_metric(data, search, context);
  CHECK(found.round > 0);
  CHECK(found.error < 0.4 * found.unlearned_error);
  CHECK(found.relevance[0] + found.relevance[1] > 0.8);
  REQUIRE(found.deviations.size() == 12);
  CHECK(found.deviations[0] < 0.3);
  double sum = 0;
  for (const double r : found.relevance) sum += r;
  CHECK(sum == doctest::Approx(1));
  // The same on rows that nobody has seen.
  MetricData fresh = two_that_matter(400, 12);
  fresh.x.erase(fresh.x.begin(), fresh.x.begin() + 200 * 12);
  fresh.y.erase(fresh.y.begin(), fresh.y.begin() + 200);
  fresh.rows = 200;
  const KernelMachine learned(data, 200, found.root, Profile::gaussian, 1, {}, context);
  const KernelMachine plain(data, 200, std::vector<double>(12, 1.0), Profile::gaussian, 1, {},
                            context);
  CHECK(mean_of(learned.errors_on(fresh, context)) <
        0.4 * mean_of(plain.errors_on(fresh, context)));
}

TEST_CASE("of a direction across columns only the full metric knows") {
  TestContext context;
  MetricData data = two_that_matter(300, 6);
  for (std::size_t i = 0; i < data.rows; ++i) {
    double sum = 0;
    for (std::size_t c = 0; c < 6; ++c) sum += data.x[i * 6 + c] / std::sqrt(6.0);
    data.y[i] = std::sin(2 * sum);
  }
  MetricSearch search{.profile = Profile::gaussian};
  const LearnedMetric both = learn_metric(data, search, context);
  CHECK(both.full);
  search.full = false;
  const LearnedMetric diagonal = learn_metric(data, search, context);
  CHECK_FALSE(diagonal.full);
  CHECK(both.error < 0.5 * diagonal.error);
  search = {.profile = Profile::gaussian, .diagonal = false};
  const LearnedMetric full = learn_metric(data, search, context);
  CHECK(full.full);
  CHECK(full.error < 0.5 * diagonal.error);
}

TEST_CASE("a full metric begins where one length per column ended, so that few rows suffice") {
  TestContext context;
  // The number depends on a direction across the first two of many columns.
  MetricData data = two_that_matter(120, 30);
  for (std::size_t i = 0; i < data.rows; ++i) {
    const double* x = &data.x[i * data.cols];
    data.y[i] = std::sin(1.5 * (x[0] + x[1]));
  }
  MetricSearch search{.profile = Profile::gaussian};
  const LearnedMetric both = learn_metric(data, search, context);
  CHECK(both.full);
  search.full = false;
  CHECK(both.error < 0.7 * learn_metric(data, search, context).error);
  search = {.profile = Profile::gaussian, .diagonal = false};
  CHECK(both.error < 0.7 * learn_metric(data, search, context).error);
}

TEST_CASE("where there is nothing to learn few rows keep no metric") {
  TestContext context;
  int kept = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Random random(seed);
    MetricData data = two_that_matter(60, 8);
    for (double& y : data.y) y = random.normal();
    const LearnedMetric found = learn_metric(data, {}, context);
    kept += found.round == 0;
    if (found.round == 0) {
      CHECK(found.root == std::vector<double>(8, 1.0));
      CHECK(found.error == found.unlearned_error);
    }
  }
  CHECK(kept >= 8);
  // A constant number has no gradient.
  MetricData constant = two_that_matter(60, 3);
  constant.y.assign(60, 0.0);
  CHECK(learn_metric(constant, {}, context).round == 0);
}

TEST_CASE("learned_metric keeps a projection's contract, from all rows or some") {
  check_projection("normalizer/learned_metric", {{"rows", std::int64_t{150}}}, 30);
  TestContext context;
}

TEST_CASE("behind it a kernel with gamma 1 is that of the machine") {
  // Without a metric: exp(-w u / median), where w is one of the widths.
  for (const bool gaussian : {false, true}) {
    CAPTURE(gaussian);
    TestContext context;
    auto metric =
        make_component<Normalizer>("normalizer/learned_metric",
                                   {{"rounds", std::int64_t{0}},
                                    {"kernel", std::string(gaussian ? "gaussian" : "laplacian")}});
    metric->bind(Layout::vector(6));
    const FloatMatrix m = classes_of_rows(200, 6, 3);
    fit_labelled(*metric, m, labels_of(200, 3), 3, context);
    const FloatMatrix z = project(*metric, m, 6);
    std::vector<double> exponents;
    for (std::size_t i = 0; i < 200; ++i)
      for (std::size_t j = 0; j < i; ++j) {
        double sum = 0;
        for (std::size_t c = 0; c < 6; ++c) {
          const double difference = double{z.view().row(i)[c]} - double{z.view().row(j)[c]};
          sum += gaussian ? difference * difference : std::abs(difference);
        }
        exponents.push_back(sum);
      }
    std::ranges::nth_element(exponents, exponents.begin() + long(exponents.size() / 2));
    const double width = exponents[exponents.size() / 2];
    CHECK(std::ranges::any_of(std::array{0.1, 0.3, 1.0, 3.0},
                              [&](double w) { return width == doctest::Approx(w).epsilon(1e-4); }));
  }
}

TEST_CASE("learned_metric far from 0 has the coordinates of the same rows near it") {
  check_projection_far_from_0("normalizer/learned_metric", {{"rows", std::int64_t{150}}}, 5, 1e-4);
}

TEST_CASE("a round that the folds prefer is not taken where it collapses on all rows") {
  TestContext context;
  Random random(1201);
  MetricData data{100, 8, 1, {}, {}};
  for (std::size_t i = 0; i < data.rows; ++i) {
    // Every second column has outliers.
    for (std::size_t c = 0; c < data.cols; ++c)
      data.x.push_back(c % 2 ? std::exp(2 * random.normal()) : random.normal());
    const double* x = &data.x[i * data.cols];
    data.y.push_back(std::sin(4 * x[0]) + x[1] * x[2] - 0.5 + 0.05 * random.normal());
  }
  const LearnedMetric found = learn_metric(data, {.profile = Profile::gaussian}, context);
  CHECK(found.round == 0);
  CHECK(found.error == found.unlearned_error);
  CHECK(found.deviations.empty());
  // A round of one length per column, near the last penalty, has more than twice the error.
  bool same_width = false;
  for (const double width : {0.1, 0.3, 1.0, 3.0}) {
    const KernelMachine plain(data, 100, found.root, Profile::gaussian, width, {}, context);
    if (std::abs(plain.rate() / found.rate - 1) > 1e-6) continue;
    same_width = true;
    std::vector<double> root = plain.gradient_products(false, context);
    for (double& value : root) value = std::sqrt(value);
    PenaltySearch penalty = plain.penalty();
    penalty.both_ways = false;
    const KernelMachine round(data, 100, root, Profile::gaussian, width, penalty, context);
    CHECK(mean_of(round.errors()) > 2 * mean_of(plain.errors()));
  }
  CHECK(same_width);
}

TEST_CASE("what it cannot learn from is named") {
  auto metric = make_component<Normalizer>("normalizer/learned_metric");
  CHECK_THROWS_WITH_AS(metric->bind(Layout::vector(2001)),
                       "it learns a metric of at most 2000 columns, but the rows have 2001; put "
                       "normalizer/pca before it",
                       Error);
  TestContext context;
  metric->bind(Layout::vector(6));
  CHECK_THROWS_WITH_AS(
      fit_labelled(*metric, classes_of_rows(9, 6, 3), {}, 0, context),
      "it learns from classes or numbers, but the training rows have neither; give "
      "labels",
      Error);
  FloatMatrix small = classes_of_rows(40, 6, 2);
  std::vector<std::int32_t> labels;
  for (std::int32_t i = 0; i < 40; ++i) labels.push_back(i % 2);
  for (float& value : small.values) value *= 1e-41F;
  CHECK_THROWS_WITH_AS(fit_labelled(*metric, small, labels, 2, context),
                       "float32 cannot hold the metric of columns with such small values; scale "
                       "them up (normalizer/zscore)",
                       Error);
}

}  // namespace learned_metric_test
