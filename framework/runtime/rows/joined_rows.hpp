// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "semblance/samples.hpp"

namespace semblance {

/// What several nodes give of the same rows, next to each other.
FloatMatrix joined_rows(const std::vector<MatrixView>& inputs);

}  // namespace semblance
