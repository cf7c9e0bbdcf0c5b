// SPDX-License-Identifier: MIT
#include "runtime/session/run_progress.hpp"

namespace semblance {

RunProgress::RunProgress(const Compilation& graph, const RunOptions& options,
                         const RunPurpose& purpose, RunServices& services, RunJournal& journal,
                         Ranks& ranks)
    : graph_(graph),
      options_(options),
      purpose_(purpose),
      services_(services),
      journal_(journal),
      ranks_(ranks) {
  for (std::size_t i = 0; i < size(); ++i) runs_.push_back(std::make_unique<NodeRun>());
}

std::optional<std::size_t> RunProgress::learning() const noexcept {
  const std::size_t learns = learns_;
  return learns == 0 ? std::nullopt : std::optional(learns - 1);
}

bool RunProgress::stopping() const {
  return (ranks_.together() ? ranks_.stop() : services_.stop.reason()) != StopReason::none;
}

std::optional<std::vector<RowSpan>> RunProgress::own_rows(std::size_t i, RowSpan span) const {
  if (!ranks_.together()) return std::nullopt;
  const Outline& outline = *facts(i).outline;
  std::vector<RowSpan> own = ranks_.own(span, outline.train_rows, outline.rows());
  for (RowSpan& piece : own) piece.first -= span.first;
  return own;
}

NodeContext RunProgress::context(std::size_t i) {
  const auto& spec = *facts(i).spec;
  NodeContext made(services_, spec.name, mixed_seed(spec.seed, spec.component.id));
  if (learning_together_ == i) made.learn_with(&ranks_.collectives());
  return made;
}

void RunProgress::started(std::size_t i) {
  if (run(i).computed) return;
  run(i).computed = true;
  journal_.node_started(facts(i).name());
}

void RunProgress::finished(std::size_t i) {
  auto& ended = run(i);
  if (ended.life == Life::finished) return;
  ended.life = Life::finished;
  ended.record.seconds = static_cast<double>(ended.busy_nanoseconds.load()) * 1e-9;
  ended.record.cached = !ended.computed;
  if (ended.rows_predicted > 0) {
    ended.record.metrics["predict_rows"] = ended.rows_predicted.load();
    ended.record.metrics["predict_seconds"] =
        static_cast<double>(ended.predict_nanoseconds.load()) * 1e-9;
  }
  journal_.node_finished(ended.record);
}

void RunProgress::judged_before(std::size_t i) {
  run(i).life = Life::finished;
  journal_.node_settled(facts(i).name(),
                        purpose_.cross_validated
                            ? "nothing is left to test: cross-validation has evaluated it"
                            : "there is nothing to test");
}

void RunProgress::fail(std::size_t i, const std::string& message) {
  auto& failing = run(i);
  if (failing.failed()) return;
  failing.life = Life::failed;
  failing.rows.reset();
  failing.draft.reset();
  failing.rows_life = RowsLife::pending;
  node(i).drop_rows();
  if (!message.empty()) purpose_.on_failure(i, message);
  for (const std::size_t consumer : facts(i).consumers) fail(consumer, "");
}

void RunProgress::renew_plan(const std::function<bool(const std::string& key)>& stored) {
  std::vector<char> failed(size(), 0);
  for (std::size_t i = 0; i < size(); ++i) failed[i] = run(i).failed() ? 1 : 0;
  // The memory taken throughout was decided at the start.
  plan_.nodes = make_plan(graph_, stored, failed, share_of(ranks_)).nodes;
}

bool RunProgress::unfinished(std::size_t i) const {
  const NodePlan& planned = plan(i);
  const NodeRun& state = run(i);
  if (state.failed()) return false;
  if (planned.learns() && state.life == Life::waiting) return true;
  return planned.rows == RowsPlan::kept && planned.used() && state.rows_pending();
}

// Unless its kind says otherwise.
bool Node::needs_state(const RunProgress& progress) const {
  if (!facts().has_state()) return false;
  const NodePlan& plan = progress.plan(facts().index);
  return (progress.purpose().keeps_states && !facts().spec->held_out) || plan.probed ||
         (plan.used() && plan.rows != RowsPlan::stored);
}

}  // namespace semblance
