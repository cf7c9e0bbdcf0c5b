// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runtime/session/session.hpp"
#include "support/hash.hpp"

namespace semblance {

/// The rows of a source by what is in them: their values and the name of their class. Names of
/// files and nodes, the seed and the other parameters play no part, so that the same samples are
/// known to be the same wherever they come from, and others to be others.
struct SourceContent {
  std::string tested;           ///< of the test rows, in their order; empty: there are none
  std::string all;              ///< of all rows, whatever their order
  std::vector<Digest> digests;  ///< one a row; empty where the rest came from the store
};

/// What solver i learned from and was tested on. What has to be read for that is in the store
/// afterwards. Nothing where it was not yet known when a stop was requested, and on ranks that are
/// not the first; in a fold of a cross-validation only the numbers of rows.
std::optional<RowsRecord> rows_of_solver(Session& session, std::size_t i);

/// Where several ranks share out the rows: reads them for rows_of_solver(), which the first rank
/// asks afterwards, each rank its own. Collective.
void share_row_content(Session& session, std::size_t i);

}  // namespace semblance
