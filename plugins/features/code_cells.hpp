// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "semblance/layout.hpp"

namespace semblance::features {

/// The scaling of a cell's histogram.
enum class CellScale {
  none,       ///< counts
  root,       ///< square roots of the shares: length 1
  truncated,  ///< length 1, values cut at 0.2, length 1 again
};
CellScale cell_scale_named(const std::string& name);

/// The cells of an image of codes: squares from the top left, `step` pixels apart; remaining pixels
/// at the right and at the bottom are in no cell.
struct CodeCells {
  std::size_t height = 0;  ///< pixels
  std::size_t width = 0;   ///< pixels
  std::size_t cell = 0;    ///< side in pixels
  std::size_t bins = 0;    ///< codes are below that
  std::size_t step = 0;    ///< pixels between neighbours; 0: `cell`, so that none overlap

  std::size_t distance() const noexcept { return step > 0 ? step : cell; }
  std::size_t rows() const noexcept { return count(height); }
  std::size_t cols() const noexcept { return count(width); }
  Layout layout() const { return Layout::grid(rows(), cols(), bins); }

 private:
  std::size_t count(std::size_t size) const noexcept {
    return size < cell ? 0 : (size - cell) / distance() + 1;
  }
};

/// The width of the border of pixels without a code, since their neighbourhood would leave the
/// image.
struct CodeBorder {
  std::size_t top = 0, left = 0, bottom = 0, right = 0;

  static CodeBorder around(std::size_t pixels) { return {pixels, pixels, pixels, pixels}; }
  friend bool operator==(const CodeBorder&, const CodeBorder&) = default;
};

/// Histograms of the codes in each cell, only over pixels inside `border`. Fills `out` by (row,
/// column, bin).
void count_codes(const CodeCells& cells, std::span<const std::uint8_t> codes,
                 const CodeBorder& border, CellScale scale, std::span<float> out);

/// The mean of an image's channels; the image itself if it has one.
std::span<const float> grey_plane(const Layout& image, const float* values,
                                  std::vector<float>& buffer);

/// Throws Error unless `input` is an image with room for a cell and for codes: `name` is that of
/// the feature.
void check_cells(const std::string& name, const Layout& input, const CodeCells& cells,
                 const CodeBorder& border);

}  // namespace semblance::features
