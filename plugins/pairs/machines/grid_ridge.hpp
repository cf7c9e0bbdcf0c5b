// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "newton/vec_trick.hpp"
#include "semblance/context.hpp"

namespace semblance::pairs {

/// The training pairs that are left out before one of them is estimated: itself, those of its first
/// or of its second sample, or those of either.
enum class LeftOut { pair, first, second, both };

/// Row-major.
struct GridMatrix {
  std::size_t rows = 0, cols = 0;
  std::vector<double> values;

  GridMatrix() = default;
  GridMatrix(std::size_t rows, std::size_t cols) : rows(rows), cols(cols), values(rows * cols) {}
  double* row(std::size_t i) noexcept { return values.data() + i * cols; }
  const double* row(std::size_t i) const noexcept { return values.data() + i * cols; }
};

/// The eigenvectors of a kernel matrix as rows, and their squares.
struct GridAxis {
  std::vector<double> eigenvalues;
  GridMatrix vectors, squares;

  GridAxis() = default;
  explicit GridAxis(std::vector<double> kernel, std::size_t order);
  std::size_t order() const noexcept { return eigenvalues.size(); }
};

/// Kernel ridge regression on a complete grid, of which each first sample has a pair with each
/// second one. With K = U diag(l) U' and G = V diag(s) V' the matrix of pairs has the eigenvalues
/// l_k s_j and the eigenvectors U x V, so that fits and the errors of pairs that they leave out
/// follow without a matrix of pairs (Pahikkala et al. 2013; Stock et al. 2018, 2020). The error of
/// the pairs S of one sample is (B_SS)^-1 a_S, where B is the inverse of the system's matrix, and
/// B_SS has the other side's eigenvectors. Without both samples it is this error on the grid
/// without the first sample, whose kernel matrix has eigenvectors of its own.
class GridRidge {
 public:
  /// Throws Error if a pair is missing or occurs twice, or if nothing would remain to learn from.
  GridRidge(const VecTrick& pairs, bool intercept, LeftOut left_out, Context& context);

  /// What a penalty gives.
  struct Fit {
    std::vector<std::vector<double>> coefficients;  ///< outputs x pairs
    std::vector<double> errors;  ///< pairs x outputs: numbers minus estimates by others' fits
  };
  /// `targets`: pairs x outputs. Throws Error if a penalty is below the rounding of the kernels,
  /// Cancelled on a stop request.
  std::vector<Fit> fits(std::span<const double> targets, std::size_t outputs,
                        std::span<const double> penalties, Context& context) const;

 private:
  std::vector<double> of_pairs(const GridMatrix& grid) const;
  void leave_out_row(std::size_t row, std::span<const GridMatrix> turned,
                     std::span<const double> targets, std::span<const double> penalties,
                     std::vector<Fit>& made) const;

  std::vector<std::size_t> cells_;  ///< of each pair, in the grid
  std::vector<std::size_t> pairs_;  ///< of each cell
  bool intercept_;
  LeftOut left_out_;
  std::vector<double> kernel_;  ///< of the rows
  GridAxis rows_, columns_;     ///< first and second samples, or the other way around
};

}  // namespace semblance::pairs
