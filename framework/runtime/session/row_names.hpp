// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "runtime/session/run_data.hpp"
#include "semblance/row_error.hpp"

namespace semblance {

/// The name in messages of a row of node i, given by its position. It uses the number that the row
/// has in the user's data, and its name if it has one: "row 17 ('Iris') of the data", "row 3 of the
/// test data".
std::string row_name(const Compilation& graph, const RunData& data, std::size_t i,
                     std::size_t position);

/// The name of the row that a problem of node i is about.
std::string row_name(const Compilation& graph, const RunData& data, std::size_t i,
                     const RowError& problem);

/// The name of one of the rows that the caller gives.
std::string given_row_name(std::size_t position);

/// Runs `all`, which concerns `rows` rows of that kind. Where it fails, but `one` succeeds for some
/// of them, the failure becomes a RowError about the first row that fails, unless it names a place
/// already: a component need not know of rows.
void name_failing_row(RowError::Of of, std::size_t rows, const std::function<void()>& all,
                      const std::function<void(std::size_t row)>& one);

/// Warns of rows of node i that have nothing in common with the training samples, each time of
/// those noted since. `given`: they are rows that the caller gives.
void report_unknown_rows(RunProgress& progress, const RunData& data, std::size_t i, bool given);

}  // namespace semblance
