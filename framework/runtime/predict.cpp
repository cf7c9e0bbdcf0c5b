// SPDX-License-Identifier: MIT
#include "runtime/predict.hpp"

#include <algorithm>

#include "pipeline/resolved.hpp"
#include "runtime/judging.hpp"
#include "runtime/learning.hpp"
#include "runtime/model.hpp"
#include "runtime/pair_learning.hpp"
#include "runtime/predictions.hpp"
#include "runtime/run_loop.hpp"
#include "runtime/run_results.hpp"
#include "runtime/stage_builder.hpp"

namespace semblance {
namespace {

/// The model's states only fit the pipeline they were learned in.
void check_nodes(const Session& session, const Model& model) {
  for (std::size_t i = 0; i < session.size(); ++i) {
    const auto& node = session.node(i);
    if (node.kind == NodeKind::source || node.kind == NodeKind::evaluator) continue;
    const auto known = model.components.find(node.name());
    if (known == model.components.end() ||
        known->second !=
            canonical_json(node.spec->component, session.catalogue, PathValues::leave_out))
      throw Error("node '" + node.name() +
                  "' differs from the one the model was trained with; only sources can be changed "
                  "when predicting");
  }
}

void load_states(Session& session, const Model& model) {
  for (std::size_t i = 0; i < session.size(); ++i) {
    const auto& node = session.node(i);
    const auto report = model.reports.find(node.name());
    if (report != model.reports.end()) report_from_json(report->second, session.runs[i]->record);
    const auto state = model.has_state.find(node.name());
    if (state != model.has_state.end() && state->second) {
      session.guard(i, "reading the model",
                    [&] { load_state(session, i, model.folder / "nodes" / node.name()); });
    } else {
      // A solver without a state was never trained: its run was stopped before.
      session.runs[i]->ready = node.kind == NodeKind::source || node.kind == NodeKind::feature ||
                               node.kind == NodeKind::pairs;
    }
  }
}

/// New data may name other classes, fewer, or none: labels are matched by name.
std::vector<std::int32_t> matched_labels(const Dataset& data, RowSpan rows,
                                         const std::vector<std::string>& classes) {
  std::vector<std::int32_t> index;
  for (const auto& own : data.outline().classes) {
    const auto found = std::ranges::find(classes, own);
    index.push_back(found == classes.end() ? -1
                                           : static_cast<std::int32_t>(found - classes.begin()));
  }
  std::vector<std::int32_t> labels;
  for (const std::int32_t label : data.labels().subspan(rows.first, rows.count))
    labels.push_back(label < 0 ? -1 : index[static_cast<std::size_t>(label)]);
  return labels;
}

/// Labels of the new rows that the model has no class for may be a mistake.
void tell_unknown_labels(Session& session, std::size_t solver, RowSpan rows) {
  const Dataset& data = session.dataset(solver);
  const auto own = data.labels().subspan(rows.first, rows.count);
  const auto& matched = session.runs[solver]->test_labels;
  std::size_t unknown = 0;
  std::int32_t example = -1;
  for (std::size_t i = 0; i < own.size(); ++i)
    if (own[i] >= 0 && matched[i] < 0 && unknown++ == 0) example = own[i];
  if (unknown == 0) return;
  const std::string source = session.node(session.node(solver).spec->origin).name();
  session.log(LogLevel::warning,
              source + ": " + std::to_string(unknown) + " of " + std::to_string(own.size()) +
                  " rows have a label that is not a class of the model, such as '" +
                  data.outline().classes[static_cast<std::size_t>(example)] +
                  "'; they are treated as unlabelled");
}

void predict_one(Session& session, std::size_t solver, PredictResult& result) {
  const auto& node = session.node(solver);
  auto& run = *session.runs[solver];
  const Dataset& data = session.dataset(solver);
  const auto& outline = data.outline();
  const RowSpan rows = outline.test_rows > 0 ? RowSpan{outline.train_rows, outline.test_rows}
                                             : RowSpan{0, outline.train_rows};
  if (rows.count == 0) throw Error("the source gives no rows to predict");
  run.rows = session.keep(rows.count, node.output.size());
  run_stage(session, build_scoring(session, solver, rows, run.rows));
  if (session.stopping()) throw Cancelled();
  run.test_labels = matched_labels(data, rows, node.outline->classes);
  tell_unknown_labels(session, solver, rows);
  run.tags = RowTags(data, rows.first, rows.count);
  const auto files =
      write_predictions(session.options.out, node.name(), run.rows->view(0, rows.count),
                        run.test_labels, node.outline->classes, run.tags);
  result.files.insert(result.files.end(), files.begin(), files.end());
  result.rows = rows.count;
}

void predict_pairs(Session& session, std::size_t solver, PredictResult& result) {
  const auto& node = session.node(solver);
  // New data are all for testing: the pairs are chosen from them anew.
  const std::size_t chooser = *node.pairs;
  PairSet pairs;
  session.guard(chooser, "choosing pairs", [&] {
    pairs = chosen_pairs(session, chooser, 0).test;
    if (pairs.size() == 0) throw Error("the new data give no pairs to predict");
  });
  run_stage(session, build_stage(session, {{StageTarget::What::training, solver}}));
  if (session.stopping()) throw Cancelled();
  session.guard(solver, "scoring pairs", [&] { score_pairs(session, solver, pairs); });
  const auto& run = *session.runs[solver];
  const auto files = write_pair_predictions(session.options.out, node.name(), run.test_pairs,
                                            run.rows->view(0, run.rows->rows()), run.tags);
  result.files.insert(result.files.end(), files.begin(), files.end());
  result.pairs = run.test_pairs.size();
}

/// Whether the evaluator's inputs are scored, with all labels known.
bool can_judge(const Session& session, std::size_t evaluator) {
  return std::ranges::all_of(session.node(evaluator).inputs, [&](std::size_t solver) {
    const auto& run = *session.runs[solver];
    const std::int32_t unknown = session.node(solver).kind == NodeKind::pair_solver ? 0 : -1;
    return session.node(solver).is_solver() && run.rows &&
           std::ranges::find(run.test_labels, unknown) == run.test_labels.end();
  });
}

void judge_predictions(Session& session, PredictResult& result) {
  for (std::size_t e = 0; e < session.size(); ++e) {
    if (session.node(e).kind != NodeKind::evaluator || !can_judge(session, e)) continue;
    session.guard(e, "evaluating", [&] {
      RecordingReport report(session.runs[e]->record);
      judge(session, e, report);
    });
    result.evaluations.push_back(session.runs[e]->record);
  }
}

}  // namespace

PredictResult predict(const Pipeline& pipeline, const Catalogue& catalogue,
                      const RunOptions& options, const Model& model) {
  const auto mine = claim_output_folder(options.out);
  Session session(pipeline, catalogue, options, &model.shapes);
  PredictResult result;
  result.new_data = !model.shapes.changed.empty();
  session.arena.execute([&] {
    check_nodes(session, model);
    session.prepare_prediction();
    load_states(session, model);
    bool any = false;
    for (std::size_t i = 0; i < session.size(); ++i) {
      if (!session.node(i).is_solver() || !session.runs[i]->ready) continue;
      if (session.node(i).kind == NodeKind::pair_solver)
        predict_pairs(session, i, result);
      else
        predict_one(session, i, result);
      any = true;
    }
    judge_predictions(session, result);
    if (!any) throw Error("the model has no trained solver; its run was stopped before training");
  });
  session.progress->finish();
  return result;
}

}  // namespace semblance
