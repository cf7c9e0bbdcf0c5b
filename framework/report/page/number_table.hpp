// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "semblance/report.hpp"

namespace semblance {

/// Any reported table, sortable by a click on a column's head; columns of shares are percentages
/// with a bar behind each.
std::string number_table_html(const Table& table);

}  // namespace semblance
