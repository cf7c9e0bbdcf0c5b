// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace semblance::features {

/// Values of a SIFT descriptor: 4x4 bins of 8 orientations.
inline constexpr std::size_t sift_values = 128;

/// The positions of dense descriptors. A descriptor of bin size b has 4x4 bins of b pixels; all
/// sizes have the same centres, to half a pixel.
struct SiftGridShape {
  std::size_t height = 0;  ///< of the image, in pixels
  std::size_t width = 0;
  std::size_t step = 8;           ///< pixels between centres
  std::vector<std::size_t> bins;  ///< sides in pixels
  bool flat = true;               ///< a box in place of the Gaussian window: faster
  double smoothing = 0;           ///< standard deviation before gradients, in bins

  std::size_t largest() const;
  /// Descriptors down and across: 0 when the image is too small.
  std::size_t rows() const { return count(height); }
  std::size_t cols() const { return count(width); }
  /// Row or column of the first centre, in pixels; `size` is the height or the width.
  double first_centre(std::size_t size) const;

 private:
  std::size_t count(std::size_t size) const;
};

/// Dense SIFT by VLFeat. One object per thread.
class SiftGridDescriptors {
 public:
  explicit SiftGridDescriptors(const SiftGridShape& shape);
  ~SiftGridDescriptors();
  SiftGridDescriptors(const SiftGridDescriptors&) = delete;
  SiftGridDescriptors& operator=(const SiftGridDescriptors&) = delete;

  /// Fills `out` by (row, column, bin size, 128); descriptors have length 1, or 0 without contrast.
  void describe(const float* image, std::span<float> out);

 private:
  struct Filters;
  SiftGridShape shape_;
  std::unique_ptr<Filters> filters_;
  std::vector<float> smoothed_;
};

/// A place in an image, in pixels from the middle of the first one.
struct SiftPoint {
  double x = 0;
  double y = 0;
};

/// Upright SIFT descriptors at given points: by (point, bin size, 128). Points need not be
/// integers; pixels outside the image are ignored. Thread-safe.
void describe_points(const float* image, std::size_t height, std::size_t width,
                     std::span<const SiftPoint> points, std::span<const double> bins,
                     double smoothing, std::span<float> out);

/// Whether all pixels are finite numbers; VLFeat's filters must not see others.
bool all_finite(std::span<const float> pixels);

/// Means of shrink x shrink pixels; remaining pixels at the right and at the bottom are cut off.
void shrink_image(const float* image, std::size_t height, std::size_t width, std::size_t shrink,
                  std::vector<float>& out);

}  // namespace semblance::features
