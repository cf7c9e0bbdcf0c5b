// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>

#include "runtime/session/run_data.hpp"
#include "semblance/samples.hpp"

namespace semblance {

/// Has node i learn where several ranks run it together. If its components can, they learn from
/// rows that stay on their ranks; otherwise all rows are sent to the first rank, which learns and
/// sends the result back. Afterwards all ranks have the same state and the same report. Collective.
void learn_together(RunProgress& progress, RunData& data, std::size_t i);

/// All rows on the first rank, in its memory, where each rank has its own; nothing on other ranks.
/// They are the rows `span` of a data set with this outline, and `sizes` are theirs. Collective.
std::shared_ptr<KeptRows> rows_on_first(Ranks& ranks, RowMemory& memory, const Outline& outline,
                                        const Rows& rows, RowSpan span, const RowSizes& sizes);

/// Sends this rank's rows of node i, its scores of rows `span`, to the first rank, which then has
/// all of them. Collective.
void give_scores_to_first(RunProgress& progress, RunData& data, std::size_t i, RowSpan span);

}  // namespace semblance
