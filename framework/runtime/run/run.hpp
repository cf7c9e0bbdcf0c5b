// SPDX-License-Identifier: MIT
#pragma once

#include "report/run_record.hpp"
#include "runtime/services/run_options.hpp"
#include "study/selecting_pipeline.hpp"

namespace semblance {

class Session;

/// How a run ended.
enum class RunEnd { done, stopped };

struct RunResult {
  RunRecord record;
  RunEnd end = RunEnd::done;
  std::string stopped_by;          ///< StopSwitch::stopper()
  bool written_elsewhere = false;  ///< by another worker: this result has no record
  std::filesystem::path place;     ///< where the results are, if not in options.out
};

/// A pipeline without open parameters, and the selection that chose them.
struct ChosenPipeline {
  const Pipeline* pipeline = nullptr;  ///< the one given, or one of its selection's candidates
  std::optional<SelectionRecord> selection;
  RunOptions options;
};

/// Chooses the parameters that the pipeline's `select` leaves open. Throws Cancelled when it was
/// stopped, Error where nothing can be chosen.
ChosenPipeline chosen_pipeline(const SelectingPipeline& pipeline, const Catalogue& catalogue,
                               const RunOptions& options);

/// Runs a session to its end and fills options.out, unless that is empty. Then the record is
/// complete, and the session still has what its nodes have learned. Throws Error.
RunResult run_session(Session& session, std::optional<SelectionRecord> selection);

/// First chooses the parameters that the pipeline's `select` leaves open, then runs the pipeline
/// and fills options.out: metrics.json, pipeline.yaml, run.log, trace.json, model/, predictions/
/// and report.html, with metrics.json last. When it is stopped, finished results stay in the store
/// and in options.out, or in its subfolder `unfinished` where an earlier run has finished. Throws
/// Error (a NodeError where a component failed). With options.shared the process is one of several
/// workers, of which one writes.
RunResult run_pipeline(const SelectingPipeline& pipeline, const Catalogue& catalogue,
                       const RunOptions& options);

}  // namespace semblance
