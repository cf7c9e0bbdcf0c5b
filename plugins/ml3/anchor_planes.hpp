// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "problem.hpp"
#include "semblance/state.hpp"

namespace semblance::ml3 {

/// The first `count` right singular vectors of the matrix of some rows, by decreasing singular
/// value: orthonormal, one a row, the value of each that is largest in size positive. `samples`
/// are numbers of rows. The vectors are the eigenvectors of the second moments, which are summed in
/// double over fixed parts of the rows, so they do not depend on the number of threads. Throws
/// Error where the rows have no more than a lower rank (eigenvalues under 1e-10 of the largest
/// count as 0).
FloatMatrix anchor_planes(MatrixView rows, std::span<const std::uint32_t> samples,
                          std::size_t count, const Surroundings& surroundings);

/// Bytes that anchor_planes() takes besides its result.
std::size_t anchor_planes_bytes(std::size_t cols) noexcept;

/// How the products v . x of a row with its anchor planes become weights.
enum class PlaneCoding {
  signed_values,  ///< v . x: the coordinates of x in the planes' orthonormal basis
  absolute,       ///< |v . x| / sum |v . x|
  squared         ///< (v . x)^2 / sum (v . x)^2: the share of the plane's direction in |x|^2
};

/// Replaces products by weights; zeros stay zeros.
void code_planes(PlaneCoding coding, std::span<float> products);

}  // namespace semblance::ml3
