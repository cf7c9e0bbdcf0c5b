// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "text/string_rows.hpp"

namespace semblance::sources {

/// The remaining rows after removal of rare classes.
struct KeptRows {
  std::size_t first = 0;              ///< of the rows of the first file
  std::vector<std::int64_t> numbers;  ///< where the rows that are left stood; empty: all are left
  std::size_t classes_left_out = 0;
};

/// Removes the rows of classes with fewer than `smallest` rows among the `first` ones; rows without
/// a label stay.
KeptRows leave_out_rare_classes(std::size_t smallest, std::size_t first, StringRows& rows);

}  // namespace semblance::sources
