// SPDX-License-Identifier: MIT
// What 'converged' promises, by kernel values in double: that no machine's objective is smaller by
// more than the tolerance, as a share of it.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "function_testing.hpp"
#include "semblance/decision_values.hpp"
#include "semblance/novelty_detector.hpp"
#include "semblance/regressor.hpp"

namespace certificate_test {

using namespace semblance;
using namespace semblance::kernel::testing;

namespace {

/// A loss C max(0, y (p - f)) of the sample with this number.
struct Loss {
  std::size_t sample;
  double y, p, cost;
};

/// min 1/2 |w|^2 + sum * bias + losses, w = sum_i b_i phi(x_i), with K in double.
struct PlainProblem {
  std::vector<double> b;
  std::vector<std::vector<double>> k;
  std::vector<Loss> losses;
  double sum = 0;
  double dual_linear = 0;  // p'b

  std::vector<double> functions() const {
    std::vector<double> f(b.size());
    for (std::size_t i = 0; i < b.size(); ++i)
      for (std::size_t j = 0; j < b.size(); ++j) f[i] += b[j] * k[i][j];
    return f;
  }
  double squared_norm() const {
    const std::vector<double> f = functions();
    return std::inner_product(b.begin(), b.end(), f.begin(), 0.0);
  }
  double objective(const std::vector<double>& f, double t, double bias) const {
    double value = t * t * squared_norm() / 2 + sum * bias;
    for (const Loss& loss : losses)
      value += loss.cost * std::max(0.0, loss.y * (loss.p - t * f[loss.sample] - bias));
    return value;
  }
  /// The objective is convex and piecewise linear in the bias.
  double least(const std::vector<double>& f, double t) const {
    double least = std::numeric_limits<double>::infinity();
    for (const Loss& loss : losses)
      if (loss.cost > 0) least = std::min(least, objective(f, t, loss.p - t * f[loss.sample]));
    return least;
  }
  /// The gap of the best factor of w.
  double relative_gap() const {
    const std::vector<double> f = functions();
    double low = 0, high = 4;
    for (int step = 0; step < 100; ++step) {
      const double a = low + (high - low) / 3, c = high - (high - low) / 3;
      (least(f, a) < least(f, c) ? high : low) = least(f, a) < least(f, c) ? c : a;
    }
    const double primal = std::min(least(f, 1), least(f, (low + high) / 2));
    const double dual = squared_norm() / 2 - dual_linear;
    return (primal + dual) / std::max(std::abs(primal), std::abs(dual));
  }
};

template <class Machine>
PlainProblem problem_of(const Machine& machine, const FloatMatrix& values,
                        const PlainKernel& kernel) {
  const auto& sums = dynamic_cast<const DecisionValues&>(machine);
  const auto rows = dynamic_cast<const DecisionValues&>(machine).vector_rows();
  PlainProblem made;
  made.b.resize(values.rows);
  const std::vector<double> coefficients = sums.sum_coefficients(0);
  for (std::size_t v = 0; v < rows.size(); ++v) made.b[rows[v]] = coefficients[v];
  for (std::size_t i = 0; i < values.rows; ++i) {
    made.k.emplace_back();
    for (std::size_t j = 0; j < values.rows; ++j)
      made.k.back().push_back(kernel_value(kernel, values, i, values, j));
  }
  return made;
}

LabelledRows hard_rows(std::size_t rows, std::uint64_t seed, double scale) {
  Random random(seed);
  LabelledRows data{FloatMatrix(rows, 2), {}, {"a", "b"}, {}};
  for (float& x : data.values.values) x = static_cast<float>(scale * random.normal());
  for (std::size_t i = 0; i < rows; ++i)
    data.labels.push_back(static_cast<std::int32_t>(i < 2 ? i : random.below(2)));
  return data;
}

/// The reported gap is that of a machine: not below the best one's; the best one only where it must
/// be.
void check_reported(double reported, double gap) {
  CHECK(gap <= reported * 1.001 + 1e-8);
  if (reported > 1e-3) CHECK(gap == doctest::Approx(reported).epsilon(0.02));
}

/// The certificate and the gap of a machine for two classes, whose second class weighs `weight`.
struct Found {
  std::string certificate;
  double reported, violation, gap, objective, plain_objective;
};

Found classes(const LabelledRows& data, const NamedKernel& kernel, double cost, double weight) {
  TestContext context;
  const auto svm = kernel_svm(kernel.id,
                              {{"C", cost},
                               {"max_iterations", std::int64_t{1'000'000}},
                               {"class_weights", NamedValues{{"b", weight}}}},
                              kernel.parameters);
  const MemoryReport report = train(*svm, data, context);
  PlainProblem plain = problem_of(*svm, data.values, kernel.plain);
  for (std::size_t i = 0; i < data.values.rows; ++i) {
    const double y = data.labels[i] == 0 ? 1 : -1;
    plain.losses.push_back({i, y, y, cost * (data.labels[i] == 1 ? weight : 1)});
    plain.dual_linear += y * plain.b[i];
  }
  return {report.texts.at("certificate"), report.numbers.at("duality_gap"),
          report.numbers.at("violation"), plain.relative_gap(),
          report.numbers.at("objective"), plain.squared_norm() / 2 - plain.dual_linear};
}

}  // namespace

TEST_CASE("converged: classes, with any C and class weight") {
  std::size_t converged = 0, all = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed)
    for (const double cost : {1e-3, 1.0, 100.0, 1e4})
      for (const double weight : {1e-3, 1.0, 1000.0})
        for (const NamedKernel& kernel : named_kernels()) {
          CAPTURE(seed);
          CAPTURE(cost);
          CAPTURE(weight);
          CAPTURE(std::string(kernel.id));
          const LabelledRows data = hard_rows(4 + seed % 6, seed, 1);
          const Found found = classes(data, kernel, cost, weight);
          ++all;
          converged += found.certificate == "converged";
          check_reported(found.reported, found.gap);
          CHECK(found.objective == doctest::Approx(found.plain_objective).epsilon(1e-6));
          if (found.certificate == "converged")
            CHECK(found.gap < 1.01e-3);
          else
            CHECK((found.reported > 1e-3 || found.violation >= 1e-3));
        }
  CHECK(converged > 0.95 * static_cast<double>(all));
}

