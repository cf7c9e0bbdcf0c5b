// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "report/study_record.hpp"
#include "runtime/run.hpp"
#include "study/study.hpp"

namespace semblance {

struct StudyResult {
  StudyRecord record;
  RunEnd end = RunEnd::done;
  std::size_t failed = 0;  ///< variants
};

/// Runs all variants of the study as one graph and fills options.out: study.yaml, study.json, the
/// tables, report.html, metrics.json (of the merged graph), run.log, trace.json, and below
/// variants/NAME metrics.json, pipeline.yaml and predictions/ as a run of that variant alone leaves
/// them. A variant that fails is reported at once and the others go on, unless `fail_fast`: then
/// the NodeError is thrown. A study in steps: see run_steps(). Stopping keeps what is finished, as
/// in run_pipeline().
StudyResult run_study(const Study& study, const Catalogue& catalogue, const RunOptions& options,
                      bool fail_fast);

}  // namespace semblance
