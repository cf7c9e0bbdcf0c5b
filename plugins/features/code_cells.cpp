// SPDX-License-Identifier: MIT
#include "code_cells.hpp"

#include <algorithm>
#include <cmath>

#include "semblance/error.hpp"

namespace semblance::features {
namespace {

void to_length_one(std::span<float> h) {
  double sum = 0;
  for (const float x : h) sum += double(x) * x;
  if (sum == 0) return;
  const auto scale = static_cast<float>(1 / std::sqrt(sum));
  for (float& x : h) x *= scale;
}

void rescale(std::span<float> h, CellScale scale) {
  switch (scale) {
    case CellScale::none:
      return;
    case CellScale::root:
      for (float& x : h) x = std::sqrt(x);
      return to_length_one(h);
    case CellScale::truncated:
      to_length_one(h);
      for (float& x : h) x = std::min(x, 0.2f);
      return to_length_one(h);
  }
}

/// "10 pixels away from every edge", or the distance from each.
std::string distances(const CodeBorder& border) {
  const auto text = [](std::size_t pixels) { return std::to_string(pixels); };
  if (border == CodeBorder::around(border.top))
    return text(border.top) + " pixels away from every edge";
  return text(border.top) + " pixels away from the top edge, " + text(border.bottom) +
         " from the bottom, " + text(border.left) + " from the left and " + text(border.right) +
         " from the right";
}

}  // namespace

CellScale cell_scale_named(const std::string& name) {
  if (name == "root") return CellScale::root;
  return name == "truncated" ? CellScale::truncated : CellScale::none;
}

void count_codes(const CodeCells& cells, std::span<const std::uint8_t> codes,
                 const CodeBorder& border, CellScale scale, std::span<float> out) {
  std::fill(out.begin(), out.end(), 0.0f);
  for (std::size_t r = 0; r < cells.rows(); ++r)
    for (std::size_t c = 0; c < cells.cols(); ++c) {
      const auto h = out.subspan((r * cells.cols() + c) * cells.bins, cells.bins);
      const std::size_t y0 = r * cells.distance(), x0 = c * cells.distance();
      const std::size_t top = std::max(y0, border.top), left = std::max(x0, border.left);
      const std::size_t bottom = std::min(y0 + cells.cell, cells.height - border.bottom),
                        right = std::min(x0 + cells.cell, cells.width - border.right);
      for (std::size_t y = top; y < bottom; ++y)
        for (std::size_t x = left; x < right; ++x) h[codes[y * cells.width + x]] += 1;
      rescale(h, scale);
    }
}

std::span<const float> grey_plane(const Layout& image, const float* values,
                                  std::vector<float>& buffer) {
  const std::size_t plane = image.height * image.width;
  if (image.depth == 1) return {values, plane};
  buffer.assign(values, values + plane);
  for (std::size_t c = 1; c < image.depth; ++c)
    for (std::size_t p = 0; p < plane; ++p) buffer[p] += values[c * plane + p];
  for (float& x : buffer) x /= static_cast<float>(image.depth);
  return buffer;
}

void check_cells(const std::string& name, const Layout& input, const CodeCells& cells,
                 const CodeBorder& border) {
  if (input.kind != LayoutKind::image)
    throw Error(name + " needs images, not a " + describe(input) +
                "; connect it to a source of images");
  if (cells.rows() == 0 || cells.cols() == 0)
    throw Error("an " + describe(input) + " is too small for one cell of " +
                std::to_string(cells.cell) + " pixels; choose a smaller 'cell'");
  if (input.height <= border.top + border.bottom || input.width <= border.left + border.right)
    throw Error("an " + describe(input) + " has no pixel that is " + distances(border) +
                ", where " + name + " could look; choose " +
                (name == "tplbp" ? "a smaller 'patch' or 'radius'" : "a smaller 'radius'") +
                ", or larger pictures");
}

}  // namespace semblance::features
