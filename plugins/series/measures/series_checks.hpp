// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "semblance/layout.hpp"
#include "semblance/matrix.hpp"
#include "semblance/row_error.hpp"

namespace semblance {

/// Throws Error unless the rows are series of the layout: none empty, none too long.
void check_series(MatrixView rows, const Layout& layout, RowError::Of of);

/// Throws Error naming the first value that is not finite; `where` is "the block" or "the bases".
/// A smallest sum would pass by such a value without a word.
void check_finite(MatrixView series, const Layout& layout, RowError::Of of);

}  // namespace semblance
