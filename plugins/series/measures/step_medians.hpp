// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "semblance/matrix.hpp"

namespace semblance {

/// The median distance between steps of different series, of at most 1000 steps, evenly taken from
/// at most 40 series, evenly taken; of one series, between its own steps. 0 where
/// there are no two steps.
double median_step_distance(MatrixView series, std::size_t channels);

/// The median of the numbers of steps.
double median_length(MatrixView series, std::size_t channels);

}  // namespace semblance
