// SPDX-License-Identifier: MIT
#include "runtime/loop/learning.hpp"

#include <algorithm>

#include "report/metrics.hpp"
#include "runtime/graph/scoring_node.hpp"
#include "runtime/loop/learning_together.hpp"

namespace semblance {
namespace {

void store_state(RunProgress& progress, RunData& data, std::size_t i) {
  const Node& node = progress.node(i);
  auto draft = data.store()->draft(state_key(node.facts()));
  if (node.facts().has_state()) node.save(draft->folder());
  if (const ScoringNode* solver = node.scoring()) solver->save_results(progress, draft->folder());
  auto note = report_to_json(progress.run(i).record);
  note["measured"] = measured_json(progress.journal().measured_now());
  draft->commit(note);
}

/// Whether a cross-validation has done its work: the folds may have evaluated all pairs, so that no
/// test pairs remain.
bool settled_by_cross_validation(const RunProgress& progress, std::size_t i) {
  const auto& judged = progress.facts(i).judged;
  return progress.purpose().settles_idle_evaluators() && !judged.empty() &&
         std::ranges::all_of(judged, [&](std::size_t solver) {
           const PairSet* pairs = progress.node(solver).scoring()->tested_pairs();
           return pairs && pairs->size() == 0;
         });
}

}  // namespace

bool opens_data(const RunProgress& progress, std::size_t i) {
  const NodeFacts& node = progress.facts(i);
  if (node.demands.looks_up_rows) return !progress.run(node.inputs[0]).has_rows();
  // Estimates are compared with what the training targets alone would predict, too.
  return node.judged.empty() || !node.outline->targets.empty();
}

bool can_stream(const RunProgress& progress, std::size_t i) {
  if (progress.run(i).has_rows()) return true;
  if (!progress.run(i).ready()) return false;
  return std::ranges::all_of(progress.facts(i).inputs,
                             [&](std::size_t in) { return can_stream(progress, in); });
}

bool can_visit(const RunProgress& progress, std::size_t i) {
  if (progress.plan(i).keeps()) return progress.run(i).has_rows();
  if (!progress.run(i).ready()) return false;
  return std::ranges::all_of(progress.facts(i).inputs,
                             [&](std::size_t in) { return can_visit(progress, in); });
}

void learn(RunProgress& progress, RunData& data, std::size_t i) {
  Node& node = progress.node(i);
  if (settled_by_cross_validation(progress, i)) return progress.judged_before(i);
  progress.started(i);
  // Opened here, so that the time for reading it counts as the source's.
  if (opens_data(progress, i)) data.dataset(i);
  Trace& trace = progress.journal().trace();
  Span span(&trace, trace.label(node.name(), node.facts().phase));
  progress.learning(i);
  NodeRecord before = progress.run(i).record;
  try {
    data.guard(i, node.facts().phase, [&] {
      if (progress.ranks().together())
        learn_together(progress, data, i);
      else
        node.learn(progress, data);
    });
    data.check_files(i);
  } catch (...) {  // it may be tried again
    progress.run(i).record = std::move(before);
    throw;
  }
  progress.ranks().meet();
  progress.learning(std::nullopt);
  const auto learned = std::chrono::nanoseconds(span.end()).count();
  progress.run(i).busy_nanoseconds += learned;
  progress.run(i).record.learning_seconds = static_cast<double>(learned) * 1e-9;
  progress.ready(i);
  // A stopped solver has its best model so far: good to save, not to be reused later.
  if (data.store() && progress.ranks().first() && !progress.stopping())
    data.guard(i, "storing its learned state", [&] { store_state(progress, data, i); });
}

void restore(RunProgress& progress, RunData& data, std::size_t i) {
  Measured made;
  data.guard(i, "reading its learned state from the store", [&] {
    Node& node = progress.node(i);
    const auto artifact = data.store()->open(state_key(node.facts()));
    NodeRecord& record = progress.run(i).record;
    report_from_json(artifact.note, record);
    made = measured_from_json(artifact.note.at("measured"));
    record.measured = made;
    progress.run(i).learned_on = made.processor;
    if (node.needs_state(progress)) {
      NodeContext context = progress.context(i);
      node.load(artifact.folder, context);
    }
    if (ScoringNode* solver = node.scoring()) solver->load_results(progress, data, artifact.folder);
    progress.ready(i);
  });
  // A refusal because of where it was made is not a failure of the node.
  progress.journal().taken_from_store(progress.facts(i).name(), made);
}

void restore_rows(RunProgress& progress, RunData& data, std::size_t i) {
  Measured made;
  data.guard(i, "reading its rows from the store", [&] {
    Node& node = progress.node(i);
    NodeRun& run = progress.run(i);
    const auto artifact = data.store()->open(rows_key(node.facts()));
    const RowSpan span = wanted_rows(node.facts(), progress.plan(i));
    // With several ranks, the first has all scores, and each rank its own of all other rows.
    auto own = progress.own_rows(i, span);
    if (node.scoring() && progress.ranks().first()) own.reset();
    const auto kind = node.facts().output.kind == LayoutKind::sparse ? KeptRows::Kind::sparse
                      : node.facts().output.ragged()                 ? KeptRows::Kind::ragged
                                                                     : KeptRows::Kind::equal;
    run.rows = KeptRows::open(
        artifact.folder, span.count, node.facts().output.size(), kind,
        [&](std::size_t bytes) { return data.memory().room(bytes); }, std::move(own));
    if (ScoringNode* solver = node.scoring()) solver->load_labels(artifact.folder / "labels");
    made = measured_from_json(artifact.note.at("measured"));
    run.rows_life = RowsLife::there;
    run.record.bytes = run.rows->bytes_here();
  });
  progress.journal().taken_from_store(progress.facts(i).name(), made);
}

}  // namespace semblance
