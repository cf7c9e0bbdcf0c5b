// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "code_cells.hpp"

namespace semblance::features {

/// Three-patch local binary patterns (Wolf, Hassner, Taigman 2008, eq. (1)): S patches of w x w
/// pixels stand evenly on a circle around a pixel, and bit i of its code is whether d(C_i, C_p) -
/// d(C_(i + alpha mod S), C_p) >= tau, where d is the Euclidean distance of patches and C_p the
/// patch at the pixel. Independent of the framework. One object per thread, because it has buffers.
class TplbpCodes {
 public:
  struct Shape {
    std::size_t patches = 8;  ///< S, at most 8
    std::size_t side = 3;     ///< w, odd
    std::size_t alpha = 2;
    double radius = 2;
    double tau = 0.01;
  };
  explicit TplbpCodes(const Shape& shape);

  /// Pixels nearer to an edge have no code: a patch would leave the image. The circle's extent
  /// differs between sides if S is not a multiple of 4.
  const CodeBorder& border() const noexcept { return border_; }

  /// Writes the codes of all pixels that have one; does not change other pixels.
  void describe(const float* image, std::size_t height, std::size_t width,
                std::span<std::uint8_t> codes);

 private:
  void distances(const float* image, std::size_t height, std::size_t width, std::size_t patch);

  struct Offset {
    std::ptrdiff_t row = 0;
    std::ptrdiff_t column = 0;
  };
  Shape shape_;
  CodeBorder border_;
  std::vector<Offset> offsets_;
  std::vector<std::vector<float>> distances_;  ///< of each patch, an image
  std::vector<float> squares_;
  std::vector<float> columns_;
};

}  // namespace semblance::features
