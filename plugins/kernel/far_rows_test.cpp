// SPDX-License-Identifier: MIT
// Kernel machines on raw columns: far from 0, and with very different scales.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "kernel_svm_testing.hpp"
#include "semblance/random.hpp"
#include "semblance/support_vectors.hpp"

namespace semblance::kernel::far_rows_test {
namespace {

using namespace testing;

struct Data {
  FloatMatrix values;
  std::vector<std::int32_t> labels;
  std::vector<std::string> classes = {"a", "b"};
};

/// Two classes that overlap, their values multiples of 1/64: shifted by up to 1e5 they are exact.
Data clouds(std::size_t rows, std::size_t cols, std::uint64_t seed) {
  Random random(seed);
  Data data{FloatMatrix(rows, cols), {}};
  for (std::size_t i = 0; i < rows; ++i) {
    data.labels.push_back(static_cast<std::int32_t>(i % 2));
    for (std::size_t k = 0; k < cols; ++k)
      data.values.view().row(i)[k] = static_cast<float>(
          std::round(64 * (random.normal() + (i % 2 == 0 && k < 2 ? 1.5 : 0))) / 64);
  }
  return data;
}

Data shifted(Data data, float shift, std::size_t cols) {
  for (std::size_t i = 0; i < data.values.rows; ++i)
    for (std::size_t k = 0; k < cols; ++k) data.values.view().row(i)[k] += shift;
  return data;
}

/// The accuracy on the first two classes.
double accuracy(const FloatMatrix& scores, const std::vector<std::int32_t>& labels) {
  std::size_t right = 0;
  for (std::size_t i = 0; i < scores.rows; ++i)
    right += (scores.view().row(i)[0] > 0) == (labels[i] == 0);
  return static_cast<double>(right) / static_cast<double>(scores.rows);
}

double largest_difference(const FloatMatrix& a, const FloatMatrix& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.values.size(); ++i)
    most = std::max(most, std::abs(double{a.values[i]} - double{b.values[i]}));
  return most;
}

TEST_CASE("integers at 3000 are separated as at 0") {
  Data near{FloatMatrix(8, 2), {0, 0, 1, 1, 0, 0, 0, 1}};
  near.values.values = {0, 0, 1, 1, 0, 1, 1, 0, 0, 2, 2, 0, 2, 2, 1, 2};
  const Data far = shifted(near, 3000, 2);
  TestContext context;
  const auto at_0 = kernel_svm("similarity/rbf", {{"C", 10.0}}, {{"gamma", 1.0}}),
             at_3000 = kernel_svm("similarity/rbf", {{"C", 10.0}}, {{"gamma", 1.0}});
  const MemoryReport one = train(*at_0, near, context), other = train(*at_3000, far, context);
  CHECK(one.numbers.at("objective") == doctest::Approx(-11.50).epsilon(1e-3));
  CHECK(other.numbers.at("objective") == one.numbers.at("objective"));
  CHECK(scores(*at_3000, far.values, 2).values == scores(*at_0, near.values, 2).values);
  CHECK(accuracy(scores(*at_3000, far.values, 2), far.labels) == 1);
}

void check_shifts(const KernelMaker& kernel, const Parameters& parameters,
                  const Parameters& of_kernel, double tolerance) {
  const Data near = clouds(300, 6, 1), fresh = clouds(200, 6, 2);
  TestContext context;
  const auto at_0 = kernel_svm(kernel, parameters, of_kernel);
  const MemoryReport expected = train(*at_0, near, context);
  const FloatMatrix wanted = scores(*at_0, fresh.values, 2);
  for (const float shift : {10.0F, 100.0F, 300.0F, 1e3F, 3e3F, 1e4F, 1e5F})
    for (const std::size_t cols : {1u, 6u}) {
      CAPTURE(shift);
      CAPTURE(cols);
      const auto svm = kernel_svm(kernel, parameters, of_kernel);
      const MemoryReport report = train(*svm, shifted(near, shift, cols), context);
      CHECK(report.texts.at("certificate") == "converged");
      CHECK(report.numbers.at("objective") ==
            doctest::Approx(expected.numbers.at("objective")).epsilon(1e-4));
      CHECK(largest_difference(scores(*svm, shifted(fresh, shift, cols).values, 2), wanted) <
            tolerance);
    }
}

TEST_CASE("a Gaussian machine ignores a shift") {
  check_shifts("similarity/rbf", {{"C", 10.0}}, {{"gamma", 0.2}}, 5e-3);
}

TEST_CASE("a linear machine ignores a shift") { check_shifts("similarity/linear", {}, {}, 5e-3); }

TEST_CASE("two clusters far from each other are as exact as one") {
  Data near = clouds(300, 4, 3), far = near;
  for (std::size_t i = 0; i < 300; ++i)
    for (std::size_t k = 0; k < 4; ++k) {
      near.values.view().row(i)[k] += i % 4 < 2 ? 0.0F : 100.0F;
      far.values.view().row(i)[k] += i % 4 < 2 ? 0.0F : 1e4F;
    }
  TestContext context;
  const auto one = kernel_svm("similarity/rbf", {{"C", 10.0}}, {{"gamma", 0.5}}),
             other = kernel_svm("similarity/rbf", {{"C", 10.0}}, {{"gamma", 0.5}});
  train(*one, near, context);
  train(*other, far, context);
  CHECK(largest_difference(scores(*one, near.values, 2), scores(*other, far.values, 2)) < 5e-3);
}

/// Columns like those of measurements on cells: means and deviations from .01 to 1000.
Data raw_columns(std::size_t rows, std::uint64_t seed) {
  Random random(seed);
  Data data = clouds(rows, 12, seed);
  constexpr double scales[] = {4, 4, 24, 350, 0.014, 0.05, 570, 33, 0.01, 45, 0.003, 0.02};
  constexpr double means[] = {14, 19, 92, 655, 0.096, 0.1, 880, 107, 0.05, 40, 0.007, 0.03};
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t k = 0; k < 12; ++k) {
      float& value = data.values.view().row(i)[k];
      value = static_cast<float>(means[k] + scales[k] * double{value});
    }
  return data;
}

