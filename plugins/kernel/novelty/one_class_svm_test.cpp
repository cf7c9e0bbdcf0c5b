// SPDX-License-Identifier: MIT
// Compares the machine with LIBSVM's one-class SVM, on kernel matrices computed here in double.
#include <doctest/doctest.h>

#include <algorithm>
#include <limits>

#include "convergence_testing.hpp"
#include "function_testing.hpp"
#include "novelty/novelty_machine.hpp"
#include "semblance/novelty_detector.hpp"

namespace one_class_svm_test {

using namespace semblance;
using namespace semblance::kernel::testing;

namespace {

std::unique_ptr<NoveltyDetector> one_class(const NamedKernel& kernel,
                                           const Parameters& parameters) {
  return machine_of<NoveltyDetector>("solver/one_class_svm", kernel.id, parameters,
                                     kernel.parameters);
}

/// Samples without targets about a point that is not 0.
Sampled cloud(std::size_t rows, std::size_t cols, double centre = 1, std::uint64_t seed = 1) {
  Random random(seed);
  Sampled data{FloatMatrix(rows, cols)};
  for (float& x : data.values.values) x = static_cast<float>(centre + random.normal());
  return data;
}

void check_against_oracle(const Sampled& data, const NamedKernel& kernel, double nu,
                          double of_objective = 1e-6) {
  INFO(std::string(kernel.id));
  CAPTURE(nu);
  TestContext context;
  const auto machine = one_class(kernel, {{"nu", nu}, {"tolerance", 1e-5}});
  const MemoryReport report = train(*machine, data, context);
  CHECK(report.texts.at("certificate") == "converged");
  CHECK(report.numbers.at("violation") < 1e-5);
  CHECK(report.numbers.at("check_violation") < 1e-2);
  const Sampled plain = data.weights.empty() ? data : repeated(data);
  const auto k = [&](std::size_t i, std::size_t j) {
    return kernel_value(kernel.plain, plain.values, i, plain.values, j);
  };
  svm_parameter parameter{};
  parameter.svm_type = ONE_CLASS;
  parameter.nu = nu;
  double scale = 0;
  for (std::size_t i = 0; i < plain.rows(); ++i)
    scale += k(i, i) / static_cast<double>(plain.rows());
  parameter.eps = 1e-6 * scale;
  const OracleSolution oracle = libsvm_solution(parameter, std::vector<double>(plain.rows(), 1), k);
  double objective = 0;
  for (std::size_t i = 0; i < plain.rows(); ++i)
    for (std::size_t j = 0; j < plain.rows(); ++j)
      objective += oracle.coefficients[i] * oracle.coefficients[j] * k(i, j) / 2;
  CHECK(report.numbers.at("objective") ==
        doctest::Approx(objective).epsilon(of_objective).scale(0));
  const std::vector<float> found = outputs(*machine, data.values);
  const bool bounded = std::isfinite(oracle.rho);  // not with nu = 1
  double worst = 0, most = 0;
  for (std::size_t i = 0; i < data.rows() && bounded; ++i) {
    const double expected = oracle.value(
        [&](std::size_t j) { return kernel_value(kernel.plain, plain.values, j, data.values, i); });
    worst = std::max(worst, std::abs(found[i] - expected));
    most = std::max(most, std::abs(expected));
    if (std::abs(expected) > 1e-3 * scale) CHECK((found[i] >= 0) == (expected >= 0));
  }
  CHECK(worst <= 1e-4 * std::max(most, scale));
}

}  // namespace

TEST_CASE("one-class machines: objectives and decisions are LIBSVM's") {
  for (const NamedKernel& kernel : named_kernels())
    for (const std::size_t rows : {40U, 300U})
      for (const double nu : {0.1, 0.3, 0.77}) check_against_oracle(cloud(rows, 3, 2), kernel, nu);
}

TEST_CASE("one-class machines report the violation on its way to the tolerance") {
  TestContext context;
  const auto machine = one_class(named_kernels()[0], {{"nu", 0.5}});
  const MemoryReport report = train(*machine, cloud(3000, 3), context);
  common::testing::check_convergence(report, "working_set", 1e-3, report.numbers.at("violation"));
}

TEST_CASE("one-class machines say that no plane separates rows around 0") {
  TestContext context;
  const auto machine =
      one_class(named_kernels()[1], {{"nu", 0.05}, {"max_iterations", std::int64_t{200000}}});
  const MemoryReport report = train(*machine, cloud(200, 3, 0), context);
  CHECK(report.texts.at("certificate") == "iteration limit");
  CHECK(report.texts.at("remedy").find("no plane separates them from it; use solver/svdd") !=
        std::string::npos);
}

TEST_CASE("one-class machines: weights are repetitions") {
  for (const NamedKernel& kernel : named_kernels()) {
    Sampled data = cloud(120, 3, 2);
    for (std::size_t i = 0; i < 120; ++i)
      data.weights.push_back(static_cast<double>(i * 7 % 11 % 4));
    check_against_oracle(data, kernel, 0.21);
  }
}

TEST_CASE("one-class machines: rows may be doubled, shifted and tiny") {
  Sampled doubled = cloud(100, 2);
  for (std::size_t i = 0; i < 200; ++i) {
    float& x = doubled.values.values[i];
    x = std::round(x);
  }
  check_against_oracle(doubled, named_kernels()[0], 0.2);
  check_against_oracle(cloud(150, 3, 50), named_kernels()[0], 0.2, 1e-5);
  check_against_oracle(cloud(150, 3, 50), named_kernels()[1], 0.2, 1e-5);
  Sampled tiny = cloud(150, 3);
  for (float& x : tiny.values.values) x *= 1e-3F;
  check_against_oracle(tiny, named_kernels()[1], 0.2, 1e-5);
}

TEST_CASE("one-class machines: nu bounds the novel training rows") {
  const Sampled data = cloud(400, 2);
  TestContext context;
  for (const double nu : {0.01, 0.1, 0.5, 1.0}) {
    const auto machine = one_class(named_kernels()[0], {{"nu", nu}, {"tolerance", 1e-6}});
    const MemoryReport report = train(*machine, data, context);
    CHECK(report.texts.at("certificate") == "converged");
    const std::vector<float> found = outputs(*machine, data.values);
    const auto novel = std::ranges::count_if(found, [](float score) { return score < 0; });
    CHECK(static_cast<double>(novel) <= nu * 400);
    CHECK(static_cast<double>(report.integers.at("support_vectors")) >= nu * 400);
    CHECK(std::ranges::all_of(found, [](float score) { return std::isfinite(score); }));
    CHECK(std::ranges::any_of(found, [](float score) { return score >= 0; }));
  }
  const auto alone = one_class(named_kernels()[0], {});
  CHECK(train(*alone, cloud(1, 2), context).texts.at("certificate") == "converged");
  CHECK(outputs(*alone, cloud(1, 2).values)[0] == 0);
}

namespace {

/// The weight of the rows with a negative score, as a share of all.
double novel_share(const std::vector<float>& scores, const std::vector<double>& weights) {
  double novel = 0, total = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const double weight = weights.empty() ? 1 : weights[i];
    total += weight;
    if (scores[i] < 0) novel += weight;
  }
  return novel / total;
}

void check_share(const char* id, const NamedKernel& kernel, const Sampled& data, double nu,
                 double tolerance) {
  INFO(std::string(id));
  INFO(std::string(kernel.id));
  CAPTURE(nu);
  CAPTURE(tolerance);
  TestContext context;
  const auto machine = machine_of<NoveltyDetector>(
      id, kernel.id,
      {{"nu", nu}, {"tolerance", tolerance}, {"max_iterations", std::int64_t{200000}}},
      kernel.parameters);
  train(*machine, data, context);
  CHECK(novel_share(outputs(*machine, data.values), data.weights) <= nu * (1 + 1e-9));
}

/// Three rows, each 20 times.
Sampled three_rows() {
  const float rows[3][2] = {{0.5F, 2}, {3, 1.25F}, {1.7F, 0.3F}};
  Sampled data{FloatMatrix(60, 2)};
  for (std::size_t i = 0; i < 60; ++i)
    for (std::size_t j = 0; j < 2; ++j) data.values.view().row(i)[j] = rows[i % 3][j];
  return data;
}

}  // namespace

