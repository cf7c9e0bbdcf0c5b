// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "semblance/layout.hpp"

namespace semblance::normalizers {

/// The first row and column of a square of pixels, which may be outside the image.
struct Corner {
  std::ptrdiff_t top = 0;
  std::ptrdiff_t left = 0;

  bool operator==(const Corner&) const = default;
};

/// The corner of a square of `side` pixels with its centre at these shares of the image's height
/// and width: 0 is the first row or column of pixels, 1 the last.
Corner corner_around(const Layout& image, double y, double x, std::size_t side);

/// Copies a square of one channel. Beyond its border the image is continued by its nearest pixel.
/// `out` is the square's first row, and its rows are `stride` values apart.
void copy_square(const Layout& image, const float* channel, const Corner& corner, std::size_t side,
                 float* out, std::size_t stride);

/// Finds a point in images by its surroundings: the place with the largest correlation with a
/// template, a square of `size` pixels, up to `reach` pixels from the point's average position.
class PointTemplate {
 public:
  PointTemplate(std::size_t size, std::size_t reach);

  /// Takes the image's surroundings of the point's average position, and the corner of the
  /// template's square there. Channels are averaged.
  void look(const Layout& image, const float* values, const Corner& corner);

  /// The displacement from there of the place with the largest normalized correlation. Ties go to
  /// the average position itself, else to the first place. `weights` (size x size) must have mean
  /// 0.
  Corner find(std::span<const float> weights);

  /// Adds the square found there, with mean 0 and length 1; nothing if it has no contrast.
  void add_to(std::span<double> sum, const Corner& shift) const;

 private:
  void sum_products(std::span<const float> weights);
  void sum_squares();

  std::size_t size_;
  std::size_t reach_;
  std::size_t places_;               ///< per side: 2 reach + 1
  std::size_t width_;                ///< of a row of places, padded for the last lanes
  std::size_t side_;                 ///< of the surroundings
  std::size_t stride_;               ///< between their rows
  std::vector<float> channel_;       ///< of the surroundings
  std::vector<double> around_;       ///< the surroundings, minus the pixel in their middle
  std::vector<double> products_;     ///< by place: with the weights
  std::vector<double> lengths_;      ///< by place: of the square minus its mean; 0: no contrast
  std::vector<double> row_sums_;     ///< by row of the surroundings and column of places
  std::vector<double> row_squares_;  ///< as well
};

}  // namespace semblance::normalizers
