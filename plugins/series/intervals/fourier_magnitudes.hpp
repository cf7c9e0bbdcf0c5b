// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace semblance::series {

/// A complex number. Products of std::complex check for infinite factors, which takes most of their
/// time.
struct Complex {
  double re = 0;
  double im = 0;
};

/// Memory for transforms, reused from one to the next.
struct FourierRoom {
  std::vector<Complex> values;
  std::vector<Complex> padded;
};

/// The discrete Fourier transform of real series of one length.
///
/// Powers of two by Cooley and Tukey (1965), other lengths as a convolution by Bluestein (1970), in
/// double; a series of even length is transformed as half as many complex numbers.
class FourierMagnitudes {
 public:
  /// `length` must be 1 or more.
  explicit FourierMagnitudes(std::size_t length);

  std::size_t length() const noexcept { return length_; }
  /// Frequencies 0, 1 / length, ..., up to 1 / 2 at most: length / 2 + 1.
  std::size_t frequencies() const noexcept { return length_ / 2 + 1; }

  /// |sum over t of series[t] exp(-2 pi i k t / length)| for k = 0, 1, ..., frequencies() - 1. What
  /// is below 1e-14 times the sum of |series[t]|, more than the transform's rounding, is 0.
  void operator()(std::span<const float> series, std::span<float> magnitudes,
                  FourierRoom& room) const;

 private:
  void transform(std::vector<Complex>& values, std::vector<Complex>& padded) const;

  std::size_t length_;
  std::size_t points_;                ///< complex numbers to transform
  std::size_t padded_;                ///< a power of two; points_ itself, where it is one
  std::vector<Complex> roots_;        ///< exp(-2 pi i k / padded_), k < padded_ / 2
  std::vector<Complex> chirp_;        ///< exp(-pi i k^2 / points_); empty if points_ is padded_
  std::vector<Complex> filter_;       ///< the transform of the chirp's conjugate, over padded_
  std::vector<Complex> turns_;        ///< exp(-2 pi i k / length_), k <= points_, for even lengths
  std::vector<std::uint32_t> order_;  ///< bits reversed; empty if points_ is not padded_
};

}  // namespace semblance::series
