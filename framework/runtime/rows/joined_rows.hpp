// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "semblance/samples.hpp"

namespace semblance {

/// The output of several nodes for the same rows, side by side.
FloatMatrix joined_rows(const std::vector<MatrixView>& inputs);

}  // namespace semblance
