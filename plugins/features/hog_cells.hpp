// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace semblance::features {

/// The shape of the images that HogCells works on, and of its cells.
struct HogShape {
  std::size_t height = 0;  ///< pixels
  std::size_t width = 0;   ///< pixels
  std::size_t channels = 0;
  std::size_t cell = 8;  ///< side of a cell in pixels
  bool bilinear = true;  ///< share a gradient between the two nearest orientations

  /// Cells that an image makes, borders included, as VLFeat rounds: 0 when it is too small.
  std::size_t rows() const noexcept { return (height + cell / 2) / cell; }
  std::size_t cols() const noexcept { return (width + cell / 2) / cell; }
};

/// Histograms of oriented gradients of the UoCTTI variant (Felzenszwalb et al. 2010) by VLFeat: for
/// each cell 18 directed and 9 undirected orientations and 4 texture energies. One object per
/// thread; it reuses its buffers between images.
class HogCells {
 public:
  static constexpr std::size_t depth = 31;

  /// Throws std::bad_alloc when memory ends.
  explicit HogCells(const HogShape& shape);
  ~HogCells();
  HogCells(const HogCells&) = delete;
  HogCells& operator=(const HogCells&) = delete;

  /// `image` is planar (channel, row, column); `cells` is filled by (row, column, 31). For colour
  /// the channel with the strongest gradient counts, pixel by pixel.
  void describe(const float* image, float* cells);

 private:
  struct Implementation;
  HogShape shape_;
  std::unique_ptr<Implementation> hog_;
  std::vector<float> planes_;  ///< VLFeat's order: (value, row, column)
};

}  // namespace semblance::features
