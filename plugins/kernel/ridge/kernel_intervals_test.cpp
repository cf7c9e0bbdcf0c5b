// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "regression_testing.hpp"

namespace semblance::kernel::kernel_intervals_test {
namespace {

using namespace common::testing;
using Matrix = Eigen::MatrixXd;

constexpr const char* kernel_intervals = "solver/kernel_intervals";
constexpr double normal_end = 1.6448536269514722;  // for 0.9

Parts rbf(double gamma) { return {{"kernel", part("similarity/rbf", {{"gamma", gamma}})}}; }

Parameters with_method(const char* method, Parameters more) {
  more.emplace_back("method", std::string(method));
  return more;
}
Parameters gaussian(Parameters more) { return with_method("gaussian", std::move(more)); }
Parameters jackknife(Parameters more) { return with_method("jackknife_plus", std::move(more)); }

struct Fitted {
  std::unique_ptr<IntervalRegressor> solver;
  MemoryReport report;
  std::vector<std::string> warnings = {};

  /// Lower end, estimate and upper end of each row's targets, also from a saved model.
  FloatMatrix of(const FloatMatrix& values, std::size_t targets, const Parameters& parameters,
                 const Parts& parts) const {
    TestContext context;
    MemoryState state;
    solver->save(state);
    const auto loaded = make_component<IntervalRegressor>(kernel_intervals, parameters, parts);
    loaded->bind(layout_of(values));
    loaded->load(state, context);
    FloatMatrix out(values.rows, 3 * targets), again(values.rows, 3 * targets);
    solver->apply(values.view(), out.view(), context);
    loaded->apply(values.view(), again.view(), context);
    CHECK(out.values == again.values);
    return out;
  }
};

Fitted fit(const NumberData& data, const Parameters& parameters, const Parts& parts,
           const std::vector<std::int32_t>& groups = {}) {
  Fitted made{make_component<IntervalRegressor>(kernel_intervals, parameters, parts), {}};
  TestContext context;
  const MemoryRows rows(data.values);
  const Layout layout = layout_of(data.values);
  const std::vector<std::int32_t> labels(data.rows(), -1);
  made.solver->bind(layout);
  TrainingSet set = training_set(rows, layout, labels, data);
  set.groups = groups;
  made.solver->train(set, made.report, context);
  made.warnings = context.lines;
  return made;
}

TEST_CASE("kernel intervals: jackknife+ by its definition, with a training for each sample") {
  constexpr std::size_t n = 19, m = 2;
  const NumberData data = linear_numbers(n, 3, m), fresh = linear_numbers(5, 3, m, 7);
  for (const bool intercept : {true, false})
    for (const double coverage : {0.9, 0.7, 0.5}) {
      CAPTURE(intercept);
      CAPTURE(coverage);
      const Parameters ridge = {{"penalty", 0.4}, {"intercept", intercept}};
      Parameters parameters = jackknife(ridge);
      parameters.emplace_back("coverage", coverage);
      const FloatMatrix found =
          fit(data, parameters, rbf(0.2)).of(fresh.values, m, parameters, rbf(0.2));
      std::vector<FloatMatrix> without;
      std::vector<double> errors;
      TestContext context;
      for (std::size_t i = 0; i < n; ++i) {
        const auto other =
            train_regressor("solver/kernel_ridge", without_row(data, i), context, ridge, rbf(0.2));
        FloatMatrix row(1, 3);
        copy_rows(data.values.view().rows_range(i, 1), row.view());
        const FloatMatrix own = estimates(*other.solver, row, m);
        for (std::size_t k = 0; k < m; ++k)
          errors.push_back(std::abs(data.target(i, k) - double{own.values[k]}));
        without.push_back(estimates(*other.solver, fresh.values, m));
      }
      const auto whole = train_regressor("solver/kernel_ridge", data, context, ridge, rbf(0.2));
      const FloatMatrix middle = estimates(*whole.solver, fresh.values, m);
      // Of 20 values, 2, 6 and 10 are beyond each end.
      const auto rank = static_cast<std::size_t>(std::lround((1 - coverage) * 20));
      for (std::size_t x = 0; x < 5; ++x)
        for (std::size_t k = 0; k < m; ++k) {
          std::vector<double> low, high;
          for (std::size_t i = 0; i < n; ++i) {
            low.push_back(double{without[i].values[x * m + k]} - errors[i * m + k]);
            high.push_back(double{without[i].values[x * m + k]} + errors[i * m + k]);
          }
          std::ranges::sort(low);
          std::ranges::sort(high);
          const float* ends = found.values.data() + 3 * (x * m + k);
          const double estimate{middle.values[x * m + k]};
          CHECK(double{ends[0]} ==
                doctest::Approx(std::min(low[rank - 1], estimate)).epsilon(1e-4).scale(1));
          CHECK(double{ends[1]} == doctest::Approx(estimate).epsilon(1e-5).scale(1));
          CHECK(double{ends[2]} ==
                doctest::Approx(std::max(high[n - rank], estimate)).epsilon(1e-4).scale(1));
        }
    }
}

// scikit-learn 1.2.1: GaussianProcessRegressor(RBF(2 ** .5), alpha=.5, optimizer=None)
// .predict(T, return_std=True) for the numbers below.
TEST_CASE("kernel intervals: the deviation of GaussianProcessRegressor") {
  constexpr std::size_t n = 12;
  NumberData data{FloatMatrix(n, 3), {}, {"y"}};
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < 3; ++j)
      data.values.values[3 * i + j] = static_cast<float>((i * 7 + j * 13 + i * j) % 17) / 4;
    data.targets.push_back(static_cast<double>(i * 5 % 11) / 3 - 1);
  }
  FloatMatrix rows(5, 3);
  std::copy_n(data.values.values.begin(), 9, rows.values.begin());
  std::ranges::copy(std::vector<float>{9, 9, 9, 1.5F, 2, 0.5F}, rows.values.begin() + 9);
  const Parameters parameters = gaussian({{"penalty", 0.5}, {"intercept", false}});
  const Fitted fitted = fit(data, parameters, rbf(0.25));
  const FloatMatrix found = fitted.of(rows, 1, parameters, rbf(0.25));
  const std::vector<double> means = {-0.5440187, 0.35693521, 1.62627478, 0, 0.25421583},
                            deviations = {0.55775591, 0.493842, 0.4992658, 1, 0.72859204};
  const double prior = fitted.report.numbers.at("prior_deviation");
  for (std::size_t i = 0; i < 5; ++i) {
    const double* const mean = means.data() + i;
    const double half = (double{found.values[3 * i + 2]} - double{found.values[3 * i]}) / 2;
    CHECK(double{found.values[3 * i + 1]} == doctest::Approx(*mean).epsilon(1e-6).scale(1));
    const double variance = std::pow(half / normal_end / prior, 2) - 0.5;
    CHECK(std::sqrt(variance) == doctest::Approx(deviations[i]).epsilon(1e-6));
  }
}

