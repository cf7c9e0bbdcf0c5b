// SPDX-License-Identifier: MIT
#include "runtime/run/run.hpp"

#include <fmt/format.h>

#include <cmath>

#include "cli/output.hpp"
#include "cli/pipeline_options.hpp"
#include "cli/runs/joining.hpp"
#include "cli/runs/ranks_option.hpp"
#include "cli/runs/run_history.hpp"
#include "registry/places.hpp"
#include "report/figure_line.hpp"
#include "report/metrics.hpp"
#include "runtime/run/shared_study.hpp"
#include "runtime/services/crash_report.hpp"
#include "semblance/same_figure.hpp"
#include "study/check_pipeline.hpp"
#include "support/number_text.hpp"

namespace semblance::cli {
namespace {

void print_selection(const SelectionRecord& selection) {
  const TrialRecord& best = selection.trials[selection.chosen];
  const std::string values = values_text(selection, best);
  if (selection.leave_one_out) {
    fmt::print("{}: {} {}, each row predicted from all others",
               values.empty() ? "validated" : "chosen " + values, selection.metric,
               terminal_text(selection.unit, best.figure()));
    if (selection.trials.size() > 1) fmt::print(", best of {}", selection.trials.size());
    fmt::print("\n");
    return;
  }
  fmt::print("{}: {} {}", values.empty() ? "validated" : "chosen " + values, selection.metric,
             terminal_text(selection.unit, best.figure()));
  if (std::isfinite(best.error)) fmt::print(" +- {}", terminal_text(selection.unit, best.error));
  fmt::print(" over {} folds", selection.folds);
  if (selection.trials.size() > 1) fmt::print(", best of {}", selection.trials.size());
  if (std::isfinite(best.deviation))
    fmt::print(", standard deviation {}", terminal_text(selection.unit, best.deviation));
  if (best.pooled && std::isfinite(best.mean) && !same_figure(*best.pooled, best.mean))
    fmt::print(", mean of the folds {}", terminal_text(selection.unit, best.mean));
  fmt::print("\neach fold:");
  const char* before = " ";
  for (const double fold : best.folds) {
    fmt::print("{}{}", before,
               std::isnan(fold) ? "undefined" : terminal_text(selection.unit, fold));
    before = ", ";
  }
  fmt::print("\n");
}

/// Prints when reported times were measured: they are those of the run that measured them.
void print_measured(const RunRecord& record) {
  const NodeRecord* oldest = nullptr;
  std::size_t stored = 0;
  bool others = false;
  for (const auto& node : record.nodes) {
    if (!node.measured) continue;
    ++stored;
    others = others || (oldest && node.measured != oldest->measured);
    if (!oldest || node.measured->date < oldest->measured->date) oldest = &node;
  }
  if (!oldest) return;
  fmt::print("{} of {} nodes come from the store; the times they report were measured {}{}\n",
             stored, record.nodes.size(), others ? "by several runs, first on " : "on ",
             measured_text(*oldest->measured));
}

void print_results(const RunResult& result, const std::filesystem::path& out) {
  const RunRecord& record = result.record;
  if (record.selection) print_selection(*record.selection);
  bool judged = false;
  for (const auto& node : record.nodes) {
    if (node.kind() != "evaluator" || node.metrics.empty()) continue;
    judged = true;
    const auto solver = node.inputs.empty() ? "" : " of '" + node.inputs.front() + "'";
    fmt::print("{}{}:{}\n", node.name, solver, figure_line(node));
  }
  if (record.selection && !judged && result.end == RunEnd::done)
    fmt::print("the model is trained on all rows; none are left for testing\n");
  print_measured(record);
  fmt::print("{} in total, peak memory {}; report: {}\n", seconds_text(record.wall_seconds),
             bytes_text(static_cast<double>(record.peak_memory_bytes)),
             (out / "report.html").string());
}

int run_exit(const RunResult& result, const RunOptions& settings, bool json) {
  const std::filesystem::path& out = result.place.empty() ? settings.out : result.place;
  if (json)
    fmt::print("{}", readable_json(metrics_json(result.record)));
  else if (!settings.quiet && !result.record.nodes.empty())  // else it was stopped before
    print_results(result, out);
  print_stop(settings, result.end != RunEnd::done, result.record);
  return result.end == RunEnd::done ? done : failed;
}

/// One worker of several.
int run_with_others(const SelectingPipeline& pipeline, const Catalogue& catalogue,
                    RunOptions& settings, const Joining& how,
                    const std::vector<std::string>& arguments, bool json) {
  const SharedIdentity identity =
      shared_identity("pipeline", pipeline.name, identity_of(pipeline, catalogue), arguments, how);
  settings.command = joining_command(identity);
  Worker worker(how, identity, settings);
  RunHistory history("run", pipeline.name, pipeline.seed, settings, true);
  const RunResult result = worker.run([&] { return run_pipeline(pipeline, catalogue, settings); });
  if (result.end == RunEnd::done && !result.written_elsewhere) history.ended(true, settings.out);
  if (result.written_elsewhere) return print_written_elsewhere(identity, how, settings), done;
  return result.record.nodes.empty() ? failed : run_exit(result, settings, json);
}

/// The work of a rank other than the first: the first rank prints results and errors.
int run_quietly(const SelectingPipeline& pipeline, const Catalogue& catalogue,
                const RunOptions& settings) {
  try {
    return run_pipeline(pipeline, catalogue, settings).end == RunEnd::done ? done : failed;
  } catch (const std::exception&) {
    return failed;
  }
}

}  // namespace

int run_verb(const std::vector<std::string>& arguments) {
  const Verb& verb = verb_named("run");
  options::options_description described(
      "Without --out, results go to a new folder runs/NAME-TIME. 'semblance history list' lists\n"
      "all runs that began in this folder, and 'semblance board' shows them.\n\n"
      "options",
      100);
  add_pipeline_options(described);
  add_run_options(described);
  add_same_processor_option(described);
  add_store_options(described);
  add_joining_options(described);
  add_ranks_option(described, "run FILE");
  const auto values = parse(verb, arguments, described, one_argument());
  if (!values) return done;
  const std::string file = pipeline_argument(*values, verb);
  if (is_study(file))
    throw UsageError("'" + file + "' is a study; `semblance ablate` runs all of its variants");
  RunOptions settings = run_options(*values);
  const auto how = joining(*values, settings);
  if (!how) refuse_copies(*values);
  Transport* const transport = ranks_option(*values, settings);
  const Discovery found = discover(*values, transport);
  PipelineCheck checked = load_pipeline(file, found.catalogue, check_options(*values));
  const std::string diagnostics = render(checked.diagnostics);
  if (speaks(transport)) fmt::print(stderr, "{}", diagnostics);
  if (!all_have(transport, checked.pipeline.has_value(), diagnostics)) return wrong_usage;
  const SelectingPipeline& pipeline = *checked.pipeline;
  stop_on_interrupt();
  report_crashes();
  if (!speaks(transport)) return run_quietly(pipeline, found.catalogue, settings);
  const bool out_was_given = !settings.out.empty();
  if (!out_was_given) settings.out = default_output(pipeline.name);
  settings.command = repeat_command("run", arguments);
  const bool json = values->count("json") > 0;
  if (how)
    return run_with_others(pipeline, found.catalogue, settings, *how,
                           worker_arguments("run", file, *values, *how), json);
  RunHistory history("run", pipeline.name, pipeline.seed, settings, out_was_given);
  const RunResult result = run_pipeline(pipeline, found.catalogue, settings);
  history.ended(result.end == RunEnd::done, result.place.empty() ? settings.out : result.place);
  return run_exit(result, settings, json);
}

}  // namespace semblance::cli
