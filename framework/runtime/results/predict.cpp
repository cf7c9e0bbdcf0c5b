// SPDX-License-Identifier: MIT
#include "runtime/results/predict.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "pipeline/resolved.hpp"
#include "report/metrics.hpp"
#include "runtime/graph/scoring_node.hpp"
#include "runtime/ranks/run_as_rank.hpp"
#include "runtime/results/model.hpp"
#include "runtime/results/others_warnings.hpp"
#include "runtime/results/output_folder.hpp"
#include "runtime/results/run_results.hpp"
#include "runtime/services/processor.hpp"

namespace semblance {
namespace {

/// The model's states only fit the pipeline they were learned in.
void check_nodes(const Session& session, const Model& model) {
  for (std::size_t i = 0; i < session.size(); ++i) {
    const NodeFacts& node = session.facts(i);
    if (node.is_source() || node.is_result()) continue;
    const auto known = model.components.find(node.name());
    if (known == model.components.end() ||
        known->second !=
            canonical_json(node.spec->component, session.catalogue(), PathValues::leave_out))
      throw Error("node '" + node.name() +
                  "' differs from the one the model was trained with; only sources can be changed "
                  "when predicting");
  }
}

/// Warns of Python components whose files have changed since the model was trained.
void tell_changed_code(Session& session, const Model& model) {
  for (const auto& [name, code] : model.code)
    for (std::size_t i = 0; i < session.size(); ++i) {
      const NodeFacts& node = session.facts(i);
      if (node.name() != name || python_code(node.spec->component, session.catalogue()) == code)
        continue;
      session.journal().log(LogLevel::warning,
                            name + ": the Python code of " + node.spec->component.id +
                                " is not the one that the model was trained with, so its "
                                "predictions can differ; train it again, or use the original code");
    }
}

/// Warns of states that were learned on another kind of processor, or refuses them.
void tell_processors(Session& session, const Model& model) {
  bool told = false;
  for (std::size_t i = 0; i < session.size(); ++i) {
    const std::string& name = session.facts(i).name();
    const auto state = model.has_state.find(name);
    if (state == model.has_state.end() || !state->second) continue;
    const auto known = model.processors.find(name);
    const std::string made = known == model.processors.end() ? "" : known->second;
    session.run(i).learned_on = made.empty() ? "unknown" : made;
    if (made == processor_kind()) continue;
    std::string text = "the model's '" + name + "' learned on another kind of processor (";
    text.append(made.empty() ? "the model does not say which" : made);
    text.append("; this one is ").append(processor_kind());
    if (session.options().same_processor)
      throw Error(
          text.append("), and --require-same-cpu refuses that: use a machine of that kind, "
                      "or train the model again on this one"));
    // Only the first is reported, but all are recorded.
    if (made.empty() || std::exchange(told, true)) continue;
    text.append("): the last digits of scores can differ from those there");
    session.journal().log(LogLevel::warning, text);
  }
}

void load_states(Session& session, const Model& model) {
  for (std::size_t i = 0; i < session.size(); ++i) {
    Node& node = session.node(i);
    const auto report = model.reports.find(node.name());
    if (report != model.reports.end()) report_from_json(report->second, session.run(i).record);
    const auto state = model.has_state.find(node.name());
    if (state != model.has_state.end() && state->second) {
      session.guard(i, "reading the model",
                    [&] { node.load(session, model.folder / "nodes" / node.name()); });
    } else if (node.facts().has_state()) {
      // A solver without a state was never trained: its run was stopped before.
      session.run(i).life = Life::waiting;
    }
  }
}

/// Whether the evaluator's inputs are scored, with all labels known.
bool can_judge(const Session& session, const Node& evaluator) {
  const auto judged = evaluator.judged();
  return !judged.empty() && std::ranges::all_of(judged, [&](std::size_t i) {
    return session.run(i).has_rows() && session.node(i).scoring()->all_labelled();
  });
}

void judge_predictions(Session& session, PredictResult& result) {
  for (std::size_t e = 0; e < session.size(); ++e) {
    Node& evaluator = session.node(e);
    if (!can_judge(session, evaluator)) continue;
    session.guard(e, evaluator.phase(), [&] { evaluator.learn(session); });
    result.evaluations.push_back(session.run(e).record);
  }
}

}  // namespace

void restore_model(Session& session, const Model& model) {
  check_nodes(session, model);
  session.prepare_prediction(model.checksum);
  tell_changed_code(session, model);
  tell_processors(session, model);
  load_states(session, model);
  check_same_files(model);
}

namespace {

PredictResult predict_here(const Pipeline& pipeline, const Catalogue& catalogue,
                           const RunOptions& options, const Model& model) {
  std::optional<PredictionsFolder> folder;
  RunOptions own = options;
  if (!options.out.empty()) own.out = folder.emplace(options.out).place();
  Session session(pipeline, catalogue, own, {}, &model.shapes);
  PredictResult result;
  result.new_data = !model.shapes.changed.empty();
  session.execute([&] {
    restore_model(session, model);
    bool any = false;
    for (std::size_t i = 0; i < session.size(); ++i) {
      ScoringNode* solver = session.node(i).scoring();
      if (!solver || !session.run(i).ready()) continue;
      const Predicted predicted = solver->predict(session);
      result.files.insert(result.files.end(), predicted.files.begin(), predicted.files.end());
      result.rows = std::max(result.rows, predicted.rows);
      result.pairs = std::max(result.pairs, predicted.pairs);
      any = true;
    }
    if (!any) throw Error("the model has no trained solver; its run was stopped before training");
    tell_others_warnings(session);
    if (session.ranks().first()) judge_predictions(session, result);
    session.ranks().meet();
  });
  session.journal().close_display();
  if (folder) folder->settle(result.files);
  return result;
}

}  // namespace

PredictResult predict(const Pipeline& pipeline, const Catalogue& catalogue,
                      const RunOptions& options, const Model& model) {
  return run_as_rank(options, [&](const RunOptions& own) {
    return predict_here(pipeline, catalogue, own, model);
  });
}

}  // namespace semblance
