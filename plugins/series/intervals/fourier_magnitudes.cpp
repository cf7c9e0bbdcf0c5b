// SPDX-License-Identifier: MIT
#include "intervals/fourier_magnitudes.hpp"

#include <bit>
#include <cmath>
#include <numbers>

namespace semblance::series {
namespace {

Complex product(Complex a, Complex b) noexcept {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/// exp(-2 pi i k / n); k < n.
Complex root(std::uint64_t k, std::uint64_t n) {
  const double angle = 2 * std::numbers::pi * double(k) / double(n);
  return {std::cos(angle), -std::sin(angle)};
}

/// Decimation in frequency: the result's indices have their bits reversed.
void scatter_frequencies(std::vector<Complex>& x, const std::vector<Complex>& roots) {
  const std::size_t n = x.size();
  for (std::size_t half = n / 2, stride = 1; half > 0; half /= 2, stride *= 2)
    for (std::size_t first = 0; first < n; first += 2 * half)
      for (std::size_t k = 0; k < half; ++k) {
        const Complex a = x[first + k], b = x[first + half + k];
        x[first + k] = {a.re + b.re, a.im + b.im};
        x[first + half + k] = product({a.re - b.re, a.im - b.im}, roots[k * stride]);
      }
}

/// Its inverse, times n.
void gather_frequencies(std::vector<Complex>& x, const std::vector<Complex>& roots) {
  const std::size_t n = x.size();
  for (std::size_t half = 1, stride = n / 2; half < n; half *= 2, stride /= 2)
    for (std::size_t first = 0; first < n; first += 2 * half)
      for (std::size_t k = 0; k < half; ++k) {
        const Complex a = x[first + k];
        const Complex b =
            product(x[first + half + k], {roots[k * stride].re, -roots[k * stride].im});
        x[first + k] = {a.re + b.re, a.im + b.im};
        x[first + half + k] = {a.re - b.re, a.im - b.im};
      }
}

}  // namespace

FourierMagnitudes::FourierMagnitudes(std::size_t length)
    : length_(length), points_(length % 2 == 0 ? length / 2 : length) {
  padded_ = std::has_single_bit(points_) ? points_ : std::bit_ceil(2 * points_ - 1);
  for (std::size_t k = 0; k < padded_ / 2; ++k) roots_.push_back(root(k, padded_));
  if (length_ % 2 == 0)
    for (std::size_t k = 0; k <= points_; ++k) turns_.push_back(root(k, length_));
  if (padded_ == points_) {
    order_.resize(points_);
    for (std::size_t k = 1, bits = points_ / 2; k < points_; ++k)
      order_[k] = static_cast<std::uint32_t>(order_[k / 2] / 2 + (k % 2) * bits);
    return;
  }
  filter_.resize(padded_);
  for (std::uint64_t k = 0; k < points_; ++k) {
    chirp_.push_back(root(k * k % (2 * points_), 2 * points_));
    filter_[k] = {chirp_[k].re / double(padded_), -chirp_[k].im / double(padded_)};
    if (k > 0) filter_[padded_ - k] = filter_[k];
  }
  scatter_frequencies(filter_, roots_);
}

void FourierMagnitudes::transform(std::vector<Complex>& values,
                                  std::vector<Complex>& padded) const {
  if (padded_ == points_) {
    padded = values;
    scatter_frequencies(padded, roots_);
    for (std::size_t k = 0; k < points_; ++k) values[k] = padded[order_[k]];
    return;
  }
  // jk = (j^2 + k^2 - (k - j)^2) / 2 makes the transform a convolution with the chirp.
  padded.assign(padded_, {});
  for (std::size_t k = 0; k < points_; ++k) padded[k] = product(values[k], chirp_[k]);
  scatter_frequencies(padded, roots_);
  for (std::size_t k = 0; k < padded_; ++k) padded[k] = product(padded[k], filter_[k]);
  gather_frequencies(padded, roots_);
  for (std::size_t k = 0; k < points_; ++k) values[k] = product(padded[k], chirp_[k]);
}

void FourierMagnitudes::operator()(std::span<const float> series, std::span<float> magnitudes,
                                   FourierRoom& room) const {
  const bool even = length_ % 2 == 0;
  auto& z = room.values;
  z.resize(points_);
  double size = 0;
  for (const float x : series) size += std::abs(double(x));
  for (std::size_t k = 0; k < points_; ++k)
    z[k] = even ? Complex{series[2 * k], series[2 * k + 1]} : Complex{series[k], 0};
  transform(z, room.padded);
  for (std::size_t k = 0; k < frequencies(); ++k) {
    Complex value = z[k % points_];
    if (even) {
      // The transforms of the even steps and of the odd ones, apart.
      const Complex other = z[(points_ - k) % points_];
      const Complex evens = {(value.re + other.re) / 2, (value.im - other.im) / 2};
      const Complex odds = {(value.im + other.im) / 2, (other.re - value.re) / 2};
      const Complex turned = product(odds, turns_[k]);
      value = {evens.re + turned.re, evens.im + turned.im};
    }
    const double magnitude = std::hypot(value.re, value.im);
    magnitudes[k] = magnitude > 1e-14 * size ? static_cast<float>(magnitude) : 0.0f;
  }
}

}  // namespace semblance::series
