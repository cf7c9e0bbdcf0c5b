// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "runtime/stages/pulled_rows.hpp"

namespace semblance {

/// The training rows of one node, `rows`, with all that a component may know of them.
TrainingSet training_set(Session& session, std::size_t node, const Rows& rows);

/// The number of each of node i's training rows, as its component knows them: the source's, or,
/// where it reads a map's values as similarities to these rows, the column. Empty: the positions.
std::vector<std::int64_t> numbers_of_rows(Session& session, std::size_t i);

/// The columns that each input of node i gives it.
std::vector<std::size_t> input_widths(const Session& session, std::size_t i);

/// What the component of solver i is told that its inputs are called; empty where it has only one.
std::vector<std::string> input_names(const Session& session, std::size_t i);

}  // namespace semblance