TEST_CASE("kernel intervals: a Gaussian process about an unknown constant, by the plain system") {
  constexpr Eigen::Index n = 25;
  NumberData data = linear_numbers(n, 3, 2);
  const NumberData fresh = linear_numbers(6, 3, 2, 5);
  for (const bool weighted : {false, true}) {
    if (weighted)
      for (std::size_t i = 0; i < data.rows(); ++i)
        data.weights.push_back(static_cast<double>(1 + i % 3));
    const auto kernel = [](const FloatMatrix& a, std::size_t i, const FloatMatrix& b,
                           std::size_t j) {
      double squares = 0;
      for (std::size_t c = 0; c < 3; ++c)
        squares += std::pow(double{a.values[3 * i + c]} - double{b.values[3 * j + c]}, 2);
      return std::exp(-0.2 * squares);
    };
    const double total = weighted ? std::accumulate(data.weights.begin(), data.weights.end(), 0.0)
                                  : static_cast<double>(n);
    Matrix system = Matrix::Zero(n + 1, n + 1), right = Matrix::Zero(n + 1, 2);
    for (Eigen::Index i = 0; i < n; ++i) {
      const auto row = static_cast<std::size_t>(i);
      for (Eigen::Index j = 0; j < n; ++j)
        system(i, j) = kernel(data.values, row, data.values, static_cast<std::size_t>(j));
      system(i, i) += 0.3 / (weighted ? data.weights[row] : 1);
      system(i, n) = system(n, i) = 1;
      for (Eigen::Index k = 0; k < 2; ++k)
        right(i, k) = data.target(row, static_cast<std::size_t>(k));
    }
    const Matrix inverse = system.inverse(), solved = inverse * right;
    const Parameters parameters = gaussian({{"penalty", 0.3}});
    const FloatMatrix found =
        fit(data, parameters, rbf(0.2)).of(fresh.values, 2, parameters, rbf(0.2));
    for (std::size_t x = 0; x < 6; ++x) {
      Eigen::VectorXd k(n + 1);
      for (Eigen::Index i = 0; i < n; ++i)
        k(i) = kernel(data.values, static_cast<std::size_t>(i), fresh.values, x);
      k(n) = 1;
      const double variance = 1 - k.dot(inverse * k) + 0.3;
      for (Eigen::Index t = 0; t < 2; ++t) {
        const double scale = solved.col(t).head(n).dot(right.col(t).head(n)) / (total - 1);
        const float* ends = found.values.data() + 6 * x + 3 * static_cast<std::size_t>(t);
        const double mean = k.dot(solved.col(t));
        const double half = normal_end * std::sqrt(scale * variance);
        CHECK(double{ends[0]} == doctest::Approx(mean - half).epsilon(1e-5).scale(5));
        CHECK(double{ends[1]} == doctest::Approx(mean).epsilon(1e-5).scale(5));
        CHECK(double{ends[2]} == doctest::Approx(mean + half).epsilon(1e-5).scale(5));
      }
    }
  }
}