TEST_CASE("nu bounds the novel training rows whatever the tolerance, also with copies of rows") {
  Sampled weighted = cloud(300, 3);
  for (std::size_t i = 0; i < 300; ++i)
    weighted.weights.push_back(static_cast<double>(i % 5) * 0.7);
  for (const char* id : {"solver/one_class_svm", "solver/svdd"})
    for (const NamedKernel& kernel : named_kernels())
      for (const double tolerance : {1e-6, 1e-3, 0.05, 0.9}) {
        for (const double nu : {0.001, 0.005, 0.01, 0.05})
          check_share(id, kernel, cloud(250, 3, 2), nu, tolerance);
        for (const double nu : {0.05, 0.4, 0.7}) {
          check_share(id, kernel, three_rows(), nu, tolerance);
          check_share(id, kernel, weighted, nu, tolerance);
        }
      }
}

TEST_CASE("rows within the tolerance of the plane are usual") {
  TestContext context;
  const Sampled data = cloud(500, 3, 2);
  const auto exact = one_class(named_kernels()[0], {{"nu", 0.1}, {"tolerance", 1e-8}});
  const MemoryReport best = train(*exact, data, context);
  const std::vector<float> expected = outputs(*exact, data.values);
  const auto machine = one_class(named_kernels()[0], {{"nu", 0.1}});
  const MemoryReport report = train(*machine, data, context);
  CHECK(best.numbers.at("threshold") - report.numbers.at("threshold") < 2e-3);
  const std::vector<float> found = outputs(*machine, data.values);
  std::size_t novel = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (expected[i] > -1e-4F) CHECK(found[i] >= 0);
    if (expected[i] < -3e-3F) CHECK(found[i] < 0);
    novel += found[i] < 0 ? 1 : 0;
  }
  CHECK(novel > 30);
}

