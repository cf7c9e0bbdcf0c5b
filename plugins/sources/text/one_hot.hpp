// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "text/text_table.hpp"

namespace semblance::sources {

/// The treatment of a category without training samples.
struct CategoryRules {
  bool accepts_unknown = false;  ///< all its column's values are 0; else it is an error
  bool found = false;            ///< the categorical columns were not listed: too many are an error
};

/// Rows with only numbers.
struct OneHotTable {
  std::size_t cols = 0;
  std::vector<std::string> columns;  ///< their names; empty: none
  std::vector<float> values;         ///< of the rows that are held
};

/// The table's rows with one value per category in place of each categorical column: 1 in rows of
/// the category, else 0. The categories are those of the training samples, or of all rows if there
/// are none. Moves the values out of `table`. Throws DataError naming the first row with an unknown
/// category.
OneHotTable one_hot(TextTable& table, const Split& split, const CategoryRules& rules,
                    const std::string& file, Context& context);

}  // namespace semblance::sources
