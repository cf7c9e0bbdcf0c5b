// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>

#include "semblance/row_lines.hpp"
#include "serve/rows/given_rows.hpp"

namespace semblance::serving {

/// Whether the first line of a table names the columns.
enum class Header { present, absent, find_out };

/// Removes the next line from `text`, without its line end. Nothing where there is none.
std::optional<std::string_view> take_line(std::string_view& text, char line_end = '\n');

/// Adds the rows of a whole table, skipping empty lines as in files. Exceptions name the line.
void read_table(std::string_view text, Header header, RowLines& lines, GivenRows& rows);

}  // namespace semblance::serving
