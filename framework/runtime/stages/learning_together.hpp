// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>

#include "runtime/session/session.hpp"
#include "semblance/samples.hpp"

namespace semblance {

/// Has node i learn where several ranks run it together: from rows that stay where they are, if its
/// components can; else on the first rank, which is sent all rows that it learns from, and sends
/// what came of it. Afterwards all ranks have the same state and the same report. Collective.
void learn_together(Session& session, std::size_t i);

/// Of rows that each rank has its own of, all, on the first rank; nothing on the others. They are
/// the rows `span` of the data set that node i's rows come from, `sizes` are theirs. Collective.
std::shared_ptr<KeptRows> rows_on_first(Session& session, std::size_t i, const Rows& rows,
                                        RowSpan span, const RowSizes& sizes);

/// Sends the own rows of node i, its scores of rows `span`, to the first rank, which has all of
/// them then. Collective.
void give_scores_to_first(Session& session, std::size_t i, RowSpan span);

}  // namespace semblance
