// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "semblance_numerics/spectrum_repair.hpp"
#include "semblance_numerics/symmetric_eigen.hpp"

namespace semblance {

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
  /// eigenvalue, or 0 where that is not above `threshold` times the largest; how many those are
  /// comes back in `dropped`. Throws Error when none is left.
  std::vector<double> inverse_root(numerics::SpectrumRepair repair, double threshold,
                                   std::size_t& dropped) const;

  /// Of what the bases differ by, the trace of the centred matrix, the share that lies along
  /// eigenvectors which inverse_root() drops; 0 where all bases are alike.
  double dropped_differences(numerics::SpectrumRepair repair, double threshold) const;

  /// Bytes that construction and inverse_root() take at most, the given matrix included.
  static std::size_t bytes(std::size_t n) noexcept;

 private:
  std::size_t n_;
  double asymmetry_ = 0;
  numerics::SymmetricEigen<double> eigen_;
};

}  // namespace semblance
