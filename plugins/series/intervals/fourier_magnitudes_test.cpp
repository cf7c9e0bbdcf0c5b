// SPDX-License-Identifier: MIT
#include "intervals/fourier_magnitudes.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "semblance/random.hpp"

namespace fourier_magnitudes_test {

using namespace semblance;
using namespace semblance::series;

namespace {

std::vector<double> by_definition(const std::vector<float>& series) {
  std::vector<double> magnitudes;
  const std::size_t n = series.size();
  for (std::size_t k = 0; k <= n / 2; ++k) {
    long double re = 0, im = 0;
    for (std::size_t t = 0; t < n; ++t) {
      const long double angle = 2 * std::numbers::pi_v<long double> * ((k * t) % n) / n;
      re += series[t] * std::cos(angle);
      im -= series[t] * std::sin(angle);
    }
    magnitudes.push_back(double(std::hypot(re, im)));
  }
  return magnitudes;
}

std::vector<float> magnitudes_of(const std::vector<float>& series) {
  const FourierMagnitudes transform(series.size());
  std::vector<float> magnitudes(transform.frequencies());
  FourierRoom room;
  transform(series, magnitudes, room);
  return magnitudes;
}

}  // namespace

TEST_CASE("magnitudes equal the definition of the Fourier transform at every length") {
  Random random(1);
  for (std::size_t n = 1; n <= 160; ++n) {
    std::vector<float> series(n);
    for (float& x : series) x = static_cast<float>(random.normal());
    const auto expected = by_definition(series);
    const auto magnitudes = magnitudes_of(series);
    REQUIRE(magnitudes.size() == expected.size());
    for (std::size_t k = 0; k < expected.size(); ++k)
      CHECK(std::abs(magnitudes[k] - expected[k]) <= 1e-7 * expected[k] + 1e-13);
  }
}

TEST_CASE("long series of prime, even and power-of-two lengths") {
  Random random(2);
  for (const std::size_t n : {1024, 1459, 2000, 2018, 4099}) {
    std::vector<float> series(n);
    for (float& x : series) x = static_cast<float>(random.normal());
    const auto expected = by_definition(series);
    const auto magnitudes = magnitudes_of(series);
    for (std::size_t k = 0; k < expected.size(); ++k)
      CHECK(std::abs(magnitudes[k] - expected[k]) <= 1e-7 * expected[k] + 1e-11);
  }
}

TEST_CASE("a constant series has one frequency, a wave its own") {
  for (const std::size_t n : {1, 2, 3, 97, 128, 1460}) {
    const auto magnitudes = magnitudes_of(std::vector<float>(n, -3.1f));
    CHECK(magnitudes[0] == doctest::Approx(3.1 * double(n)));
    for (std::size_t k = 1; k < magnitudes.size(); ++k) CHECK(magnitudes[k] == 0);
  }
  std::vector<float> wave;
  for (std::size_t t = 0; t < 40; ++t)
    wave.push_back(t % 4 == 0 ? 1.0f : t % 4 == 2 ? -1.0f : 0.0f);
  const auto magnitudes = magnitudes_of(wave);
  for (std::size_t k = 0; k < magnitudes.size(); ++k) CHECK(magnitudes[k] == (k == 10 ? 20 : 0));
}

}  // namespace fourier_magnitudes_test
