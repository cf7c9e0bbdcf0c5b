// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "semblance/context.hpp"
#include "semblance/samples.hpp"

namespace semblance {

/// The columns that have the same value in all rows, in ascending order; empty for fewer than two
/// rows. Reads only as many rows as it takes to find that every column varies. Where rows are
/// spread over several ranks, each looks at its own and all get the same answer; then it is
/// collective.
std::vector<std::size_t> constant_columns(const Rows& rows, Context& context);

/// Removes the categories ("city=Rome") of columns with several: that no training row has a rare
/// one is nobody's mistake. `names` are those of all columns, or empty.
void drop_rare_categories(std::vector<std::size_t>& constant, std::span<const std::string> names);

/// One sentence about constant columns: how many there are of how many columns, and which ones, by
/// name where columns have names.
std::string constant_columns_text(std::span<const std::size_t> constant, std::size_t columns,
                                  std::span<const std::string> names);

}  // namespace semblance
