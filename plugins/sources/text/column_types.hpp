// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "semblance/context.hpp"
#include "text/column_roles.hpp"

namespace semblance {

/// What a column of a file holds. The first line counts only where the others tell nothing: it may
/// name the columns.
struct ColumnType {
  bool numbers = false;  ///< some values are numbers
  std::string text;      ///< the first value that is neither a number nor missing
  std::size_t line = 0;  ///< where that stands; 0: there is none
};

/// Looks at all columns of a file. Rows that differ in their number of fields are left for others
/// to report.
std::vector<ColumnType> column_types(const std::string& file, const TableFormat& format,
                                     Context& context);

/// Whether a column without numbers holds categories; a column that has numbers and texts, or that
/// looks like dates or numbers in another form, is reported to `fail`. `column` is what messages
/// call it.
bool holds_categories(const ColumnType& type, const std::string& column, const TableFormat& format,
                      const RoleFailure& fail);

}  // namespace semblance
