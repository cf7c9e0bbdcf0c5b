// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "grids/shifts.hpp"

namespace semblance::vectors {

/// The plan for correlating two grids of cells by a two-dimensional discrete Fourier transform, for
/// the rigid similarity's sums over cells, sum_c <b(c), x(c + z)>.
///
/// A circular correlation of height + rows by width + cols cells has no aliases for displacements
/// up to (rows, cols). At each frequency the sum over a cell's values is one complex product of
/// vectors, done with three real ones (Gauss): (p + iq)(u + iv) has the real part k1 - k3 and the
/// imaginary part k1 + k2 of k1 = (p + q) u, k2 = p (v - u), k3 = q (u + v). Half the frequencies
/// suffice, since the grids are real; those that are their own mirror are real and need one
/// product. For 8x8 cells and displacements up to 2: 10x10, 148 products of vectors in place of
/// 1156 pairs of cells.
struct CorrelationPlan {
  /// A tile of the workspace, times a factor.
  struct Term {
    std::size_t tile;
    float factor;
  };
  /// From tiles to tiles: E and O are sums of terms; gives E + O and E - O. All tiles are read
  /// before any is written.
  struct Step {
    std::vector<Term> even;
    std::vector<Term> odd;
    std::size_t sum = none;
    std::size_t difference = none;
  };
  /// The frequencies of one column of the transform: their products fill tiles [0, products), and
  /// the steps transform them back along the column, for the displacements wanted.
  struct Column {
    std::size_t products = 0;
    std::vector<Step> steps;
  };
  /// The last steps: E + O and E - O are correlations at displacements with the same cost.
  struct Result {
    std::vector<Term> even;
    std::vector<Term> odd;
    float cost = 0;
  };
  struct Frequency {
    std::size_t y;
    std::size_t x;
    bool real;  ///< its own mirror: one product, else three
  };
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

  CorrelationPlan() = default;
  explicit CorrelationPlan(const RigidShifts& shifts);

  CellGrid grid;
  std::size_t height = 0;  ///< of the transform
  std::size_t width = 0;
  std::vector<Frequency> frequencies;  ///< column after column
  std::vector<Column> columns;
  std::vector<Result> results;
  std::size_t products = 0;  ///< real products of cells in all
  std::size_t tiles = 0;     ///< size of the workspace; the last one is free for the steps' use

  /// Multiplications for one pair of samples.
  double multiplications() const noexcept;

 private:
  void add_column(std::size_t x, const RigidShifts& shifts);
  void add_results(const RigidShifts& shifts);
  std::size_t real_part(std::size_t x, std::size_t z) const noexcept;
  bool own_mirror(std::size_t k, std::size_t size) const noexcept { return 2 * k % size == 0; }

  std::size_t spectrum_ = 0;  // first tile of the columns' results
};

}  // namespace semblance::vectors
