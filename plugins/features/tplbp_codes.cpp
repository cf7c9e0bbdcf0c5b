// SPDX-License-Identifier: MIT
#include "tplbp_codes.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace semblance::features {

TplbpCodes::TplbpCodes(const Shape& shape) : shape_(shape), distances_(shape.patches) {
  const std::size_t half = shape.side / 2;
  border_ = CodeBorder::around(half);
  const auto reach = [half](std::size_t& border, std::ptrdiff_t pixels) {
    if (pixels > 0) border = std::max(border, static_cast<std::size_t>(pixels) + half);
  };
  for (std::size_t i = 0; i < shape.patches; ++i) {
    const double angle = 2 * std::numbers::pi * double(i) / double(shape.patches);
    const Offset offset{std::lround(-shape.radius * std::sin(angle)),
                        std::lround(shape.radius * std::cos(angle))};
    reach(border_.top, -offset.row);
    reach(border_.bottom, offset.row);
    reach(border_.left, -offset.column);
    reach(border_.right, offset.column);
    offsets_.push_back(offset);
  }
}

/// The distance image of one patch: squared differences to the shifted image, summed over the
/// patch first down, then across.
void TplbpCodes::distances(const float* image, std::size_t height, std::size_t width,
                           std::size_t patch) {
  const std::size_t half = shape_.side / 2;
  const std::size_t top = border_.top, bottom = height - border_.bottom;
  const std::size_t left = border_.left, right = width - border_.right;
  const std::ptrdiff_t shift =
      offsets_[patch].row * static_cast<std::ptrdiff_t>(width) + offsets_[patch].column;
  for (std::size_t y = top - half; y < bottom + half; ++y) {
    const float *here = image + y * width, *there = here + shift;
    float* square = squares_.data() + y * width;
    for (std::size_t x = left - half; x < right + half; ++x)
      square[x] = (there[x] - here[x]) * (there[x] - here[x]);
  }
  for (std::size_t y = top; y < bottom; ++y) {
    for (std::size_t x = left - half; x < right + half; ++x) columns_[x] = 0;
    for (std::size_t k = y - half; k <= y + half; ++k)
      for (std::size_t x = left - half; x < right + half; ++x)
        columns_[x] += squares_[k * width + x];
    float* out = distances_[patch].data() + y * width;
    for (std::size_t x = left; x < right; ++x) out[x] = columns_[x - half];
    for (std::size_t k = 1; k <= 2 * half; ++k)
      for (std::size_t x = left; x < right; ++x) out[x] += columns_[x - half + k];
    for (std::size_t x = left; x < right; ++x) out[x] = std::sqrt(out[x]);
  }
}

void TplbpCodes::describe(const float* image, std::size_t height, std::size_t width,
                          std::span<std::uint8_t> codes) {
  if (height < border_.top + border_.bottom || width < border_.left + border_.right) return;
  squares_.resize(height * width);
  columns_.resize(width);
  for (std::size_t i = 0; i < shape_.patches; ++i) {
    distances_[i].resize(height * width);
    distances(image, height, width, i);
  }
  const auto tau = static_cast<float>(shape_.tau);
  const std::size_t left = border_.left, right = width - border_.right;
  for (std::size_t y = border_.top; y < height - border_.bottom; ++y) {
    std::uint8_t* code = codes.data() + y * width;
    for (std::size_t x = left; x < right; ++x) code[x] = 0;
    for (std::size_t i = 0; i < shape_.patches; ++i) {
      const float* a = distances_[i].data() + y * width;
      const float* b = distances_[(i + shape_.alpha) % shape_.patches].data() + y * width;
      for (std::size_t x = left; x < right; ++x)
        code[x] = static_cast<std::uint8_t>(code[x] | (unsigned(a[x] - b[x] >= tau) << i));
    }
  }
}

}  // namespace semblance::features
