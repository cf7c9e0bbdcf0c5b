// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "evaluator_testing.hpp"
#include "semblance/random.hpp"

namespace spectrum_test {

using namespace semblance;
using namespace semblance::evaluators;
using namespace semblance::evaluators::testing;

namespace {

const std::vector<std::string> classes = {"a", "b"};

/// The spectrum of a map whose row for each training sample is given.
MemoryReport spectrum_of(FloatMatrix map, const std::vector<std::int64_t>& bases,
                         const Parameters& parameters = {}, std::size_t budget = 1 << 20) {
  const std::vector<std::int32_t> labels(map.rows);
  const Layout layout = Layout::vector(map.cols);
  const MemoryRows rows(std::move(map));
  TestContext context;
  context.budget = budget;
  MemoryReport report;
  const TrainingSet training{rows, layout, labels, classes, bases};
  make_component<Evaluator>("evaluator/spectrum", parameters)
      ->evaluate({.training = &training}, report, context);
  return report;
}

FloatMatrix matrix(std::size_t rows, std::vector<float> values) {
  FloatMatrix m;
  m.rows = rows;
  m.cols = values.size() / rows;
  m.values = std::move(values);
  return m;
}

/// Inner products, in float32, of n points in few dimensions: exactly, only that many eigenvalues
/// would be nonzero.
FloatMatrix products(std::size_t n, std::size_t dimensions) {
  Random random(1);
  std::vector<double> points(n * dimensions);
  for (double& x : points) x = random.normal();
  FloatMatrix m(n, n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      m.values[i * n + j] = static_cast<float>(
          std::inner_product(points.begin() + static_cast<std::ptrdiff_t>(i * dimensions),
                             points.begin() + static_cast<std::ptrdiff_t>((i + 1) * dimensions),
                             points.begin() + static_cast<std::ptrdiff_t>(j * dimensions), 0.0));
  return m;
}

}  // namespace

TEST_CASE("the eigenvalues are those of the rows of the bases, in the bases' order") {
  // Rows 3, 0 and 2 are the bases; their similarities are diag(4, -1, 2) with 3 next to -1 and 2.
  const auto report = spectrum_of(matrix(4, {0, -1, 3, 9, 9, 9, 0, 3, 2, 4, 0, 0}), {3, 0, 2});
  const double root = std::sqrt(1.5 * 1.5 + 9);
  const std::vector<double> expected = {4, 0.5 + root, 0.5 - root};
  const Curve& curve = report.curves.at("eigenvalues");
  CHECK(curve.x == std::vector<double>{1, 2, 3});
  REQUIRE(curve.y.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) CHECK(curve.y[i] == doctest::Approx(expected[i]));
  CHECK(report.numbers.at("smallest_eigenvalue") == doctest::Approx(0.5 - root));
  CHECK(report.numbers.at("largest_eigenvalue") == doctest::Approx(4));
  CHECK(report.numbers.at("negative_ratio") == doctest::Approx(1.0 / 3));
  CHECK(report.numbers.at("negative_energy") == doctest::Approx((root - 0.5) / (4.5 + root)));
  CHECK(report.numbers.at("asymmetry") == 0);
  CHECK(report.integers.at("bases") == 3);
  CHECK(report.integers.at("negative_eigenvalues") == 1);
  CHECK(report.integers.at("positive_eigenvalues") == 2);
}

TEST_CASE("of a similarity that is not symmetric the symmetric part counts") {
  const auto report = spectrum_of(matrix(2, {1, 3, 1, 1}), {0, 1});
  CHECK(report.numbers.at("largest_eigenvalue") == doctest::Approx(3));
  CHECK(report.numbers.at("smallest_eigenvalue") == doctest::Approx(-1));
  CHECK(report.numbers.at("asymmetry") == doctest::Approx(std::sqrt(8.0 / 12)));
  CHECK(spectrum_of(matrix(2, {0, 1, -1, 0}), {0, 1}).numbers.at("asymmetry") ==
        doctest::Approx(2));
}

TEST_CASE("of a similarity that is not symmetric the matrix itself may count") {
  const auto of = [](FloatMatrix map) {
    return spectrum_of(std::move(map), {0, 1}, {{"of", "matrix"}});
  };
  // 1 + root 3 and 1 - root 3; the symmetric part has 3 and -1.
  const auto real = of(matrix(2, {1, 3, 1, 1}));
  CHECK(real.numbers.at("largest_eigenvalue") == doctest::Approx(1 + std::sqrt(3)));
  CHECK(real.numbers.at("smallest_eigenvalue") == doctest::Approx(1 - std::sqrt(3)));
  CHECK(real.numbers.at("asymmetry") == doctest::Approx(std::sqrt(8.0 / 12)));
  // A rotation by 60 degrees and a growth of 2 have 1 + i root 3 and 1 - i root 3.
  const auto complex = of(matrix(2, {1, -std::sqrt(3.0F), std::sqrt(3.0F), 1}));
  CHECK(complex.numbers.at("largest_eigenvalue") == doctest::Approx(1));
  CHECK(complex.numbers.at("negative_ratio") == 0);
  // For a symmetric one both are the same.
  const FloatMatrix map = products(40, 5);
  std::vector<std::int64_t> bases(40);
  std::iota(bases.begin(), bases.end(), 0);
  CHECK(spectrum_of(map, bases, {{"of", "matrix"}}).numbers == spectrum_of(map, bases).numbers);
}

TEST_CASE("the rounding noise of float32 is not counted as negative eigenvalues") {
  const FloatMatrix map = products(300, 5);
  std::vector<std::int64_t> bases(300);
  std::iota(bases.begin(), bases.end(), 0);
  const auto report = spectrum_of(map, bases);
  CHECK(report.integers.at("positive_eigenvalues") == 5);
  CHECK(report.numbers.at("negative_ratio") == 0);
  CHECK(report.numbers.at("negative_energy") == 0);
  // Without a threshold, about half of the exactly zero ones would count.
  const auto raw = spectrum_of(map, bases, {{"threshold", 0.0}});
  CHECK(raw.numbers.at("negative_ratio") > 0.3);
}

TEST_CASE("extreme spectra have figures too") {
  const auto negative = spectrum_of(matrix(2, {-1, 0, 0, -2}), {0, 1});
  CHECK(negative.numbers.at("negative_ratio") == 1);
  CHECK(negative.numbers.at("negative_energy") == std::numeric_limits<double>::infinity());
  const auto zero = spectrum_of(matrix(2, {0, 0, 0, 0}), {0, 1});
  CHECK(zero.numbers.at("negative_ratio") == 0);
  CHECK(zero.numbers.at("negative_energy") == 0);
  CHECK(zero.numbers.at("asymmetry") == 0);
}

TEST_CASE("what is no similarity map, or cannot be looked at, is named") {
  const auto message = [](FloatMatrix map, const std::vector<std::int64_t>& bases,
                          std::size_t budget = 1 << 20) {
    return message_of([&] { spectrum_of(std::move(map), bases, {}, budget); });
  };
  CHECK(message(matrix(2, {1, 2, 3, 4}), {}) ==
        "its input is not a similarity map, so there are no similarities among bases to analyse; "
        "name a similarity node itself as `from`, not a node before or after it");
  CHECK(message(matrix(2, {1, 2, 3, 4}), {0}) ==
        "the map has 2 columns for 1 bases; there must be one per basis");
  CHECK(message(matrix(2, {1, 2, std::nanf(""), 4}), {0, 1}) ==
        "the similarity of training row 1 (counted from 0) to basis 0 is not finite; check the "
        "rows that are compared");
  std::vector<std::int64_t> many(300);
  std::iota(many.begin(), many.end(), 0);
  CHECK(message(products(300, 2), many, 500000) ==
        "the similarities among 300 bases take 1 MiB, but 0 MiB are free; choose fewer bases or "
        "raise --memory");
}

}  // namespace spectrum_test
