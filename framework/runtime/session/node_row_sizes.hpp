// SPDX-License-Identifier: MIT
#pragma once

#include "runtime/session/run_data.hpp"

namespace semblance {

/// How many values each of node i's rows has. Opens the data set where rows differ in size and are
/// not retained. Thread-safe.
RowSizes row_sizes(RunProgress& progress, RunData& data, std::size_t i);

/// The sizes of some rows of a node's inputs, side by side.
RowSizes joined_sizes(RunProgress& progress, RunData& data, const NodeFacts& node, RowSpan span);

/// How many values the rows of a node have, when made from `rows` rows of these sizes.
RowSizes made_sizes(const Node& node, const RowSizes& from, std::size_t rows);

}  // namespace semblance
