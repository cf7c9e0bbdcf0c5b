// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "semblance/matrix.hpp"

namespace semblance::series {

/// The median distance between steps of different series, for at most 1000 evenly spaced steps from
/// at most 40 evenly spaced series; for a single series, between its own steps. 0 with fewer than
/// two steps.
double median_step_distance(MatrixView series, std::size_t channels);

/// The median of the numbers of steps.
double median_length(MatrixView series, std::size_t channels);

}  // namespace semblance::series
