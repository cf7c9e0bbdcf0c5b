// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "report/study_record.hpp"
#include "runtime/run/run.hpp"
#include "study/study.hpp"

namespace semblance {

struct StudyResult {
  StudyRecord record;
  RunEnd end = RunEnd::done;
  std::size_t failed = 0;  ///< variants
  /// Another worker has written the results; then there is no record here unless it was requested.
  bool written_elsewhere = false;
  std::filesystem::path place;  ///< where the results are, if not in options.out
};

/// Runs all variants of the study as one graph and fills options.out: study.yaml, study.json, the
/// tables, report.html, metrics.json (of the merged graph), run.log and trace.json. The folders
/// variants/NAME get metrics.json, pipeline.yaml and predictions/, as from a run of that variant
/// alone. A variant that fails is reported at once and the other variants continue, unless
/// `fail_fast`: then the NodeError is thrown. For a study in steps, see run_steps(). Stopping
/// retains finished results, as in run_pipeline().
///
/// With options.shared the process is one of several workers on the study: they compute together
/// (workers/work_together.hpp), then one of them writes. A stopped worker writes nothing and does
/// not stop the other workers. `fail_fast` must not be set. With `wants_record` the result has its
/// record, no matter which worker writes.
StudyResult run_study(const Study& study, const Catalogue& catalogue, const RunOptions& options,
                      bool fail_fast, bool wants_record = false);

/// Runs the steps of a study one after another, each with what earlier steps have chosen, as
/// separate studies in options.out/steps/NAME. options.out gets study.yaml, study.json and the
/// tables with the combinations of all steps, and a report.html of the choices. Ends where a step
/// is stopped; throws Error where nothing can be chosen, after writing the results so far.
StudyResult run_steps(const Study& study, const Catalogue& catalogue, const RunOptions& options,
                      bool fail_fast);

}  // namespace semblance
