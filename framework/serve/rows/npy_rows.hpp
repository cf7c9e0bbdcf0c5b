// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "serve/rows/given_rows.hpp"
#include "serve/rows/row_columns.hpp"

namespace semblance::serving {

/// Adds the rows of an array written by NumPy: float32 or float64, little-endian, two-dimensional,
/// row by row. Throws Error for any other array, and where a value is not finite; NaN is a missing
/// value where a column may lack one.
void read_npy(std::string_view bytes, const RowColumns& columns, GivenRows& rows);

}  // namespace semblance::serving