TEST_CASE("a linear machine on raw columns is as good as it says, converged or not") {
  const Data data = raw_columns(200, 5);
  TestContext context;
  const auto svm = kernel_svm("similarity/linear", {{"C", 1.0}}, {});
  const MemoryReport report = train(*svm, data, context);
  const double dual = report.numbers.at("objective"), gap = report.numbers.at("duality_gap");
  CHECK((report.texts.at("certificate") == "converged") == (gap < 1e-2));
  // The function itself, in double.
  const SupportVectorMachine machine = dynamic_cast<const SupportVectors&>(*svm).support_vectors();
  std::vector<double> w(12);
  double sum = 0;
  for (std::size_t v = 0; v < machine.vectors(); ++v) {
    sum += machine.coefficients[v];
    for (std::size_t k = machine.starts[v]; k < machine.starts[v + 1]; ++k)
      w[machine.columns[k]] += machine.coefficients[v] * machine.values[k];
  }
  CHECK(std::abs(sum) < 1e-9);
  const FloatMatrix found = scores(*svm, data.values, 2);
  double primal = 0, worst = 0;
  for (const double x : w) primal += x * x / 2;
  for (std::size_t i = 0; i < 200; ++i) {
    double f = -machine.rho[0];
    for (std::size_t k = 0; k < 12; ++k) f += w[k] * double{data.values.view().row(i)[k]};
    worst = std::max(worst, std::abs(f - double{found.view().row(i)[0]}));
    primal += std::max(0.0, 1 - (data.labels[i] == 0 ? f : -f));
  }
  CHECK(worst < 1e-4);
  // The reported gap is this machine's, or the smaller one of a multiple of its function.
  const double own = (primal + dual) / primal;
  CHECK(gap <= own + 1e-6);
  if (own <= 1e-3) CHECK(gap == doctest::Approx(own).epsilon(1e-3));
}

TEST_CASE("far from 0 the bits depend neither on the threads nor on the memory") {
  const Data data = shifted(raw_columns(700, 6), 1000, 3);
  std::vector<float> expected_linear, expected_gaussian;
  for (const std::size_t threads : {1, 2, 5}) {
    TestContext context(threads);
    context.budget = threads == 5 ? std::size_t{3} << 20 : context.budget;
    const auto linear = kernel_svm("similarity/linear", {{"C", 0.001}}, {});
    const auto gaussian = kernel_svm("similarity/rbf", {{"C", 5.0}}, {{"gamma", 1e-3}});
    train(*linear, data, context);
    train(*gaussian, data, context);
    const auto of_linear = scores(*linear, data.values, 2).values,
               of_gaussian = scores(*gaussian, data.values, 2).values;
    if (expected_linear.empty()) expected_linear = of_linear;
    if (expected_gaussian.empty()) expected_gaussian = of_gaussian;
    CHECK(of_linear == expected_linear);
    CHECK(of_gaussian == expected_gaussian);
  }
}

TEST_CASE("a saved linear machine gives the same bits far from 0") {
  const Data data = shifted(raw_columns(200, 7), 1e5F, 2);
  TestContext context;
  const auto svm = kernel_svm("similarity/linear", {{"C", 0.01}}, {}),
             loaded = kernel_svm("similarity/linear", {{"C", 0.01}}, {});
  train(*svm, data, context);
  MemoryState state;
  svm->save(state);
  loaded->bind(Layout::vector(12));
  loaded->load(state, context);
  CHECK(scores(*loaded, data.values, 2).values == scores(*svm, data.values, 2).values);
}

}  // namespace
}  // namespace semblance::kernel::far_rows_test