TEST_CASE("the threshold moves by as little as tolerance and nu take") {
  const std::vector<double> scores = {-0.5, -0.01, -0.002, 0, 1, 2, 3, 4, 5, 6};
  const std::vector<double> weights(10, 1);
  CHECK(kernel::threshold_shift(scores, weights, 0, 0.3) == 0);
  CHECK(kernel::threshold_shift(scores, weights, 0.005, 0.3) == 0.002);
  CHECK(kernel::threshold_shift(scores, weights, 0, 0.2) == 0.002);
  CHECK(kernel::threshold_shift(scores, weights, 0.05, 0.1) == 0.01);
  CHECK(kernel::threshold_shift(scores, weights, 0, 0.05) == 0.5);
  const std::vector<double> light = {0, 1, 1, 1, 1, 1, 1, 1, 1, 1},
                            heavy = {0, 8, 1, 1, 1, 1, 1, 1, 1, 1};
  CHECK(kernel::threshold_shift(scores, light, 1, 0.05) == 0.01);
  CHECK(kernel::threshold_shift(scores, heavy, 0, 0.6) == 0);
}

TEST_CASE("a large gap is not called converged, and no remedy names the kernel that is used") {
  TestContext context;
  for (const double gamma : {0.3, 30.0})
    for (const double nu : {0.001, 0.05})
      for (const double tolerance : {1e-3, 0.9}) {
        const NamedKernel kernel{"similarity/rbf", {{"gamma", gamma}}, {}};
        const auto machine = one_class(kernel, {{"nu", nu}, {"tolerance", tolerance}});
        const MemoryReport report = train(*machine, cloud(500, 3, 0), context);
        if (report.texts.at("certificate") == "converged")
          CHECK(report.numbers.at("duality_gap") <= 0.01);
        const auto remedy = report.texts.find("remedy");
        if (remedy != report.texts.end()) CHECK(remedy->second.find("rbf") == std::string::npos);
      }
}

