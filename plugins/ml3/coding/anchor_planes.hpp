// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "problem.hpp"
#include "semblance/state.hpp"

namespace semblance::ml3 {

/// sum x x^T over some rows, minus their centre: the upper triangle of a column-major
/// square matrix. `samples` are row numbers in ascending order. Summed in double up the tree over
/// the parts of all rows, so it does not depend on the number of threads.
std::vector<double> second_moments(const TrainingRows& rows, std::span<const std::uint32_t> samples,
                                   Context& context);

/// The first `count` right singular vectors of the matrix of `rows` rows of `cols` values, by
/// decreasing singular value: orthonormal, one per row, with the sign that makes the value of
/// largest magnitude positive. They are the eigenvectors of the rows' second moments. Fewer where
/// the rank of the rows is lower (eigenvalues below 1e-10 of the largest count as 0). Throws Error
/// if all rows are 0.
FloatMatrix anchor_planes(std::vector<double> moments, std::size_t rows, std::size_t cols,
                          std::size_t count);

/// Bytes needed to compute the planes of several sets of rows at once, in addition to the results.
std::size_t anchor_planes_bytes(std::size_t cols, std::size_t sets, std::size_t threads) noexcept;

/// How the products v . x of a row with its anchor planes become weights.
enum class PlaneCoding {
  signed_values,  ///< v . x: the coordinates of x in the planes' orthonormal basis
  absolute,       ///< |v . x| / sum |v . x|
  squared         ///< (v . x)^2 / sum (v . x)^2: the share of the plane's direction in |x|^2
};

/// Replaces products by weights; zeros stay zeros.
void code_planes(PlaneCoding coding, std::span<float> products);

}  // namespace semblance::ml3
