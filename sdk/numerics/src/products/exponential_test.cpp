// SPDX-License-Identifier: MIT
#include "semblance_numerics/exponential.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "semblance/random.hpp"

namespace semblance::numerics::exponential_test {
namespace {

TEST_CASE("the vector exponential follows std::exp") {
  for (std::size_t count : {1u, 3u, 8u, 1000u}) {
    Random random(count);
    std::vector<float> values(count), result;
    for (float& x : values) x = static_cast<float>(random.uniform(-80, 10));
    result = values;
    exponentiate(result.data(), count, 0.75f);
    for (std::size_t i = 0; i < count; ++i)
      CHECK(result[i] == doctest::Approx(std::exp(double(0.75f * values[i]))).epsilon(1e-6));
  }
}

TEST_CASE("so does that in double, also where it is 0, and keeps what is not a number") {
  for (std::size_t count : {1u, 3u, 8u, 1000u}) {
    Random random(count);
    std::vector<double> values(count), result;
    for (double& x : values) x = random.uniform(-700, 10);
    result = values;
    exponentiate(result.data(), count, -0.75);
    for (std::size_t i = 0; i < count; ++i) {
      const double power = std::exp(-0.75 * values[i]);
      CHECK(std::abs(result[i] - power) <= 4.5e-16 * power);
    }
  }
  std::vector<double> ends = {0, 800, 1e308, HUGE_VAL, std::nan("")};
  exponentiate(ends.data(), ends.size(), -10.0);
  CHECK(ends[0] == 1);
  for (std::size_t i : {1u, 2u, 3u}) CHECK(ends[i] == 0);
  CHECK(std::isnan(ends[4]));
}

TEST_CASE("very negative arguments give zero, zero gives one") {
  std::vector<float> values = {-200.0f, -1e30f, 0.0f};
  exponentiate(values.data(), values.size(), 1.0f);
  CHECK(values == std::vector<float>{0.0f, 0.0f, 1.0f});
}

TEST_CASE("a value's bits do not depend on its place") {
  std::vector<float> values(37, -1.2345f);
  exponentiate(values.data(), values.size(), 1.0f);
  for (float x : values) CHECK(x == values[0]);
}

TEST_CASE("products become Gaussian similarities, and rounding never exceeds one") {
  std::vector<float> products = {2.0f, 1.0f, 2.0000002f};
  const std::vector<float> norms = {2.0f, 3.0f, 2.0f};
  gaussian_from_products(products.data(), norms.data(), 3, 2.0f, 0.5f);
  CHECK(products[0] == 1.0f);
  CHECK(products[1] == doctest::Approx(std::exp(-0.5 * 3)).epsilon(1e-6));
  CHECK(products[2] == 1.0f);
}

}  // namespace
}  // namespace semblance::numerics::exponential_test
