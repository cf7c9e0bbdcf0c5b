// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "semblance/context.hpp"
#include "semblance/samples.hpp"

namespace semblance {

/// The columns that have the same value in all rows, in ascending order; none of fewer than two
/// rows. Looks at as many rows as it takes to find that a column differs. Where rows are spread
/// over several ranks, each looks at its own, and all get the answer; then it is collective.
std::vector<std::size_t> constant_columns(const Rows& rows, Context& context);

/// One sentence about constant columns: how many of all, and which, by name where there are names.
std::string constant_columns_text(std::span<const std::size_t> constant, std::size_t columns,
                                  std::span<const std::string> names);

}  // namespace semblance
