// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "row_facts.hpp"
#include "semblance/context.hpp"
#include "text/fact_columns.hpp"

namespace semblance::sources {

/// Reads the ids, weights and groups of the rows of another file from a table with a row for each.
/// Its first line is a header unless all columns are given by number. Throws DataError naming the
/// line and the problem, also if it has not as many rows.
RowFacts read_beside(const std::string& file, const FactNames& names, std::size_t rows,
                     const std::string& rows_file, Context& context);

}  // namespace semblance::sources
