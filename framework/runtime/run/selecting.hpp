// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "registry/catalogue.hpp"
#include "report/selection_record.hpp"
#include "runtime/services/run_options.hpp"
#include "study/selection.hpp"

namespace semblance {

/// What became of one pipeline with a `select`.
struct SelectionOutcome {
  std::optional<SelectionRecord> record;
  std::string error;  ///< why nothing could be chosen; empty otherwise
};

/// Runs the trials of all selections as one graph in one session, so that they share what they
/// have in common, and chooses for each. Throws Cancelled when it was stopped; what is finished is
/// in the store then.
std::vector<SelectionOutcome> choose_parameters(
    const std::vector<std::shared_ptr<const Selection>>& selections, const Catalogue& catalogue,
    const RunOptions& options);

/// Of one pipeline. Throws Error when nothing can be chosen.
SelectionRecord choose_parameters(const SelectingPipeline& pipeline, const Catalogue& catalogue,
                                  const RunOptions& options);

/// The options of a run that goes on `seconds` after its start.
RunOptions after(RunOptions options, double seconds);

}  // namespace semblance
