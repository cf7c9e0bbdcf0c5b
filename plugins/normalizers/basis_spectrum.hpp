// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "semblance_numerics/spectrum_repair.hpp"
#include "semblance_numerics/symmetric_eigen.hpp"

namespace semblance::normalizers {

/// A symmetric matrix K = V diag(values) V^T in double.
class BasisSpectrum {
 public:
  /// Decomposes the symmetric part of a row-major n x n matrix. Throws Error as
  /// numerics::symmetric_eigen() does.
  BasisSpectrum(std::vector<double> matrix, std::size_t n);

  const std::vector<double>& values() const noexcept { return eigen_.values; }  ///< ascending

  /// The largest difference between an entry and its mirror image.
  double asymmetry() const noexcept { return asymmetry_; }

  std::size_t negative() const noexcept;

  /// The share of the negative eigenvalues in the sum of all absolute ones.
  double negative_share() const noexcept;

  /// The symmetric inverse root V diag(f(values)) V^T, row-major, where f is 1 / sqrt of a repaired
  /// eigenvalue, or 0 if that is not above `threshold` times the largest; `dropped` receives the
  /// number of the latter. Throws Error if none is left.
  std::vector<double> inverse_root(numerics::SpectrumRepair repair, double threshold,
                                   std::size_t& dropped) const;

  /// The share of the bases' differences (the trace of the centred matrix) along eigenvectors that
  /// inverse_root() drops; 0 if all bases are alike.
  double dropped_differences(numerics::SpectrumRepair repair, double threshold) const;

  /// The largest number of bytes that construction and inverse_root() need, including the given
  /// matrix.
  static std::size_t bytes(std::size_t n) noexcept;

 private:
  std::size_t n_;
  double asymmetry_ = 0;
  numerics::SymmetricEigen<double> eigen_;
};

}  // namespace semblance::normalizers
