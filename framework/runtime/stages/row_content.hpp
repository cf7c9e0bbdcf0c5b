// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runtime/session/run_data.hpp"
#include "support/files/hash.hpp"

namespace semblance {

/// The samples of a source, identified by content: their values and the name of their class. Names
/// of files and nodes, the seed and other parameters have no effect. So equal samples are
/// recognized as equal, and different ones as different, no matter where they come from.
struct SourceContent {
  std::string tested;           ///< of the test rows, in their order; empty: there are none
  std::string all;              ///< of all rows, independent of their order
  std::vector<Digest> digests;  ///< one per sample; empty where the other members came from the
                                ///< store
};

/// The samples that solver i learned from and was tested on. The required hashes are in the store
/// afterwards. Nothing where they were not known when a stop was requested, and on ranks other than
/// the first; in a fold of a cross-validation only the numbers of samples.
std::optional<RowsRecord> rows_of_solver(RunProgress& progress, RunData& data, std::size_t i);

/// Where several ranks share the rows: each rank reads its own for rows_of_solver(), which the
/// first rank calls afterwards. Collective.
void share_row_content(RunProgress& progress, RunData& data, std::size_t i);

}  // namespace semblance
