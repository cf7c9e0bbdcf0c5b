// SPDX-License-Identifier: MIT
#include <utility>

#include "projections/projection_testing.hpp"

namespace random_fourier_test {

using namespace semblance;
using namespace semblance::testing;

namespace {

FloatMatrix features_of(const FloatMatrix& m, std::int64_t frequencies, const Value& gamma,
                        std::uint64_t seed = 1) {
  const auto component = make_component<Normalizer>(
      "normalizer/random_fourier", {{"frequencies", frequencies}, {"gamma", gamma}});
  TestContext context(2, seed);
  CHECK(component->bind(Layout::vector(m.cols)) ==
        Layout::vector(2 * static_cast<std::size_t>(frequencies)));
  fit_labelled(*component, m, std::vector<std::int32_t>(m.rows, 0), 1, context);
  return project(*component, m, 2 * static_cast<std::size_t>(frequencies));
}

double product(const FloatMatrix& m, std::size_t i, std::size_t j) {
  double sum = 0;
  for (std::size_t c = 0; c < m.cols; ++c)
    sum += double{m.values[i * m.cols + c]} * double{m.values[j * m.cols + c]};
  return sum;
}

double squared_distance(const FloatMatrix& m, std::size_t i, std::size_t j) {
  double sum = 0;
  for (std::size_t c = 0; c < m.cols; ++c) {
    const double d = double{m.values[i * m.cols + c]} - double{m.values[j * m.cols + c]};
    sum += d * d;
  }
  return sum;
}

/// The largest error of the approximated kernel, in units of its standard deviation.
double worst(const FloatMatrix& m, const FloatMatrix& z, double gamma) {
  double worst = 0;
  for (std::size_t i = 0; i < m.rows; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const double kernel = std::exp(-gamma * squared_distance(m, i, j));
      // Sutherland and Schneider, proposition 1: the variance of the mean of cos <w, d>.
      const double variance =
          (1 + std::pow(kernel, 4) - 2 * kernel * kernel) / static_cast<double>(z.cols);
      worst = std::max(worst, std::abs(product(z, i, j) - kernel) / std::sqrt(variance + 1e-12));
    }
  return worst;
}

FloatMatrix near_each_other(double level) {
  Random random(4);
  FloatMatrix m(40, 5);
  for (float& value : m.values) value = static_cast<float>(level + random.normal());
  return m;
}

}  // namespace

TEST_CASE("inner products are those of the Gaussian kernel, up to the error of the draw") {
  const FloatMatrix m = near_each_other(0);
  CHECK(worst(m, features_of(m, 4000, 0.3), 0.3) < 5);
  CHECK(worst(m, features_of(m, 4000, 0.3, 2), 0.3) < 5);
  CHECK(features_of(m, 50, 0.3).values != features_of(m, 50, 0.3, 2).values);
  const FloatMatrix z = features_of(m, 50, 0.3);
  for (std::size_t i = 0; i < m.rows; ++i) CHECK(product(z, i, i) == doctest::Approx(1));
}

TEST_CASE("gamma can follow the rows") {
  const FloatMatrix m = near_each_other(3);
  double mean = 0, square = 0;
  for (const float value : m.values) mean += double{value} / 200;
  for (const float value : m.values) square += std::pow(double{value} - mean, 2) / 200;
  CHECK(worst(m, features_of(m, 4000, std::string("scale")), 1 / (5 * square)) < 5);
  CHECK(worst(m, features_of(m, 4000, std::string("auto")), 0.2) < 5);
}

TEST_CASE("rows far from 0 keep their digits, and rows too far from all others are refused") {
  // Values that float32 has exactly at both levels.
  FloatMatrix near = near_each_other(0), far = near;
  for (std::size_t k = 0; k < near.values.size(); ++k) {
    near.values[k] = std::round(near.values[k] * 16) / 16;
    far.values[k] = near.values[k] + 262144.0F;
  }
  CHECK(testing::near(features_of(near, 100, 0.5).values, features_of(far, 100, 0.5).values, 1e-6));
  FloatMatrix outlier = near;
  outlier.values[35] = 1e6F;
  CHECK_THROWS_AS(features_of(outlier, 100, 0.5), Error);
}

}  // namespace random_fourier_test
