// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "tables/text_table.hpp"

namespace semblance::sources {

/// The first line of a table, which is a header or a row.
struct FirstLine {
  std::span<const std::string_view> fields;
  std::string path;
  std::size_t number;  ///< of the line
};

/// Whether it names the columns, where neither a parameter nor known names say so. `table` has the
/// rows of an earlier file; `as_row` gives the roles of the columns if the line is a row. Throws
/// DataError if it may be either.
bool names_columns(const FirstLine& line, const FileFormat& format, const TextTable& table,
                   const std::function<ColumnRoles()>& as_row, Context& context);

}  // namespace semblance::sources
