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

/// The outcome of one pipeline with a `select`.
struct SelectionOutcome {
  std::optional<SelectionRecord> record;
  std::string error;  ///< why nothing could be chosen; empty otherwise
};

/// Runs the trials of all selections as one graph in one session, so that they share common work,
/// and makes each choice. Messages call the pipelines of several selections by `names`. Throws
/// Cancelled when it was stopped; finished results are then in the store.
std::vector<SelectionOutcome> choose_parameters(
    const std::vector<std::shared_ptr<const Selection>>& selections,
    const std::vector<std::string>& names, const Catalogue& catalogue, const RunOptions& options);

/// Chooses the parameters of one pipeline. Throws Error when nothing can be chosen.
SelectionRecord choose_parameters(const SelectingPipeline& pipeline, const Catalogue& catalogue,
                                  const RunOptions& options);

/// The options of a run that continues `seconds` after its start.
RunOptions after(RunOptions options, double seconds);

/// What a run says that `stopper` has stopped while it was still `doing` this.
std::string stopped_text(const std::string& stopper, const RunOptions& options,
                         const std::string& doing);

}  // namespace semblance
