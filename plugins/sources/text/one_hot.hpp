// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "text/text_table.hpp"

namespace semblance {

/// What becomes of a category that no training row has.
struct CategoryRules {
  bool accepts_unknown = false;  ///< all its column's values are 0; else it is an error
  bool found = false;            ///< nobody listed the categorical columns: too many are an error
};

/// Rows of numbers alone.
struct OneHotTable {
  std::size_t cols = 0;
  std::vector<std::string> columns;  ///< their names; empty: there are none
  std::vector<float> values;         ///< of the rows that are held
};

/// The table's rows with one value per category in place of each categorical column: 1 in rows that
/// have it, else 0. The categories are those of the training rows; of all rows, where there are
/// none. Takes the values out of `table`. Throws DataError naming the first row whose category is
/// unknown.
OneHotTable one_hot(TextTable& table, const Split& split, const CategoryRules& rules,
                    const std::string& file, Context& context);

}  // namespace semblance