TEST_CASE("one-class machines learn from one class if told so") {
  const Sampled usual = cloud(150, 3), other = cloud(100, 3, -2, 5);
  FloatMatrix both(250, 3);
  std::vector<std::int32_t> labels;
  for (std::size_t i = 0; i < 250; ++i) {
    const bool is_usual = i % 5 < 3;
    const FloatMatrix& from = is_usual ? usual.values : other.values;
    const std::size_t row = is_usual ? i / 5 * 3 + i % 5 : i / 5 * 2 + i % 5 - 3;
    copy_rows(from.view().rows_range(row, 1), both.view().rows_range(i, 1));
    labels.push_back(is_usual ? 1 : 0);
  }
  const std::vector<std::string> classes = {"broken", "sound"};
  const auto trained = [&](const Parameters& parameters,
                           const NamedKernel& kernel = named_kernels()[0]) {
    auto machine = one_class(kernel, parameters);
    const MemoryRows rows(both);
    TestContext context;
    MemoryReport report;
    machine->bind(Layout::vector(3));
    machine->train({rows, Layout::vector(3), labels, classes}, report, context);
    return machine;
  };
  TestContext context;
  const auto expected = one_class(named_kernels()[0], {});
  train(*expected, usual, context);
  CHECK(outputs(*trained({{"normal", std::string("sound")}}), both) == outputs(*expected, both));
  CHECK(outputs(*trained({}), both) != outputs(*expected, both));
  NamedKernel learning = named_kernels()[0];
  REQUIRE(std::string(learning.id) == "similarity/rbf");
  learning.parameters = {};
  const auto of_usual = one_class(learning, {});
  train(*of_usual, usual, context);
  CHECK(outputs(*trained({{"normal", std::string("sound")}}, learning), both) ==
        outputs(*of_usual, both));
  const auto message = [&](const Parameters& parameters) {
    try {
      trained(parameters);
    } catch (const Error& problem) {
      return std::string(problem.what());
    }
    return std::string();
  };
  CHECK(message({{"normal", std::string("sond")}}) ==
        "'normal' names the class 'sond', but the classes are 'broken', 'sound'");
  labels.assign(250, 0);
  CHECK(message({{"normal", std::string("sound")}}) ==
        "class 'sound' has no training rows, so there is nothing to learn from");
}

TEST_CASE("one-class machines: the bits depend neither on threads nor on memory, and are saved") {
  const Sampled data = cloud(900, 4);
  std::string expected;
  for (const std::size_t threads : {1, 3})
    for (const std::size_t kibibytes : {1 << 20, 2500, 1300}) {
      TestContext context(threads);
      context.budget = kibibytes << 10;
      const auto machine = one_class(named_kernels()[0], {});
      CHECK(train(*machine, data, context).texts.at("certificate") == "converged");
      if (expected.empty()) expected = saved_bits(*machine);
      CHECK(saved_bits(*machine) == expected);
    }
  TestContext context;
  for (const NamedKernel& kernel : named_kernels()) {
    const auto machine = one_class(kernel, {}), loaded = one_class(kernel, {});
    train(*machine, cloud(100, 3), context);
    MemoryState state;
    machine->save(state);
    loaded->bind(Layout::vector(3));
    loaded->load(state, context);
    CHECK(loaded->bind(Layout::vector(3)) == Layout::vector(1));
    CHECK(outputs(*loaded, cloud(50, 3, 1, 9).values) ==
          outputs(*machine, cloud(50, 3, 1, 9).values));
  }
}

TEST_CASE("one-class machines: a stop request leaves a model and says so") {
  TestContext context;
  context.stop = StopReason::cancelled;
  const auto machine = one_class(named_kernels()[0], {});
  CHECK(train(*machine, cloud(200, 3), context).texts.at("certificate") == "cancelled");
  CHECK(outputs(*machine, cloud(200, 3).values).size() == 200);
}

}  // namespace one_class_svm_test