TEST_CASE("converged: more rows than are solved in double, in classes that are apart") {
  const LabelledRows data = overlapping_clouds(3000, 100, 3, 6, 7);
  for (const double cost : {1.0, 100.0, 1e4, 1e6}) {
    CAPTURE(cost);
    TestContext context;
    const auto svm = kernel_svm("similarity/polynomial", {{"C", cost}},
                                {{"scale", 1e-3}, {"degree", std::int64_t{3}}});
    const MemoryReport report = train(*svm, data, context);
    CHECK(report.texts.at("certificate") == "converged");
    CHECK(report.numbers.at("duality_gap") <= 1e-3);
  }
}

TEST_CASE("converged: rows whose differences float32 kernel values lose") {
  const NamedKernel gaussian = {"similarity/rbf", {{"gamma", 0.001}}, [](auto a, auto b) {
                                  return gaussian_similarity(a, b, 0.001);
                                }};
  for (const double cost : {1e3, 1e4}) {
    const Found found = classes(hard_rows(60, 5, 1), gaussian, cost, 1);
    CAPTURE(cost);
    CAPTURE(found.certificate);
    check_reported(found.reported, found.gap);
    CHECK((found.certificate == "converged") == (found.reported <= 1e-3));
  }
}

TEST_CASE("converged: a function whose errors cost as much as their C") {
  for (const double cost : {0.1, 100.0, 1e5}) {
    TestContext context;
    const NamedKernel kernel = named_kernels()[0];
    const Sampled data = bumpy(40, 2);
    const auto machine = machine_of<Regressor>("solver/kernel_svr", kernel.id,
                                               {{"C", cost}, {"epsilon", 0.1}}, kernel.parameters);
    const MemoryReport report = train(*machine, data, context);
    PlainProblem plain = problem_of(*machine, data.values, kernel.plain);
    for (std::size_t i = 0; i < data.rows(); ++i)
      for (const double y : {1.0, -1.0})
        plain.losses.push_back({i, y, data.targets[i] - y * 0.1, cost});
    for (std::size_t i = 0; i < data.rows(); ++i)
      plain.dual_linear += data.targets[i] * plain.b[i] - 0.1 * std::abs(plain.b[i]);
    CAPTURE(cost);
    check_reported(report.numbers.at("duality_gap"), plain.relative_gap());
    CHECK((report.texts.at("certificate") == "converged") ==
          (report.numbers.at("duality_gap") <= 1e-3));
  }
}

TEST_CASE("converged: a novelty detector of nearly no or nearly all novel rows") {
  for (const double nu : {0.001, 0.05, 0.5, 0.9}) {
    TestContext context;
    const NamedKernel kernel = named_kernels()[0];
    for (const std::size_t rows : {3U, 30U}) {
      Sampled data = bumpy(rows, 2);
      data.targets.clear();
      const auto machine = machine_of<NoveltyDetector>("solver/one_class_svm", kernel.id,
                                                       {{"nu", nu}}, kernel.parameters);
      const MemoryReport report = train(*machine, data, context);
      PlainProblem plain = problem_of(*machine, data.values, kernel.plain);
      for (std::size_t i = 0; i < rows; ++i) plain.losses.push_back({i, 1, 0, 1});
      plain.sum = nu * static_cast<double>(rows);
      CAPTURE(nu);
      CAPTURE(rows);
      CHECK(report.texts.at("certificate") == "converged");
      CHECK(plain.relative_gap() < 1.01e-3);
      check_reported(report.numbers.at("duality_gap"), plain.relative_gap());
    }
  }
}

}  // namespace certificate_test
