// SPDX-License-Identifier: MIT
#include "point_templates.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace semblance::normalizers {
namespace {

/// The length of a square, after subtraction of its mean, given the sum of its values and of their
/// squares; 0 if it is only rounding.
double contrast(double sum, double squares, double count) {
  const double left = squares - sum * sum / count;
  return left > 1e-12 * squares ? std::sqrt(left) : 0;
}

// Adjacent places whose sums are held in registers; each has its own sum, so that the order of
// summation is that of the pixels.
constexpr std::size_t lanes = 8;
using Lanes = std::array<double, lanes>;

std::size_t inside(std::ptrdiff_t at, std::size_t size) {
  return static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(at, 0, std::ptrdiff_t(size) - 1));
}

}  // namespace

Corner corner_around(const Layout& image, double y, double x, std::size_t side) {
  const double half = (double(side) - 1) / 2;
  return {std::lround(y * double(image.height - 1) - half),
          std::lround(x * double(image.width - 1) - half)};
}

void copy_square(const Layout& image, const float* channel, const Corner& corner, std::size_t side,
                 float* out, std::size_t stride) {
  for (std::size_t y = 0; y < side; ++y, out += stride) {
    const float* row = channel + inside(corner.top + std::ptrdiff_t(y), image.height) * image.width;
    for (std::size_t x = 0; x < side; ++x)
      out[x] = row[inside(corner.left + std::ptrdiff_t(x), image.width)];
  }
}

PointTemplate::PointTemplate(std::size_t size, std::size_t reach)
    : size_(size),
      reach_(reach),
      places_(2 * reach + 1),
      width_((places_ + lanes - 1) / lanes * lanes),
      side_(size + 2 * reach),
      stride_(size + width_),
      channel_(side_ * side_),
      around_(side_ * stride_),
      products_(places_ * width_),
      lengths_(places_ * width_),
      row_sums_(side_ * width_),
      row_squares_(side_ * width_) {}

void PointTemplate::look(const Layout& image, const float* values, const Corner& corner) {
  const auto reach = static_cast<std::ptrdiff_t>(reach_);
  const Corner from{corner.top - reach, corner.left - reach};
  std::ranges::fill(around_, 0.0);
  for (std::size_t c = 0; c < image.depth; ++c) {
    copy_square(image, values + c * image.height * image.width, from, side_, channel_.data(),
                side_);
    for (std::size_t y = 0; y < side_; ++y)
      for (std::size_t x = 0; x < side_; ++x)
        around_[y * stride_ + x] += double{channel_[y * side_ + x]};
  }
  // Differences from one pixel: squares of large values would lose digits.
  const double middle = around_[side_ / 2 * stride_ + side_ / 2];
  for (double& value : around_) value -= middle;
}

void PointTemplate::sum_products(std::span<const float> weights) {
  for (std::size_t down = 0; down < places_; ++down)
    for (std::size_t right = 0; right < width_; right += lanes) {
      Lanes sums{};
      for (std::size_t y = 0; y < size_; ++y)
        for (std::size_t x = 0; x < size_; ++x) {
          const double weight = weights[y * size_ + x];
          const double* const values = &around_[(y + down) * stride_ + x + right];
          for (std::size_t k = 0; k < lanes; ++k) sums[k] += weight * values[k];
        }
      std::ranges::copy(sums, &products_[down * width_ + right]);
    }
}

void PointTemplate::sum_squares() {
  for (std::size_t y = 0; y < side_; ++y)
    for (std::size_t right = 0; right < width_; right += lanes) {
      Lanes sums{}, squares{};
      for (std::size_t x = 0; x < size_; ++x) {
        const double* const values = &around_[y * stride_ + x + right];
        for (std::size_t k = 0; k < lanes; ++k) sums[k] += values[k];
        for (std::size_t k = 0; k < lanes; ++k) squares[k] += values[k] * values[k];
      }
      std::ranges::copy(sums, &row_sums_[y * width_ + right]);
      std::ranges::copy(squares, &row_squares_[y * width_ + right]);
    }
  for (std::size_t down = 0; down < places_; ++down)
    for (std::size_t right = 0; right < places_; ++right) {
      double sum = 0, square = 0;
      for (std::size_t y = down; y < down + size_; ++y) {
        sum += row_sums_[y * width_ + right];
        square += row_squares_[y * width_ + right];
      }
      lengths_[down * width_ + right] = contrast(sum, square, double(size_ * size_));
    }
}

Corner PointTemplate::find(std::span<const float> weights) {
  sum_products(weights);
  sum_squares();
  const auto correlation = [&](std::size_t down, std::size_t right) {
    const std::size_t place = down * width_ + right;
    return lengths_[place] > 0 ? products_[place] / lengths_[place] : 0;
  };
  const auto reach = static_cast<std::ptrdiff_t>(reach_);
  Corner best;
  double largest = correlation(reach_, reach_);
  for (std::size_t down = 0; down < places_; ++down)
    for (std::size_t right = 0; right < places_; ++right)
      if (correlation(down, right) > largest) {
        largest = correlation(down, right);
        best = {std::ptrdiff_t(down) - reach, std::ptrdiff_t(right) - reach};
      }
  return best;
}

void PointTemplate::add_to(std::span<double> sum, const Corner& shift) const {
  const auto reach = static_cast<std::ptrdiff_t>(reach_);
  const double* const from =
      &around_[std::size_t(reach + shift.top) * stride_ + std::size_t(reach + shift.left)];
  double total = 0, squares = 0;
  for (std::size_t y = 0; y < size_; ++y)
    for (std::size_t x = 0; x < size_; ++x) {
      total += from[y * stride_ + x];
      squares += from[y * stride_ + x] * from[y * stride_ + x];
    }
  const double count = double(size_ * size_), length = contrast(total, squares, count);
  if (length == 0) return;
  for (std::size_t y = 0; y < size_; ++y)
    for (std::size_t x = 0; x < size_; ++x)
      sum[y * size_ + x] += (from[y * stride_ + x] - total / count) / length;
}

}  // namespace semblance::normalizers
