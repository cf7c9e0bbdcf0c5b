// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "cli/output.hpp"
#include "cli/pipeline_options.hpp"
#include "cli/runs/joining.hpp"
#include "cli/runs/run_history.hpp"
#include "report/metrics.hpp"
#include "report/tables/result_table_json.hpp"
#include "report/tables/table_text.hpp"
#include "runtime/run/run_study.hpp"
#include "runtime/run/shared_study.hpp"
#include "runtime/services/crash_report.hpp"
#include "support/number_text.hpp"
#include "support/terminal.hpp"

namespace semblance::cli {
namespace {

/// Prints why variants have no result, each reason once. Node errors were printed when they
/// occurred, unless the run is quiet.
void print_failures(const StudyRecord& record, bool quiet) {
  std::map<std::string, std::size_t> reasons;
  for (const VariantRecord& variant : record.variants)
    if ((variant.finished || quiet) && !variant.error.empty()) ++reasons[variant.error];
  for (const auto& [reason, count] : reasons)
    fmt::print(stderr, "semblance: {} (in {} of {} variants)\n", reason, count,
               record.variants.size());
}

void print_results(const StudyRecord& record) {
  if (record.steps.empty())
    fmt::print("{}\n", table_plain(record.results, record.comparison, table_width()));
  for (const StepRecord& step : record.steps)
    fmt::print("step {}: chosen {}\n{}\n", step.name,
               values_text(step.choice, step.choice.trials[step.choice.chosen]),
               table_plain(step.results, step.comparison, table_width()));
}

void print_summary(const StudyResult& result, const std::filesystem::path& out) {
  const StudyRecord& record = result.record;
  print_results(record);
  const auto unfinished = std::ranges::count_if(
      record.variants, [](const VariantRecord& v) { return !v.finished && v.error.empty(); });
  fmt::print(
      "{} variants, {} failed{}; {} nodes instead of {}; {} in total, peak memory {}; report: {}\n",
      record.variants.size(), result.failed,
      unfinished > 0 ? fmt::format(", {} not finished", unfinished) : "", record.nodes_after,
      record.nodes_before, seconds_text(record.run.wall_seconds),
      bytes_text(static_cast<double>(record.run.peak_memory_bytes)),
      (out / "report.html").string());
}

/// Prints the study's findings, and returns whether all went well.
int study_exit(const StudyResult& result, const RunOptions& settings, bool json) {
  const std::filesystem::path& out = result.place.empty() ? settings.out : result.place;
  print_stop(settings, result.end != RunEnd::done, result.record.run);
  if (result.record.variants.empty()) return failed;  // stopped before any was run
  print_failures(result.record, settings.quiet);
  if (json)
    fmt::print("{}", readable_json(study_json(result.record.results, result.record.comparison,
                                              result.record.run.pipeline)));
  else if (!settings.quiet)
    print_summary(result, out);
  return result.end == RunEnd::done && result.failed == 0 ? done : failed;
}

}  // namespace

int ablate_verb(const std::vector<std::string>& arguments) {
  const Verb& verb = verb_named("ablate");
  options::options_description described("options", 100);
  add_pipeline_options(described);
  add_run_options(described);
  add_same_processor_option(described);
  add_store_options(described);
  described.add_options()("fail-fast", "stop at the first variant that fails");
  add_joining_options(described);
  const auto values = parse(verb, arguments, described, one_argument());
  if (!values) return done;
  const std::string file = pipeline_argument(*values, verb);
  RunOptions settings = run_options(*values);
  const auto how = joining(*values, settings);
  const Discovery found = discover(*values);
  const auto study = checked_study(file, found.catalogue, check_options(*values));
  if (!study) return wrong_usage;
  const bool out_was_given = !settings.out.empty();
  if (!out_was_given) settings.out = default_output(study->name);
  settings.command = repeat_command("ablate", arguments);
  const bool json = values->count("json") > 0;
  stop_on_interrupt();
  report_crashes();
  if (how) {
    const SharedIdentity identity =
        shared_identity("study", study->name, identity_of(*study, found.catalogue),
                        worker_arguments("ablate", file, *values, *how), *how);
    settings.command = joining_command(identity);
    Worker worker(*how, identity, settings);
    RunHistory history("study", study->name, study->seed, settings, true);
    const StudyResult result =
        worker.run([&] { return run_study(*study, found.catalogue, settings, false); });
    if (result.end == RunEnd::done && !result.written_elsewhere) history.ended(true, settings.out);
    if (result.end == RunEnd::done && result.written_elsewhere && result.record.variants.empty())
      return print_written_elsewhere(identity, *how, settings), done;
    return study_exit(result, settings, json);
  }
  RunHistory history("study", study->name, study->seed, settings, out_was_given);
  const StudyResult result =
      run_study(*study, found.catalogue, settings, values->count("fail-fast") > 0);
  history.ended(result.end == RunEnd::done, result.place.empty() ? settings.out : result.place);
  return study_exit(result, settings, json);
}

}  // namespace semblance::cli
