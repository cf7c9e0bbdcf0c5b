// SPDX-License-Identifier: MIT
#include "runtime/results/predict.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "pipeline/resolved.hpp"
#include "report/metrics.hpp"
#include "runtime/graph/scoring_node.hpp"
#include "runtime/ranks/fail_together.hpp"
#include "runtime/results/model.hpp"
#include "runtime/results/others_warnings.hpp"
#include "runtime/results/output_folder.hpp"
#include "runtime/services/processor.hpp"
#include "runtime/session/row_names.hpp"
#include "runtime/session/session.hpp"

namespace semblance {
namespace {

/// The model's states only fit the pipeline they were learned in.
void check_nodes(const Compilation& graph, const Catalogue& catalogue, const Model& model) {
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const NodeFacts& node = graph.facts(i);
    if (node.is_source() || node.is_result()) continue;
    const auto known = model.components.find(node.name());
    if (known == model.components.end() ||
        current_json(known->second, catalogue) !=
            canonical_json(node.spec->component, catalogue, PathValues::leave_out))
      throw Error("node '" + node.name() +
                  "' differs from the one the model was trained with; only sources can be changed "
                  "when predicting");
  }
}

/// Warns of Python components whose files have changed since the model was trained.
void report_changed_code(RunProgress& progress, const Catalogue& catalogue, const Model& model) {
  for (const auto& [name, code] : model.code)
    for (std::size_t i = 0; i < progress.size(); ++i) {
      const NodeFacts& node = progress.facts(i);
      if (node.name() != name || python_code(node.spec->component, catalogue) == code) continue;
      progress.journal().log(
          LogLevel::warning,
          name + ": the Python code of " + node.spec->component.id +
              " is not the one that the model was trained with, so its "
              "predictions can differ; train it again, or use the original code");
    }
}

/// Warns of states that were learned on another kind of processor, or refuses them.
void report_processors(RunProgress& progress, const Model& model) {
  bool told = false;
  for (std::size_t i = 0; i < progress.size(); ++i) {
    const std::string& name = progress.facts(i).name();
    const auto state = model.has_state.find(name);
    if (state == model.has_state.end() || !state->second) continue;
    const auto known = model.processors.find(name);
    const std::string made = known == model.processors.end() ? "" : known->second;
    progress.run(i).learned_on = made.empty() ? "unknown" : made;
    if (made == processor_kind()) continue;
    std::string text = "the model's '" + name + "' learned on another kind of processor (";
    text.append(made.empty() ? "the model does not say which" : made);
    text.append("; this one is ").append(processor_kind());
    if (progress.options().same_processor)
      throw Error(
          text.append("), and --require-same-cpu refuses that: use a machine of that kind, "
                      "or train the model again on this one"));
    // Only the first is reported, but all are recorded.
    if (made.empty() || std::exchange(told, true)) continue;
    text.append("): the last digits of scores can differ from those there");
    progress.journal().log(LogLevel::warning, text);
  }
}

void load_states(RunProgress& progress, RunData& data, const Model& model) {
  for (std::size_t i = 0; i < progress.size(); ++i) {
    Node& node = progress.node(i);
    const auto report = model.reports.find(node.name());
    if (report != model.reports.end()) report_from_json(report->second, progress.run(i).record);
    const auto state = model.has_state.find(node.name());
    if (state != model.has_state.end() && state->second) {
      data.guard(i, "reading the model", [&] {
        NodeContext context = progress.context(i);
        node.load(model.folder / "nodes" / node.name(), context);
      });
    } else if (node.facts().has_state()) {
      // A solver without a state was never trained: its run was stopped before.
      progress.run(i).life = Life::waiting;
    }
  }
}

/// Whether the evaluator's inputs are scored, with all labels known.
bool can_judge(const RunProgress& progress, const Node& evaluator) {
  const auto judged = evaluator.facts().judged;
  return !judged.empty() && std::ranges::all_of(judged, [&](std::size_t i) {
    return progress.run(i).has_rows() && progress.node(i).scoring()->all_labelled();
  });
}

void judge_predictions(RunProgress& progress, RunData& data, PredictResult& result) {
  for (std::size_t e = 0; e < progress.size(); ++e) {
    Node& evaluator = progress.node(e);
    if (!can_judge(progress, evaluator)) continue;
    data.guard(e, evaluator.facts().phase, [&] { evaluator.learn(progress, data); });
    result.evaluations.push_back(progress.run(e).record);
  }
}

}  // namespace

void restore_model(Session& session, const Model& model) {
  check_nodes(session.graph(), session.catalogue(), model);
  session.prepare_prediction(model.checksum);
  report_changed_code(session.progress(), session.catalogue(), model);
  report_processors(session.progress(), model);
  load_states(session.progress(), session.data(), model);
  check_same_files(model);
}

PredictResult predict(const Pipeline& pipeline, const Catalogue& catalogue,
                      const RunOptions& options, const Model& model) {
  return fail_together(options, [&](RunOptions own) {
    std::optional<PredictionsFolder> folder;
    if (!own.out.empty()) own.out = folder.emplace(own.out).place();
    Session session(pipeline, catalogue, own, {}, &model.shapes);
    PredictResult result;
    result.new_data = !model.shapes.changed.empty();
    session.execute([&] {
      restore_model(session, model);
      session.check_same_data(model.contents);
      bool any = false;
      for (std::size_t i = 0; i < session.graph().size(); ++i) {
        ScoringNode* solver = session.graph().node(i).scoring();
        if (!solver || !session.progress().run(i).ready()) continue;
        const Predicted predicted = solver->predict(session.progress(), session.data());
        result.files.insert(result.files.end(), predicted.files.begin(), predicted.files.end());
        result.rows = std::max(result.rows, predicted.rows);
        result.pairs = std::max(result.pairs, predicted.pairs);
        any = true;
      }
      for (std::size_t i = 0; i < session.graph().size(); ++i)
        report_unknown_rows(session.progress(), session.data(), i, false);
      if (!any) throw Error("the model has no trained solver; its run was stopped before training");
      log_others_warnings(session.journal(), session.ranks());
      if (session.ranks().first()) judge_predictions(session.progress(), session.data(), result);
      session.ranks().meet();
    });
    session.journal().close_display();
    if (folder) folder->settle(result.files);
    return result;
  });
}

}  // namespace semblance
