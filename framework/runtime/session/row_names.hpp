// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

#include "runtime/session/run_data.hpp"
#include "semblance/row_error.hpp"

namespace semblance {

/// The name in messages of a row of node i, given by its position. It uses the number that the row
/// has in the user's data: "row 17 of the data", "row 3 of the test data".
std::string row_name(const Compilation& graph, const RunData& data, std::size_t i,
                     std::size_t position);

/// The name of the row that a problem of node i is about.
std::string row_name(const Compilation& graph, const RunData& data, std::size_t i,
                     const RowError& problem);

/// The name of one of the rows that the caller gives.
std::string given_row_name(std::size_t position);

/// Warns of rows of node i that have nothing in common with the training samples, each time of
/// those noted since. `given`: they are rows that the caller gives.
void tell_unknown_rows(RunProgress& progress, const RunData& data, std::size_t i, bool given);

}  // namespace semblance
