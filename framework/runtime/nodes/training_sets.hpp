// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "runtime/stages/pulled_rows.hpp"

namespace semblance {

/// The training samples of one node, `rows`, with all that a component may know of them.
TrainingSet training_set(const Compilation& graph, RunData& data, std::size_t node,
                         const Rows& rows);

/// The number of each training sample of node i, as its component knows them: the source's number,
/// or the column where it reads a map's values as similarities to these samples. Empty: the
/// positions. `columns` holds those that are columns.
std::span<const std::int64_t> numbers_of_rows(const Compilation& graph, RunData& data,
                                              std::size_t i, std::vector<std::int64_t>& columns);

/// How many columns node i gets from each of its inputs.
std::vector<std::size_t> input_widths(const Compilation& graph, std::size_t i);

/// The names of the inputs that the component of solver i gets; empty where it has only one input.
std::vector<std::string> input_names(const Compilation& graph, std::size_t i);

}  // namespace semblance
