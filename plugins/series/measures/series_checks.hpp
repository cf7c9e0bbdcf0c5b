// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "semblance/layout.hpp"
#include "semblance/matrix.hpp"
#include "semblance/row_error.hpp"

namespace semblance::series {

/// Throws Error unless the rows are series of the layout's channels, none of them empty. New series
/// may be longer than the layout says.
void check_series(MatrixView rows, const Layout& layout, RowError::Of of);

/// Throws Error naming the first value that is not finite; `where` is "the block" or "the bases". A
/// minimum of sums would silently ignore such a value.
void check_finite(MatrixView series, const Layout& layout, RowError::Of of);

}  // namespace semblance::series
