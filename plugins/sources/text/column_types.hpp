// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "semblance/context.hpp"
#include "text/column_roles.hpp"

namespace semblance::sources {

/// The content of a file's column. The first line, which may name the columns, counts only if the
/// others are inconclusive.
struct ColumnType {
  bool numbers = false;  ///< some values are numbers
  std::string text;      ///< the first value that is neither a number nor missing
  std::size_t line = 0;  ///< its line; 0: none
};

/// Looks at all columns of a file. Rows that differ in their number of fields are left for others
/// to report.
std::vector<ColumnType> column_types(const std::string& file, const TableFormat& format,
                                     Context& context);

/// Whether a column without numbers has categories. A column with numbers and texts, or one that
/// looks like dates or numbers in another form, is reported to `fail`. `column` is its name in
/// messages.
bool holds_categories(const ColumnType& type, const std::string& column, const TableFormat& format,
                      const RoleFailure& fail);

}  // namespace semblance::sources
