// SPDX-License-Identifier: MIT
#pragma once

#include "cli/suggest/suggestion.hpp"
#include "pipeline/pipeline.hpp"
#include "registry/catalogue.hpp"
#include "runtime/services/run_options.hpp"

namespace semblance::cli {

/// Trains the pipeline once more, alone, on one thread and without the store, in options.out, which
/// is removed afterwards. `train_rows` is the number of samples it learns from. Nothing if the
/// deadline or Ctrl-C stopped it. Throws Error.
std::optional<Cost> measured_cost(const Pipeline& pipeline, const Catalogue& catalogue,
                                  RunOptions options, double train_rows);

}  // namespace semblance::cli
