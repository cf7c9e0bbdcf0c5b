// SPDX-License-Identifier: MIT
#pragma once

#include "runtime/session/session.hpp"

namespace semblance {

/// How many values each of node i's rows has. Where they differ in size, and are not kept, the data
/// set is opened. Thread-safe.
RowSizes row_sizes(Session& session, std::size_t i);

/// Of some rows of a node's inputs, side by side.
RowSizes joined_sizes(Session& session, const Node& node, RowSpan span);

/// How many values the rows of a node have that are made from `rows` rows of these sizes.
RowSizes made_sizes(const Node& node, const RowSizes& from, std::size_t rows);

}  // namespace semblance
