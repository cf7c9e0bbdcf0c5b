// SPDX-License-Identifier: MIT
#include "tplbp_codes.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace semblance {

TplbpCodes::TplbpCodes(const Shape& shape) : shape_(shape), distances_(shape.patches) {
  std::ptrdiff_t reach = 0;
  for (std::size_t i = 0; i < shape.patches; ++i) {
    const double angle = 2 * std::numbers::pi * double(i) / double(shape.patches);
    const Offset offset{std::lround(-shape.radius * std::sin(angle)),
                        std::lround(shape.radius * std::cos(angle))};
    reach = std::max({reach, std::abs(offset.row), std::abs(offset.column)});
    offsets_.push_back(offset);
  }
  border_ = static_cast<std::size_t>(reach) + shape.side / 2;
}

/// The distance image of one patch: squared differences to the shifted image, summed over the
/// patch first down, then across.
void TplbpCodes::distances(const float* image, std::size_t height, std::size_t width,
                           std::size_t patch) {
  const std::size_t half = shape_.side / 2, reach = border_ - half;
  const std::ptrdiff_t shift =
      offsets_[patch].row * static_cast<std::ptrdiff_t>(width) + offsets_[patch].column;
  for (std::size_t y = reach; y + reach < height; ++y) {
    const float *here = image + y * width, *there = here + shift;
    float* square = squares_.data() + y * width;
    for (std::size_t x = reach; x + reach < width; ++x)
      square[x] = (there[x] - here[x]) * (there[x] - here[x]);
  }
  for (std::size_t y = border_; y + border_ < height; ++y) {
    for (std::size_t x = reach; x + reach < width; ++x) columns_[x] = 0;
    for (std::size_t k = y - half; k <= y + half; ++k)
      for (std::size_t x = reach; x + reach < width; ++x) columns_[x] += squares_[k * width + x];
    float* out = distances_[patch].data() + y * width;
    for (std::size_t x = border_; x + border_ < width; ++x) out[x] = columns_[x - half];
    for (std::size_t k = 1; k <= 2 * half; ++k)
      for (std::size_t x = border_; x + border_ < width; ++x) out[x] += columns_[x - half + k];
    for (std::size_t x = border_; x + border_ < width; ++x) out[x] = std::sqrt(out[x]);
  }
}

void TplbpCodes::describe(const float* image, std::size_t height, std::size_t width,
                          std::span<std::uint8_t> codes) {
  squares_.resize(height * width);
  columns_.resize(width);
  for (std::size_t i = 0; i < shape_.patches; ++i) {
    distances_[i].resize(height * width);
    distances(image, height, width, i);
  }
  const auto tau = static_cast<float>(shape_.tau);
  for (std::size_t y = border_; y + border_ < height; ++y) {
    std::uint8_t* code = codes.data() + y * width;
    for (std::size_t x = border_; x + border_ < width; ++x) code[x] = 0;
    for (std::size_t i = 0; i < shape_.patches; ++i) {
      const float* a = distances_[i].data() + y * width;
      const float* b = distances_[(i + shape_.alpha) % shape_.patches].data() + y * width;
      for (std::size_t x = border_; x + border_ < width; ++x)
        code[x] = static_cast<std::uint8_t>(code[x] | (unsigned(a[x] - b[x] >= tau) << i));
    }
  }
}

}  // namespace semblance