/// -ln of the density of contrasts of the targets, per contrast, for the variance of largest
/// likelihood; of all numbers without an intercept. Mean over the targets.
double surprise(const NumberData& data, double gamma, double penalty, bool intercept) {
  const auto n = static_cast<Eigen::Index>(data.rows());
  Matrix covariance(n, n), numbers(n, 2);
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j < n; ++j) {
      double squares = 0;
      for (Eigen::Index c = 0; c < 3; ++c)
        squares += std::pow(double{data.values.values[static_cast<std::size_t>(3 * i + c)]} -
                                double{data.values.values[static_cast<std::size_t>(3 * j + c)]},
                            2);
      covariance(i, j) = std::exp(-gamma * squares) + (i == j ? penalty : 0);
    }
    for (Eigen::Index k = 0; k < 2; ++k)
      numbers(i, k) = data.target(static_cast<std::size_t>(i), static_cast<std::size_t>(k));
  }
  Matrix contrasts = Matrix::Identity(n, n);
  if (intercept)
    contrasts = Matrix(Matrix::Ones(n, 1).householderQr().householderQ()).rightCols(n - 1);
  const Matrix own = contrasts.transpose() * covariance * contrasts;
  const Matrix y = contrasts.transpose() * numbers;
  const auto free = static_cast<double>(own.rows());
  double sum = 0;
  for (Eigen::Index k = 0; k < 2; ++k) {
    const double scale = y.col(k).dot(own.inverse() * y.col(k)) / free;
    sum += (free * std::log(2 * std::numbers::pi * scale) + std::log(own.determinant()) + free) / 2;
  }
  return sum / free / 2;
}

