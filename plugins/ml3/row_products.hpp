// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <span>

#include "semblance/matrix.hpp"
#include "semblance_numerics/packed_rows.hpp"

namespace semblance::ml3 {

/// Calls body(i, z) for every row of `rows`, z holding the products of the row minus `centre` with
/// all rows of `models`; where those are one value longer, the rows end with the constant `bias`. A
/// row's products do not depend on the rows around it. Throws Error if the lengths do not fit.
void for_each_product(MatrixView rows, std::span<const double> centre, double bias,
                      const numerics::PackedRows& models,
                      const std::function<void(std::size_t, std::span<const float>)>& body);

/// Scales non-negative values to sum 1; where all are 0 they stay so.
void scale_to_shares(std::span<float> values);

}  // namespace semblance::ml3
