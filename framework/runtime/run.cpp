// SPDX-License-Identifier: MIT
#include "runtime/run.hpp"

#include <fmt/format.h>

#include "pipeline/graph_drawing.hpp"
#include "report/page/html_report.hpp"
#include "runtime/model.hpp"
#include "runtime/run_loop.hpp"
#include "runtime/run_results.hpp"
#include "runtime/selecting.hpp"
#include "support/atomic_file.hpp"

namespace semblance {
namespace {

void write_results(Session& session, const std::filesystem::path& out) {
  bool trained = false;
  for (std::size_t i = 0; i < session.size(); ++i) {
    const auto& node = session.node(i);
    if (!node.is_solver()) continue;
    trained = trained || session.runs[i]->ready;
    write_scores(session, i, out / "predictions", node.name());
  }
  if (trained) save_model(session, out / "model");
}

void write_report(Session& session, const Pipeline& pipeline, const std::filesystem::path& out) {
  session.record.graph_svg = svg_text(pipeline);
  write_metrics(session.record, out / "metrics.json");
  write_html_report(session.record, out / "report.html");
  session.trace.write(out / "trace.json");
}

/// The run of a pipeline whose parameters are all known.
RunResult run_chosen(const Pipeline& pipeline, const Catalogue& catalogue,
                     const RunOptions& options, std::optional<SelectionRecord> selection) {
  Session session(pipeline, catalogue, options);
  session.record.selection = std::move(selection);
  session.cross_validated = session.record.selection.has_value();
  RunResult result;
  session.arena.execute([&] {
    session.prepare();
    if (session.cross_validated)
      if (const std::string remark = edge_remark(*session.record.selection); !remark.empty())
        session.log(LogLevel::warning, remark);
    write_file_atomically(options.out / "pipeline.yaml", session.record.resolved_pipeline);
    try {
      run_stages(session);
    } catch (const Cancelled&) {
      result.end = RunEnd::stopped;
      result.stopped_by = session.stop.stopper();
      session.log(LogLevel::warning, "stopped by " + result.stopped_by +
                                         "; what is finished is kept, the same command goes on");
    }
  });
  write_results(session, options.out);
  complete_record(session);
  if (session.record.selection) session.record.wall_seconds += session.record.selection->seconds;
  session.progress->finish();
  write_report(session, pipeline, options.out);
  if (session.store && options.cache_limit > 0) session.store->trim(options.cache_limit);
  result.record = std::move(session.record);
  return result;
}

/// Stopped before there was anything to train.
RunResult stopped_while_choosing(const Pipeline& pipeline, const RunOptions& options,
                                 const StopSwitch& stop) {
  RunResult result;
  result.end = RunEnd::stopped;
  result.stopped_by = stop.stopper();
  result.record.pipeline = pipeline.name;
  result.record.description = pipeline.description;
  result.record.seed = pipeline.seed;
  result.record.command = options.command;
  result.record.warnings.push_back("stopped by " + result.stopped_by +
                                   " while parameters were being chosen; what is finished is "
                                   "kept, the same command goes on");
  fmt::print(stderr, "warning: {}\n", result.record.warnings.back());
  write_metrics(result.record, options.out / "metrics.json");
  return result;
}

}  // namespace

RunResult run_pipeline(const SelectingPipeline& pipeline, const Catalogue& catalogue,
                       const RunOptions& options) {
  const auto mine = claim_output_folder(options.out);
  if (!pipeline.selection) return run_chosen(pipeline, catalogue, options, std::nullopt);
  const StopSwitch stop(options.deadline);
  try {
    SelectionRecord selection = choose_parameters(pipeline, catalogue, options);
    const Pipeline& chosen = pipeline.selection->candidates[selection.chosen];
    const RunOptions rest = after(options, selection.seconds);
    return run_chosen(chosen, catalogue, rest, std::move(selection));
  } catch (const Cancelled&) {
    return stopped_while_choosing(pipeline, options, stop);
  }
}

}  // namespace semblance