TEST_CASE("kernel intervals: the likelihood is that of the Gaussian process, weights are copies") {
  const std::vector<double> penalties = {3, 0.8, 0.2, 0.05};
  for (const bool intercept : {true, false})
    for (const bool weighted : {false, true}) {
      CAPTURE(intercept);
      CAPTURE(weighted);
      NumberData data = linear_numbers(17, 3, 2), copies = data;
      for (double& y : data.targets) y -= 2;
      copies.targets = data.targets;
      if (weighted) {
        std::vector<float> values;
        copies.targets.clear();
        for (std::size_t i = 0; i < 17; ++i) {
          data.weights.push_back(static_cast<double>(i % 3));
          for (std::size_t copy = 0; copy < i % 3; ++copy) {
            const float* const row = data.values.values.data() + 3 * i;
            values.insert(values.end(), row, row + 3);
            copies.targets.insert(copies.targets.end(), {data.target(i, 0), data.target(i, 1)});
          }
        }
        copies.values = FloatMatrix(values.size() / 3, 3);
        std::ranges::copy(values, copies.values.values.begin());
      }
      Parameters parameters = gaussian({{"penalties", penalties}, {"intercept", intercept}});
      parameters.emplace_back("choose_by", std::string("likelihood"));
      const Fitted fitted = fit(data, parameters, rbf(0.2));
      const Table& trials = fitted.report.tables.at("penalties");
      CHECK(trials.columns[1] == "negative log likelihood");
      std::vector<double> expected;
      for (std::size_t l = 0; l < penalties.size(); ++l) {
        expected.push_back(surprise(copies, 0.2, penalties[l], intercept));
        CHECK(trials.values[4 * l + 1] == doctest::Approx(expected[l]).epsilon(1e-5));
      }
      const auto best = std::ranges::min_element(expected);
      CHECK(fitted.report.numbers.at("penalty") ==
            penalties[static_cast<std::size_t>(best - expected.begin())]);
      CHECK(fitted.report.numbers.at("negative_log_likelihood") ==
            doctest::Approx(*best).epsilon(1e-5));
    }
}

TEST_CASE("kernel intervals: the estimates are those of kernel ridge regression, bit by bit") {
  const NumberData data = linear_numbers(30, 3, 2), fresh = linear_numbers(6, 3, 2, 5);
  TestContext context;
  const Parts linear = {{"kernel", part("similarity/linear", {})}};
  for (const auto& [parameters, parts] : {std::pair{gaussian({{"penalty", 0.3}}), rbf(0.2)},
                                          std::pair{jackknife({{"penalty", 0.3}}), rbf(0.2)},
                                          std::pair{jackknife({{"penalty", 0.3}}), linear}}) {
    const FloatMatrix found = fit(data, parameters, parts).of(fresh.values, 2, parameters, parts);
    const auto ridge =
        train_regressor("solver/kernel_ridge", data, context, {{"penalty", 0.3}}, parts);
    const FloatMatrix expected = estimates(*ridge.solver, fresh.values, 2);
    for (std::size_t k = 0; k < 12; ++k) CHECK(found.values[3 * k + 1] == expected.values[k]);
  }
}

TEST_CASE("kernel intervals: those of a Gaussian process say how wide they are") {
  const auto quantile = [](const Parameters& parameters) {
    return make_component<IntervalRegressor>(kernel_intervals, parameters, rbf(0.2))
        ->normal_quantile();
  };
  CHECK(*quantile(gaussian({})) == doctest::Approx(normal_end).epsilon(1e-12));
  CHECK(*quantile(gaussian({{"coverage", 0.6826894921370859}})) == doctest::Approx(1));
  CHECK(!quantile(jackknife({})));
}

/// The share of new samples whose interval has the number, over many small data sets.
double simulated_coverage(const Parameters& parameters, std::size_t rows) {
  constexpr std::size_t sets = 150, tests = 40;
  double covered = 0;
  for (std::uint64_t seed = 1; seed <= sets; ++seed) {
    Random random(seed);
    NumberData all{FloatMatrix(rows + tests, 2), {}, {"y"}};
    for (float& x : all.values.values) x = static_cast<float>(random.normal());
    for (std::size_t i = 0; i < rows + tests; ++i) {
      const double x{all.values.values[2 * i]}, z{all.values.values[2 * i + 1]};
      // Noise that is not normal: jackknife+ asks for nothing.
      all.targets.push_back(std::sin(2 * x) + z * z - std::log(1 - random.uniform()));
    }
    NumberData data{FloatMatrix(rows, 2), {}, {"y"}};
    std::copy_n(all.values.values.begin(), 2 * rows, data.values.values.begin());
    data.targets.assign(all.targets.begin(),
                        all.targets.begin() + static_cast<std::ptrdiff_t>(rows));
    const Fitted fitted = fit(data, parameters, rbf(0.3));
    TestContext context;
    FloatMatrix out(rows + tests, 3);
    fitted.solver->apply(all.values.view(), out.view(), context);
    for (std::size_t i = rows; i < rows + tests; ++i)
      covered += double{out.values[3 * i]} <= all.targets[i] &&
                 all.targets[i] <= double{out.values[3 * i + 2]};
  }
  return covered / static_cast<double>(sets * tests);
}

