// SPDX-License-Identifier: MIT
#include "latent/class_kernels.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "semblance/random.hpp"

namespace class_kernels_test {

using namespace semblance;
using namespace semblance::ml3;

namespace {

std::vector<float> normal(std::size_t size, Random& random) {
  std::vector<float> x(size);
  for (float& v : x) v = static_cast<float>(random.normal());
  return x;
}

constexpr std::size_t sizes[] = {1, 3, 7, 8, 9, 16, 31, 54, 64, 90, 119};

}  // namespace

TEST_CASE("rows are added to their sum one after the other") {
  Random random(1);
  for (const std::size_t size : sizes)
    for (const std::size_t count : {0U, 1U, 5U}) {
      CAPTURE(size);
      std::vector<std::vector<float>> rows;
      std::vector<const float*> pointers;
      pointers.reserve(count);
      rows.reserve(count);
      for (std::size_t i = 0; i < count; ++i) rows.push_back(normal(size, random));
      for (const auto& row : rows) pointers.push_back(row.data());
      const std::vector<float> factors = normal(count, random);
      // The values after it do not change.
      std::vector<float> sum = normal(size + 1, random), expected = sum;
      for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = 0; j < size; ++j) expected[j] += factors[i] * rows[i][j];
      add_rows(sum.data(), size, pointers.data(), factors.data(), count);
      CHECK(sum == expected);
    }
}

TEST_CASE("an inner product is summed in eight lanes") {
  Random random(2);
  for (const std::size_t size : sizes) {
    CAPTURE(size);
    const std::vector<float> a = normal(size, random), b = normal(size, random);
    float lanes[8] = {};
    for (std::size_t j = 0; j < size; ++j) lanes[j < size / 8 * 8 ? j % 8 : 0] += a[j] * b[j];
    float expected = 0;
    for (const float lane : lanes) expected += lane;
    CHECK(dot(a.data(), b.data(), size) == expected);
  }
}

TEST_CASE("sums of powers of all classes") {
  Random random(3);
  for (const std::size_t size : sizes) {
    const std::vector<float> c = normal(3 * size, random);
    CHECK(largest(c.data(), c.size()) == std::max(0.0F, std::ranges::max(c)));
    for (int power = 0; power <= 6; ++power) {
      CAPTURE(size);
      CAPTURE(power);
      std::vector<float> sums(3);
      power_sums({c.data(), size, 3}, 0.5F, power, sums.data());
      for (std::size_t i = 0; i < 3; ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < size; ++j) {
          const double x = std::max(0.0, 0.5 * double{c[i * size + j]});
          sum = power == 0 ? std::max(sum, x) : sum + (x > 0 ? std::pow(x, power) : 0);
        }
        CHECK(double{sums[i]} == doctest::Approx(sum).epsilon(1e-5));
      }
    }
  }
}

}  // namespace class_kernels_test
