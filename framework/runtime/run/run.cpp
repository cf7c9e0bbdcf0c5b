// SPDX-License-Identifier: MIT
#include "runtime/run/run.hpp"

#include "report/metrics.hpp"
#include "report/page/html_report.hpp"
#include "runtime/loop/run_loop.hpp"
#include "runtime/ranks/fail_together.hpp"
#include "runtime/results/model.hpp"
#include "runtime/results/output_folder.hpp"
#include "runtime/results/rank_shares.hpp"
#include "runtime/results/run_results.hpp"
#include "runtime/results/unconverged.hpp"
#include "runtime/run/selecting.hpp"
#include "runtime/run/shared_study.hpp"
#include "runtime/session/session.hpp"
#include "runtime/workers/shared_run.hpp"
#include "support/files/atomic_file.hpp"

namespace semblance {
namespace {

void write_results(RunProgress& progress, const Catalogue& catalogue, bool predictions,
                   const std::filesystem::path& out) {
  bool trained = false;
  for (std::size_t i = 0; i < progress.size(); ++i) {
    const Node& node = progress.node(i);
    if (!node.scoring() || node.facts().spec->held_out) continue;
    trained = trained || progress.run(i).ready();
    if (predictions) write_scores(progress, i, out / "predictions", node.name());
  }
  if (trained) save_model(progress, catalogue, out / "model");
}

void write_report(RunJournal& journal, const Pipeline& pipeline, const std::filesystem::path& out) {
  RunRecord& record = journal.record();
  const Pipeline* const only[] = {&pipeline};
  journal.draw(only);
  write_html_report(record, out / "report.html");
  journal.trace().write(out / "trace.json");
  write_metrics(record, out / "metrics.json");
}

/// The result where the run was stopped before there was anything to train; `doing`: meanwhile.
RunResult stopped_early(const Pipeline& pipeline, const RunOptions& options, const StopSwitch& stop,
                        const std::string& doing) {
  RunResult result;
  result.end = RunEnd::stopped;
  result.stopped_by = stop.stopper();
  result.record.pipeline = pipeline.name;
  result.record.description = pipeline.description;
  result.record.seed = pipeline.seed;
  result.record.command = options.command;
  result.record.stopped_by = result.stopped_by;
  result.record.warnings = {stopped_text(result.stopped_by, options, doing)};
  tell(options, LogLevel::warning, result.record.warnings.back());
  if (!options.shared && !options.out.empty())
    write_metrics(result.record, options.out / "metrics.json");
  return result;
}

/// Computes the chosen pipeline together with other workers; one of them writes.
RunResult run_shared(ChosenPipeline chosen, const Catalogue& catalogue, const StopSwitch& stop) {
  const RunOptions& options = chosen.options;
  SharedRun& shared = *options.shared;
  const bool validated = chosen.selection.has_value();
  work_on_pipeline(*chosen.pipeline, catalogue, options, "pipeline", validated);
  const auto lease =
      shared.results_lease("pipeline", [&] { return stop.reason() != StopReason::none; });
  RunResult result;
  result.written_elsewhere = lease == nullptr;
  if (!lease) return result;
  OutputFolder folder(options);
  RunOptions own = options;
  own.out = folder.place();
  Session session(*chosen.pipeline, catalogue, own, {.cross_validated = validated});
  result = run_session(session, std::move(chosen.selection));
  result.place = settled(folder, result.end == RunEnd::done, options);
  if (result.end == RunEnd::done) shared.results_are_written("pipeline");
  return result;
}

}  // namespace

ChosenPipeline chosen_pipeline(const SelectingPipeline& pipeline, const Catalogue& catalogue,
                               const RunOptions& options) {
  if (!pipeline.selection) return {&pipeline, std::nullopt, options};
  SelectionRecord selection = choose_parameters(pipeline, catalogue, options);
  const Pipeline& chosen = pipeline.selection->candidates[selection.chosen];
  const RunOptions rest = after(options, selection.seconds);
  return {&chosen, std::move(selection), rest};
}

RunResult run_session(Session& session, std::optional<SelectionRecord> selection) {
  const std::filesystem::path& out = session.options().out;
  RunJournal& journal = session.journal();
  RunRecord& record = journal.record();
  record.selection = std::move(selection);
  RunResult result;
  session.execute([&] {
    session.prepare();
    log_rank_shares(session.progress());
    if (record.selection)
      if (const std::string remark = edge_remark(*record.selection); !remark.empty())
        journal.log(LogLevel::warning, remark);
    if (!out.empty()) write_file_atomically(out / "pipeline.yaml", record.resolved_pipeline);
    try {
      compute_plan(session.progress(), session.data());
    } catch (const Cancelled&) {
      result.end = RunEnd::stopped;
      result.stopped_by = session.stopper();
      // The first rank logs it for all.
      if (session.ranks().first())
        journal.log(LogLevel::warning,
                    "stopped by " + result.stopped_by +
                        (out.empty() ? "; nodes keep what they have learned so far"
                                     : "; finished work is kept, and the same "
                                       "command continues it"));
    }
  });
  session.stop_watching_ranks();
  warn_of_unconverged(session.progress());
  const bool pages = session.options().writes_pages;
  if (!out.empty()) write_results(session.progress(), session.catalogue(), pages, out);
  complete_record(session.progress(), session.data());
  if (record.selection) {
    record.choosing_seconds = record.selection->seconds;
    record.wall_seconds += record.choosing_seconds;
  }
  record.stopped_by = result.stopped_by;
  journal.close_display();
  if (!out.empty() && pages) write_report(session.journal(), *session.graph().pipeline, out);
  const std::uintmax_t limit = session.options().cache_limit;
  if (session.data().store() && limit > 0 && session.ranks().first())
    session.data().store()->trim(limit);
  // No rank leaves before the first rank has written: its failure ends all.
  session.ranks().meet();
  result.record = record;
  return result;
}

namespace {

RunResult choose_and_run(const SelectingPipeline& pipeline, const Catalogue& catalogue,
                         const RunOptions& options) {
  const StopSwitch stop(options.deadline, options.cancel);
  const std::string choosing = "parameters were being selected";
  std::string doing = choosing;
  try {
    ChosenPipeline chosen = chosen_pipeline(pipeline, catalogue, options);
    if (options.shared) return run_shared(std::move(chosen), catalogue, stop);
    doing = "data were being read";
    Session session(*chosen.pipeline, catalogue, chosen.options,
                    {.cross_validated = chosen.selection.has_value()});
    return run_session(session, std::move(chosen.selection));
  } catch (const Cancelled&) {
    if (options.transport && doing != choosing) throw;  // which all ranks must do
    return stopped_early(pipeline, options, stop, doing);
  }
}

}  // namespace

RunResult run_pipeline(const SelectingPipeline& pipeline, const Catalogue& catalogue,
                       const RunOptions& options) {
  return fail_together(options, [&](RunOptions own) {
    std::optional<OutputFolder> folder;
    if (own.shared && !own.out.empty())
      make_output_folder(own.out);
    else if (!own.out.empty())
      own.out = folder.emplace(own).place();
    RunResult result = choose_and_run(pipeline, catalogue, own);
    if (folder) result.place = settled(*folder, result.end == RunEnd::done, options);
    return result;
  });
}

}  // namespace semblance
