// SPDX-License-Identifier: MIT
#pragma once

#include "report/run_record.hpp"
#include "runtime/run_options.hpp"
#include "study/selecting_pipeline.hpp"

namespace semblance {

/// How a run ended.
enum class RunEnd { done, stopped };

struct RunResult {
  RunRecord record;
  RunEnd end = RunEnd::done;
  std::string stopped_by;  ///< StopSwitch::stopper()
};

/// Chooses first what the pipeline's `select` leaves open, then runs the pipeline and fills
/// options.out: metrics.json, pipeline.yaml, run.log, trace.json, model/, predictions/ and
/// report.html. When it is stopped, what is finished is kept there and in the store. Throws Error
/// (a NodeError where a component failed).
RunResult run_pipeline(const SelectingPipeline& pipeline, const Catalogue& catalogue,
                       const RunOptions& options);

}  // namespace semblance
