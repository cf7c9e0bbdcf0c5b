// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace semblance::numerics {

/// values[i] = exp(scale * values[i]), within 2 units in the last place; arguments under -87 give
/// 0 or a denormal's neighbour.
void exponentiate(float* values, std::size_t count, float scale);

/// The same in double, also within 2 units in the last place; NaN stays NaN.
void exponentiate(double* values, std::size_t count, double scale);

/// values[i] = exp(-gamma * max(0, norm + norms[i] - 2 values[i])): a row of products turned into
/// Gaussian similarities.
void gaussian_from_products(float* values, const float* norms, std::size_t count, float norm,
                            float gamma);

}  // namespace semblance::numerics
