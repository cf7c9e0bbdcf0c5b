// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

#include "semblance/component_info.hpp"
#include "semblance/report.hpp"

namespace semblance {

/// Any reported table, sortable by a click on a column's head. Columns that are shares according to
/// the node's figures are percentages with a bar behind each.
std::string number_table_html(const Table& table, std::span<const FigureInfo> figures);

}  // namespace semblance
