// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "serve/rows/given_rows.hpp"
#include "serve/rows/row_columns.hpp"

namespace semblance::serving {

/// Adds the rows of `{"rows": [...]}`: each an array of all values, or an object of values by
/// column name. Exceptions name the row, counted from 1, or the byte of a JSON error.
void read_json(std::string_view text, const RowColumns& columns, GivenRows& rows);

/// Adds a line that is one row, an array or an object.
void read_json_row(std::string_view line, const RowColumns& columns, GivenRows& rows);

}  // namespace semblance::serving
