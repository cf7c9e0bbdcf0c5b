// SPDX-License-Identifier: MIT
#include "runtime/run.hpp"

#include "pipeline/graph_drawing.hpp"
#include "report/atomic_file.hpp"
#include "report/page/html_report.hpp"
#include "runtime/model.hpp"
#include "runtime/run_loop.hpp"
#include "runtime/run_results.hpp"

namespace semblance {
namespace {

void write_results(Session& session, const std::filesystem::path& out) {
  bool trained = false;
  for (std::size_t i = 0; i < session.size(); ++i) {
    const auto& node = session.node(i);
    if (node.kind != NodeKind::solver) continue;
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

}  // namespace

RunResult run_pipeline(const Pipeline& pipeline, const Catalogue& catalogue,
                       const RunOptions& options) {
  make_output_folder(options.out);
  Session session(pipeline, catalogue, options);
  RunResult result;
  session.arena.execute([&] {
    session.prepare();
    write_file_atomically(options.out / "pipeline.yaml", session.record.resolved_pipeline);
    try {
      run_stages(session);
    } catch (const Cancelled&) {
      result.end = RunEnd::stopped;
      result.stopped_by = session.stop.reason() == StopReason::deadline ? "the deadline" : "Ctrl-C";
      session.log(LogLevel::warning, "stopped by " + result.stopped_by +
                                         "; what is finished is kept, the same command goes on");
    }
  });
  write_results(session, options.out);
  complete_record(session);
  session.progress->finish();
  write_report(session, pipeline, options.out);
  if (session.store && options.cache_limit > 0) session.store->trim(options.cache_limit);
  result.record = std::move(session.record);
  return result;
}

}  // namespace semblance
