// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "row_facts.hpp"
#include "semblance/context.hpp"

namespace semblance::sources {

/// A table beside the rows of another file, with a row for each, and the names or numbers of its
/// columns that say something of them; empty: none.
struct BesideTable {
  std::string file;
  std::string id;
  std::string weight;
  std::string groups;
};

/// Reads the ids, weights and groups of the rows of another file. Its first line is a header unless
/// all columns are given by number. Throws DataError naming the line and the problem, also if it
/// has not as many rows.
RowFacts read_beside(const BesideTable& table, std::size_t rows, const std::string& rows_file,
                     Context& context);

}  // namespace semblance::sources
