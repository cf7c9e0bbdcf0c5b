// SPDX-License-Identifier: MIT
#include "runtime/run_study.hpp"

#include "pipeline/graph_drawing.hpp"
#include "report/atomic_file.hpp"
#include "report/page/study_report.hpp"
#include "report/tables/result_table_json.hpp"
#include "report/tables/table_text.hpp"
#include "runtime/run_loop.hpp"
#include "runtime/run_results.hpp"
#include "runtime/study_session.hpp"
#include "runtime/variant_results.hpp"

namespace semblance {
namespace {

/// A larger merged graph is no picture any more: then that of the baseline is drawn.
constexpr std::size_t most_drawn = 120;

const Pipeline& drawn_pipeline(const Study& study, const MergedStudy& merged) {
  if (merged.pipeline.nodes.size() <= most_drawn) return merged.pipeline;
  return study.variants[study.baseline.value_or(0) * study.repeats.size()].pipeline;
}

StudyRecord make_record(const Study& study, const StudySession& open) {
  StudyRecord record;
  record.run = open.session->record;
  record.run.resolved_pipeline = study.text;
  record.metric_node = study.metric_node;
  record.nodes_before = open.merged.nodes_before;
  record.nodes_after = open.merged.pipeline.nodes.size();
  record.repeats = study.repeats;
  for (const StudySlot& slot : study.slots) record.slots.push_back({slot.name, slot.alternatives});
  for (std::size_t v = 0; v < study.variants.size(); ++v)
    record.variants.push_back(variant_record(study, open, v));
  record.results = result_table(study, open, record.variants);
  record.comparison = compare(record.results);
  return record;
}

void write_variants(const Study& study, const StudySession& open, const StudyRecord& record,
                    const std::filesystem::path& out) {
  for (std::size_t v = 0; v < study.variants.size(); ++v) {
    if (!record.variants[v].finished) continue;
    const auto folder = out / "variants" / study.variants[v].name;
    make_output_folder(folder);
    write_variant(study, open, record, v, folder);
  }
}

void write_study(const StudyRecord& record, const std::filesystem::path& out) {
  write_file_atomically(out / "study.json",
                        readable_json(result_table_json(record.results, record.run.pipeline)));
  write_tables(record.results, record.comparison, out);
  write_html_study_report(record, out / "report.html");
}

}  // namespace

StudyResult run_study(const Study& study, const Catalogue& catalogue, const RunOptions& options,
                      bool fail_fast) {
  make_output_folder(options.out);
  StudyResult result;
  write_file_atomically(options.out / "study.yaml", study.text);
  StudySession open(study, catalogue, options, fail_fast);
  open.prepare();
  Session& session = *open.session;
  session.arena.execute([&] {
    try {
      run_stages(session);
    } catch (const Cancelled&) {
      result.end = RunEnd::stopped;
      const bool late = session.stop.reason() == StopReason::deadline;
      session.log(LogLevel::warning, std::string("stopped by ") +
                                         (late ? "the deadline" : "Ctrl-C") +
                                         "; what is finished is kept, the same command goes on");
    }
  });
  complete_record(session);
  session.record.graph_svg = svg_text(drawn_pipeline(study, open.merged));
  session.progress->finish();
  result.record = make_record(study, open);
  for (const VariantRecord& variant : result.record.variants)
    result.failed += !variant.error.empty();
  write_variants(study, open, result.record, options.out);
  write_metrics(session.record, options.out / "metrics.json");
  write_study(result.record, options.out);
  session.trace.write(options.out / "trace.json");
  if (session.store && options.cache_limit > 0) session.store->trim(options.cache_limit);
  return result;
}

}  // namespace semblance
