// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "serve/rows/given_rows.hpp"
#include "serve/rows/row_columns.hpp"

namespace semblance::serving {

/// Adds the rows of `{"rows": [...]}`: each an array of all values, or an object of values by the
/// names of columns. What it throws names the row, counted from 1, or the byte of what is no JSON.
void read_json(std::string_view text, const RowColumns& columns, GivenRows& rows);

/// Adds the one row that a line is, an array or an object.
void read_json_row(std::string_view line, const RowColumns& columns, GivenRows& rows);

}  // namespace semblance::serving