TEST_CASE("kernel intervals: jackknife+ covers what it promises") {
  for (const std::size_t rows : {20, 60})
    for (const double coverage : {0.9, 0.7}) {
      CAPTURE(rows);
      CAPTURE(coverage);
      // A penalty of nearly nothing fits each sample: the promise holds even then.
      for (const double penalty : {0.001, 0.5}) {
        CAPTURE(penalty);
        const double found =
            simulated_coverage(jackknife({{"coverage", coverage}, {"penalty", penalty}}), rows);
        CHECK(found >= 1 - 2 * (1 - coverage));
        CHECK(std::abs(found - coverage) < 0.04);
      }
    }
}

TEST_CASE("kernel intervals: too few samples have infinite intervals around the estimate") {
  const NumberData data = linear_numbers(8, 3, 1);
  const Parameters parameters = jackknife({{"coverage", 0.9}});
  const Fitted fitted = fit(data, parameters, rbf(0.2));
  REQUIRE(fitted.warnings.size() == 1);
  CHECK(fitted.warnings[0].find("8 training rows are too few for this 'coverage'") !=
        std::string::npos);
  const FloatMatrix found = fitted.of(data.values, 1, parameters, rbf(0.2));
  for (std::size_t i = 0; i < 8; ++i) {
    CHECK(std::isinf(found.values[3 * i]));
    CHECK(std::isfinite(found.values[3 * i + 1]));
    CHECK(std::isinf(found.values[3 * i + 2]));
  }
}

TEST_CASE("kernel intervals: what they cannot promise is refused") {
  NumberData data = linear_numbers(20, 3, 1);
  const auto message = [&](const Parameters& parameters, const Parts& parts,
                           const std::vector<std::int32_t>& groups = {}) -> std::string {
    try {
      fit(data, parameters, parts, groups);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  const Parts scale = {{"kernel", part("similarity/rbf", {{"gamma", std::string("scale")}})}},
              linear = {{"kernel", part("similarity/linear", {})}};
  CHECK(message(jackknife({}), scale)
            .starts_with("'method: jackknife_plus' leaves out each sample, but the"));
  CHECK(message(gaussian({}), scale).empty());
  CHECK(message(jackknife({}), linear).empty());
  CHECK(message(gaussian({}), linear).starts_with("'method: gaussian' needs a kernel that is"));
  CHECK(message(gaussian({{"penalty", 1e-9}}), rbf(0.2))
            .starts_with("'penalty' is too small for intervals"));
  CHECK(message(jackknife({{"choose_by", std::string("likelihood")}}), rbf(0.2)) ==
        "'choose_by: likelihood' is that of a Gaussian process; use it with method: gaussian");
  const std::string alike =
      "'method: jackknife_plus' counts all samples alike, but they have weights or groups; use "
      "calibrator/conformal_intervals after solver/kernel_ridge";
  CHECK(message(jackknife({}), rbf(0.2), std::vector<std::int32_t>(20, 1)) == alike);
  data.weights.assign(20, 2);
  CHECK(message(jackknife({}), rbf(0.2)).empty());
  data.weights[3] = 1;
  CHECK(message(jackknife({}), rbf(0.2)) == alike);
  CHECK(message(gaussian({}), rbf(0.2)).empty());
  data = linear_numbers(1, 3, 1);
  CHECK(message(gaussian({}), rbf(0.2)) ==
        "one sample, or weights whose sum is at most 1, give a Gaussian process no variance; give "
        "more rows");
}

}  // namespace
}  // namespace semblance::kernel::kernel_intervals_test
