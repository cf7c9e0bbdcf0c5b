// SPDX-License-Identifier: MIT
#pragma once

#include "runtime/session/run_data.hpp"

namespace semblance {

/// Lets node i learn (fit, select, set bases, train, evaluate) and stores what it learned; after a
/// stop request, only what is complete.
void learn(RunProgress& progress, RunData& data, std::size_t i);

/// Restores what node i learned in an earlier run.
void restore(RunProgress& progress, RunData& data, std::size_t i);

/// Restores node i's rows from the store.
void restore_rows(RunProgress& progress, RunData& data, std::size_t i);

/// Whether node i looks at labels, or at rows that are not retained, when it learns.
bool opens_data(const RunProgress& progress, std::size_t i);

/// Whether rows of node i can be computed or read at once.
bool can_stream(const RunProgress& progress, std::size_t i);

/// Whether all training rows of node i can be visited several times: retained, or cheap to compute.
bool can_visit(const RunProgress& progress, std::size_t i);

}  // namespace semblance
