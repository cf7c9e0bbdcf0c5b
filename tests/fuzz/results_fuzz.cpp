// SPDX-License-Identifier: MIT
#include "cli/past_runs/finished_run.hpp"
#include "fuzzing.hpp"
#include "report/tables/result_table_json.hpp"

using namespace semblance;
using namespace semblance::fuzzing;

// The input of `compare`, separated by a byte 0xff: the metrics of a run, its pipeline, its
// predictions; or, without a pipeline, the table of a study.
FUZZ_TARGET(results) {
  const std::filesystem::path metrics = scratch_file("run/metrics.json", input.until('\xff'));
  if (input.empty()) {
    expect_result_or_error([&] {
      const StudyTable study = read_study(metrics);
      const auto stored = result_table_json(study.table, study.study);
      require(
          result_table_json(result_table_from_json(stored, "again").table, study.study) == stored,
          "a table that is not the same when it is stored again");
    });
    return;
  }
  scratch_file("run/pipeline.yaml", input.until('\xff'));
  scratch_file("run/predictions/svm.csv", input.rest());
  try {
    const cli::FinishedRun run(metrics.parent_path());
    for (const auto& node : run.evaluators())
      for (const auto& figure : run.figures(node)) run.measure(node, figure.figure);
  } catch (const Error&) {  // errors of a damaged pipeline have several lines
  }
}
