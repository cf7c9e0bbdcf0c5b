// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>

#include "runtime/session/run_data.hpp"

namespace semblance {

/// How many values each of node i's rows has. Opens the data set where rows differ in size and are
/// not retained. Thread-safe.
RowSizes row_sizes(RunProgress& progress, RunData& data, std::size_t i);

/// The sizes of some rows of a node's inputs, side by side.
RowSizes joined_sizes(RunProgress& progress, RunData& data, const NodeFacts& node, RowSpan span);

/// Computes rows [first, first + out.rows) of a node's input. Thread-safe.
using InputRows = std::function<void(std::size_t first, MutableMatrixView out)>;

/// Whether the number of values of a row depends on its content.
bool sized_by_content(const Node& node);

/// How many values the rows of a node have, when made from `rows` rows of these sizes. Where their
/// content decides, the input rows are computed for it.
RowSizes made_sizes(const Node& node, const RowSizes& from, std::size_t rows,
                    const InputRows& compute, Context& context);

}  // namespace semblance
