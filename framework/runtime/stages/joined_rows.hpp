// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "semblance/state.hpp"

namespace semblance {

/// What several nodes give of the same rows, next to each other.
FloatMatrix joined_rows(const std::vector<MatrixView>& inputs);

/// Copies as many rows and columns as `out` has.
void copy_rows(MatrixView from, MutableMatrixView out);

}  // namespace semblance
