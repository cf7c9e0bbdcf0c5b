// SPDX-License-Identifier: MIT
// Compares the machine with LIBSVM's epsilon-SVR, on kernel matrices computed here in double.
#include <doctest/doctest.h>

#include <algorithm>
#include <limits>

#include "convergence_testing.hpp"
#include "function_testing.hpp"
#include "semblance/regressor.hpp"

namespace kernel_svr_test {

using namespace semblance;
using namespace semblance::kernel::testing;

namespace {

std::unique_ptr<Regressor> svr(const NamedKernel& kernel, const Parameters& parameters) {
  return machine_of<Regressor>("solver/kernel_svr", kernel.id, parameters, kernel.parameters);
}

std::unique_ptr<Regressor> gaussian_svr(const Parameters& parameters) {
  return svr(named_kernels()[0], parameters);
}

/// LIBSVM's machine, whose objective is computed from its coefficients: the library prints six
/// decimals.
OracleSolution oracle_of(const Sampled& data, const PlainKernel& kernel, double cost,
                         double epsilon, double eps) {
  svm_parameter parameter{};
  parameter.svm_type = EPSILON_SVR;
  parameter.C = cost;
  parameter.p = epsilon;
  parameter.eps = eps;
  const auto k = [&](std::size_t i, std::size_t j) {
    return kernel_value(kernel, data.values, i, data.values, j);
  };
  OracleSolution found = libsvm_solution(parameter, data.targets, k);
  found.objective = 0;
  for (std::size_t i = 0; i < data.rows(); ++i) {
    const double b = found.coefficients[i];
    if (b == 0) continue;
    const double f = found.value([&](std::size_t j) { return k(i, j); }) + found.rho;
    found.objective += b * f / 2 - data.targets[i] * b + epsilon * std::abs(b);
  }
  return found;
}

/// The mean absolute deviation of the targets from their mean: the scale of their errors.
double deviation(const Sampled& data) {
  double mean = 0, sum = 0;
  const auto n = static_cast<double>(data.targets.size());
  for (const double y : data.targets) mean += y / n;
  for (const double y : data.targets) sum += std::abs(y - mean) / n;
  return sum;
}

/// Checks the machine of weighted or plain rows.
void check_against_oracle(const Sampled& data, const NamedKernel& kernel, double cost,
                          double epsilon, double of_objective = 1e-6, double of_values = 2e-4) {
  INFO(std::string(kernel.id));
  CAPTURE(cost);
  CAPTURE(epsilon);
  TestContext context;
  const auto machine = svr(kernel, {{"C", cost}, {"epsilon", epsilon}, {"tolerance", 1e-7}});
  const MemoryReport report = train(*machine, data, context);
  CHECK(report.texts.at("certificate") == "converged");
  CHECK(report.numbers.at("violation") < 1e-7);
  CHECK(report.numbers.at("check_violation") < 1e-3);
  const double scale = deviation(data);
  const Sampled plain = data.weights.empty() ? data : repeated(data);
  const OracleSolution oracle = oracle_of(plain, kernel.plain, cost, epsilon, 1e-7 * scale);
  CHECK(report.numbers.at("objective") ==
        doctest::Approx(oracle.objective).epsilon(of_objective).scale(0));
  const std::vector<float> found = outputs(*machine, data.values);
  double worst = 0;
  for (std::size_t i = 0; i < data.rows(); ++i) {
    const double expected = oracle.value(
        [&](std::size_t j) { return kernel_value(kernel.plain, plain.values, j, data.values, i); });
    worst = std::max(worst, std::abs(found[i] - expected) -
                                std::numeric_limits<float>::epsilon() * std::abs(expected));
  }
  CHECK(worst < of_values * scale);
}

}  // namespace

TEST_CASE("objectives and estimates are LIBSVM's") {
  for (const NamedKernel& kernel : named_kernels())
    for (const std::size_t rows : {60U, 300U})
      for (const auto& [cost, epsilon] : {std::pair{1.0, 0.1}, {0.05, 0.5}, {10.0, 0.01}})
        // With float32 kernel values, in the library too, sums of large coefficients are less
        // exact.
        check_against_oracle(bumpy(rows, 3), kernel, cost, epsilon, cost > 1 ? 5e-6 : 1e-6);
}

TEST_CASE("a regression reports the violation on its way to the tolerance") {
  TestContext context;
  const auto machine = gaussian_svr({{"C", 10.0}});
  const MemoryReport report = train(*machine, bumpy(1500, 3), context);
  common::testing::check_convergence(report, "working_set", 1e-3, report.numbers.at("violation"));
}

TEST_CASE("an epsilon of 0 is the absolute loss") {
  check_against_oracle(bumpy(200, 3), named_kernels()[0], 1, 0);
}

TEST_CASE("targets may be as they come") {
  for (const auto& [factor, offset] : {std::pair{1.0, 2000.0},
                                       {1e5, 5e5},
                                       {1e-8, 0.0},
                                       {1e-8, 1.0},
                                       {1e-30, 0.0},
                                       {1e30, -1e31}}) {
    CAPTURE(factor);
    CAPTURE(offset);
    Sampled data = bumpy(200, 3);
    for (double& y : data.targets) y = factor * y + offset;
    // LIBSVM does not centre: where the offset takes its digits, the shifted targets are compared.
    Sampled centred = data;
    const double middle = offset;
    for (double& y : centred.targets) y -= middle;
    TestContext context;
    const auto machine =
        gaussian_svr({{"C", factor}, {"epsilon", 0.1 * factor}, {"tolerance", 1e-7}});
    const MemoryReport report = train(*machine, data, context);
    CHECK(report.texts.at("certificate") == "converged");
    const OracleSolution oracle = oracle_of(centred, named_kernels()[0].plain, factor, 0.1 * factor,
                                            1e-6 * deviation(centred));
    CHECK(report.numbers.at("objective") ==
          doctest::Approx(oracle.objective).epsilon(2e-6).scale(0));
    const double bias = report.tables.at("problems").values.at(4);
    CHECK(std::abs(bias - middle + oracle.rho) < 2e-4 * deviation(centred));
  }
}

TEST_CASE("a power of two on the targets changes exponents only") {
  const Sampled data = bumpy(150, 3);
  TestContext context;
  const auto one = gaussian_svr({{"C", 2.0}, {"epsilon", 0.125}});
  const double objective = train(*one, data, context).numbers.at("objective");
  const std::vector<float> expected = outputs(*one, data.values);
  for (const int exponent : {-40, 3, 60}) {
    const double factor = std::exp2(exponent);
    Sampled other = data;
    for (double& y : other.targets) y *= factor;
    const auto machine = gaussian_svr({{"C", 2 * factor}, {"epsilon", 0.125 * factor}});
    CHECK(train(*machine, other, context).numbers.at("objective") == objective * factor * factor);
    const std::vector<float> found = outputs(*machine, data.values);
    for (std::size_t i = 0; i < found.size(); ++i)
      REQUIRE(found[i] == std::ldexp(expected[i], exponent));
  }
}

TEST_CASE("relative C and epsilon are multiples of the mean absolute deviation") {
  const NamedKernel kernel = named_kernels()[0];
  for (const double factor : {1.0, 3e9, 2e-7}) {
    CAPTURE(factor);
    Sampled data = bumpy(151, 3);
    for (double& y : data.targets) y = 5 + factor * y;
    std::vector<double> sorted = data.targets;
    std::ranges::sort(sorted);
    double unit = 0;
    for (const double y : data.targets) unit += std::abs(y - sorted[75]) / 151;
    const Parameters relative = {{"C", 2.0}, {"epsilon", 0.1}, {"relative", true}},
                     given = {{"C", 2 * unit}, {"epsilon", 0.1 * unit}};
    TestContext context;
    const auto one = svr(kernel, relative), other = svr(kernel, given);
    const MemoryReport a = train(*one, data, context), b = train(*other, data, context);
    CHECK(a.texts.at("certificate") == "converged");
    CHECK(a.numbers.at("check_violation") < 1e-2);
    CHECK(a.numbers.at("objective") == doctest::Approx(b.numbers.at("objective")).epsilon(1e-9));
    const auto x = outputs(*one, data.values), y = outputs(*other, data.values);
    for (std::size_t i = 0; i < x.size(); ++i) CHECK(std::abs(x[i] - y[i]) < 1e-3 * unit);
  }
}

TEST_CASE("rows may be shifted, doubled and tied") {
  Sampled data = bumpy(120, 2);
  for (std::size_t i = 0; i < 120; i += 3) {
    data.values.view().row(i)[0] = data.values.view().row(i + 1)[0];
    data.values.view().row(i)[1] = data.values.view().row(i + 1)[1];
    if (i % 2 == 0) data.targets[i] = data.targets[i + 1];
  }
  for (double& y : data.targets) y = std::round(2 * y) / 2;
  for (const NamedKernel& kernel : named_kernels())
    check_against_oracle(data, kernel, 1, 0.25, 2e-6, 1e-3);
  Sampled shifted = bumpy(200, 3);
  for (float& x : shifted.values.values) x += 100;
  check_against_oracle(shifted, named_kernels()[0], 1, 0.1, 1e-4, 3e-2);
}

TEST_CASE("columns may have any scale with a linear kernel") {
  // The function is known by its values at 0 and at the unit vectors.
  Sampled data = bumpy(400, 3);
  const std::vector<float> scales = {100, 1, 0.1F};
  for (std::size_t i = 0; i < 400; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      data.values.view().row(i)[j] = scales[j] * (data.values.view().row(i)[j] + 20);
  TestContext context;
  const auto machine = svr(named_kernels()[1], {{"C", 0.5}, {"epsilon", 0.1}});
  const MemoryReport report = train(*machine, data, context);
  CHECK(report.texts.at("certificate") == "converged");
  CHECK(report.numbers.at("check_violation") < 2e-3);
  FloatMatrix units(4, 3);
  for (std::size_t j = 0; j < 3; ++j) units.view().row(j + 1)[j] = 1000 * scales[j];
  const std::vector<float> at = outputs(*machine, units);
  const std::vector<float> found = outputs(*machine, data.values);
  double primal = 0;
  for (std::size_t j = 0; j < 3; ++j)
    primal += std::pow((double{at[j + 1]} - at[0]) / (1000 * scales[j]), 2) / 2;
  for (std::size_t i = 0; i < 400; ++i)
    primal += 0.5 * std::max(0.0, std::abs(found[i] - data.targets[i]) - 0.1);
  CHECK(primal == doctest::Approx(-report.numbers.at("objective")).epsilon(3e-3));
}

TEST_CASE("weights are repetitions") {
  for (const NamedKernel& kernel : named_kernels()) {
    Sampled data = bumpy(150, 3);
    for (std::size_t i = 0; i < 150; ++i)
      data.weights.push_back(static_cast<double>(i * 7 % 11 % 4));
    check_against_oracle(data, kernel, 0.5, 0.1);
    // A row of weight 0 may be anything.
    Sampled other = data;
    for (std::size_t i = 0; i < 150; ++i)
      if (data.weights[i] == 0) other.targets[i] = 1e9;
    TestContext context;
    const auto a = svr(kernel, {}), b = svr(kernel, {});
    train(*a, data, context);
    train(*b, other, context);
    CHECK(saved_bits(*a) == saved_bits(*b));
  }
}

TEST_CASE("several target numbers are one machine each") {
  Sampled data = bumpy(150, 3), both = data;
  both.targets.clear();
  both.names = {"price", "year"};
  Sampled years = data;
  for (std::size_t i = 0; i < 150; ++i) {
    years.targets[i] = 2000 + 10 * data.values.view().row(i)[1];
    both.targets.push_back(data.targets[i]);
    both.targets.push_back(years.targets[i]);
  }
  TestContext context;
  const auto machine = gaussian_svr({}), first = gaussian_svr({}), second = gaussian_svr({});
  const MemoryReport report = train(*machine, both, context);
  CHECK(machine->bind(Layout::vector(3)) == Layout::vector(2));
  CHECK(report.tables.at("problems").rows == std::vector<std::string>{"price", "year"});
  const double sum = train(*first, data, context).numbers.at("objective") +
                     train(*second, years, context).numbers.at("objective");
  CHECK(report.numbers.at("objective") == sum);
  const std::vector<float> found = outputs(*machine, data.values, 2);
  const std::vector<float> a = outputs(*first, data.values), b = outputs(*second, data.values);
  for (std::size_t i = 0; i < 150; ++i) {
    CHECK(found[2 * i] == doctest::Approx(a[i]).epsilon(1e-6));
    CHECK(found[2 * i + 1] == doctest::Approx(b[i]).epsilon(1e-6));
  }
}

TEST_CASE("targets that need no function have the middle of their range as estimate") {
  TestContext context;
  const auto constant = [&](const Sampled& data, double epsilon, float expected) {
    const auto machine = gaussian_svr({{"epsilon", epsilon}});
    const MemoryReport report = train(*machine, data, context);
    CHECK(report.texts.at("certificate") == "converged");
    CHECK(report.numbers.at("objective") == 0);
    CHECK(report.numbers.at("duality_gap") == 0);
    CHECK(report.integers.at("support_vectors") == 0);
    for (const float y : outputs(*machine, data.values)) REQUIRE(y == expected);
  };
  Sampled data = bumpy(40, 2);
  data.targets.assign(40, 1234.5);
  for (const double epsilon : {0.0, 0.1, 1e6}) constant(data, epsilon, 1234.5F);
  for (std::size_t i = 0; i < 40; ++i) data.targets[i] = 7 + (i % 5 == 0 ? 3 : 0);
  for (const double epsilon : {1.5, 2.0, 1e9, 1e300}) constant(data, epsilon, 8.5F);
  Sampled one = bumpy(1, 2);
  one.targets = {-3};
  constant(one, 0.1, -3);
}

TEST_CASE("the bits depend neither on threads nor on memory, and are saved") {
  const Sampled data = bumpy(900, 4);
  std::string expected;
  for (const std::size_t threads : {1, 2, 5})
    for (const std::size_t kibibytes : {1 << 20, 5000, 2600}) {
      TestContext context(threads);
      context.budget = kibibytes << 10;
      const auto machine = gaussian_svr({{"C", 5.0}});
      CHECK(train(*machine, data, context).texts.at("certificate") == "converged");
      if (expected.empty()) expected = saved_bits(*machine);
      CHECK(saved_bits(*machine) == expected);
    }
  TestContext context;
  for (const NamedKernel& kernel : named_kernels()) {
    const auto machine = svr(kernel, {{"C", 0.5}}), loaded = svr(kernel, {});
    train(*machine, bumpy(100, 3), context);
    MemoryState state;
    machine->save(state);
    CHECK(loaded->bind(Layout::vector(3)) == Layout::vector(0));
    loaded->load(state, context);
    CHECK(loaded->bind(Layout::vector(3)) == Layout::vector(1));
    CHECK(outputs(*loaded, bumpy(50, 3, 2).values) == outputs(*machine, bumpy(50, 3, 2).values));
  }
}

TEST_CASE("too few iterations and stops are reported as such") {
  const Sampled data = bumpy(400, 4);
  TestContext context;
  const auto machine = gaussian_svr({{"max_iterations", std::int64_t{5}}});
  const MemoryReport report = train(*machine, data, context);
  CHECK(report.texts.at("certificate") == "iteration limit");
  CHECK(report.integers.at("iterations") == 5);
  CHECK(report.numbers.at("violation") > 1e-3);
  context.stop = StopReason::deadline;
  const auto stopped = gaussian_svr({});
  CHECK(train(*stopped, data, context).texts.at("certificate") == "deadline");
  CHECK(outputs(*stopped, data.values).size() == 400);
}

TEST_CASE("a target that is missing is named") {
  Sampled data = bumpy(30, 2);
  const auto message = [&] {
    TestContext context;
    try {
      train(*gaussian_svr({}), data, context);
    } catch (const Error& problem) {
      return std::string(problem.what());
    }
    return std::string();
  };
  data.targets[7] = std::nan("");
  CHECK(message() ==
        "training row 7 (counted from 0) has the target 'y' NaN; training needs finite targets");
  data.targets.clear();
  CHECK(message() == "the data have no numbers to predict; name a column as target");
}

}  // namespace kernel_svr_test
