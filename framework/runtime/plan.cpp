// SPDX-License-Identifier: MIT
#include "runtime/plan.hpp"

#include <algorithm>

#include "runtime/streaming.hpp"
#include "support/number_text.hpp"

namespace semblance {
namespace {

/// Whether the component has a state that is worth keeping: what it learned or was given.
bool has_state(NodeKind kind) {
  return kind != NodeKind::source && kind != NodeKind::feature && kind != NodeKind::pairs;
}

/// Whether learning visits all training rows, so that they must be there before it can begin.
bool learns_from_rows(const CompiledNode& node) {
  if (node.kind == NodeKind::basis) return node.as<Basis>().uses_rows();
  return node.kind == NodeKind::normalizer || node.is_solver() || node.judges_samples();
}

/// Whether it sends rows through the nodes before it: probes, or once more what the source gives,
/// to ask the solver about its inputs.
bool sends_rows(const CompiledNode& node) {
  if (node.kind != NodeKind::evaluator || node.judges_samples() || node.judges_pairs())
    return false;
  return node.as<Evaluator>().wants_probes() || node.as<Evaluator>().wants_shares();
}

class Planner {
 public:
  Planner(const Compilation& compilation, const ArtifactStore* store, bool verify,
          const std::function<void(const std::string&)>& damaged)
      : compilation_(compilation), store_(store), verify_(verify), damaged_(damaged) {
    plan_.nodes.resize(compilation.nodes.size());
  }

  Plan make() {
    for (std::size_t i = compilation_.nodes.size(); i-- > 0;) demand(i);
    for (std::size_t i = 0; i < compilation_.nodes.size(); ++i) estimate(i);
    return std::move(plan_);
  }

 private:
  bool stored(const std::string& key) const {
    if (!store_) return false;
    return verify_ ? store_->find(key, damaged_).has_value() : store_->contains(key);
  }

  void want(std::size_t i, bool train, bool test) {
    plan_.nodes[i].train_rows |= train;
    plan_.nodes[i].test_rows |= test;
  }

  /// Consumers come later in topological order, so by now they have said what they want.
  void demand(std::size_t i) {
    const auto& node = compilation_.nodes[i];
    auto& plan = plan_.nodes[i];
    // Without an evaluator, test rows are still predicted.
    if (node.kind == NodeKind::solver) plan.test_rows |= node.outline->test_rows > 0;
    plan.keep = keeps_rows(i);
    if (plan.keep && plan_.uses(i)) plan.rows_stored = stored(rows_key(node));
    if (node.has_nothing_to_judge()) return;
    if (has_state(node.kind)) {
      plan.restore = stored(state_key(node));
      plan.learn = !plan.restore;
    } else if (node.kind == NodeKind::pairs) {
      // Chosen again where pairs are wanted; else what was told of them is enough.
      plan.learn = std::ranges::any_of(node.consumers,
                                       [&](std::size_t c) { return plan_.nodes[c].learn; }) ||
                   !stored(state_key(node));
      plan.restore = !plan.learn;
    }
    demand_of_inputs(node, plan);
  }

  void demand_of_inputs(const CompiledNode& node, const NodePlan& plan) {
    if (node.kind == NodeKind::pairs || node.judges_pairs()) return;
    // Trains on pairs of the training rows, and scores pairs of any rows at once.
    if (node.kind == NodeKind::pair_solver) {
      for (const std::size_t input : node.inputs) want(input, plan.learn, plan.learn);
      return;
    }
    if (plan.probed || (plan.learn && sends_rows(node)))
      for (const std::size_t input : node.inputs) plan_.nodes[input].probed = true;
    const bool from_training = plan.learn && learns_from_rows(node);
    for (const std::size_t input : node.inputs) {
      if (node.kind == NodeKind::evaluator && !node.judges_samples())
        want(input, false, plan.learn);
      else
        want(input, from_training, false);
      if (node.kind != NodeKind::basis && !plan.rows_stored)
        want(input, plan.train_rows, plan.test_rows);
    }
  }

  /// Rows are kept where something has to see them all, directly or through inexpensive nodes;
  /// everything else streams past.
  bool keeps_rows(std::size_t i) const {
    const auto& node = compilation_.nodes[i];
    if (node.kind == NodeKind::solver) return true;
    if (node.kind == NodeKind::source || !node.gives_rows() || node.inexpensive()) return false;
    return feeds_learner(i);
  }

  bool feeds_learner(std::size_t i) const {
    return std::ranges::any_of(compilation_.nodes[i].consumers, [&](std::size_t c) {
      const auto& consumer = compilation_.nodes[c];
      return learns_from_rows(consumer) || (consumer.inexpensive() && feeds_learner(c));
    });
  }

  void estimate(std::size_t i) {
    const auto& node = compilation_.nodes[i];
    auto& plan = plan_.nodes[i];
    const RowSpan rows = wanted_rows(node, plan);
    if (node.kind == NodeKind::source && plan_.uses(i))
      plan_.source_bytes += node.outline->rows() * node.output.size();
    if (node.kind == NodeKind::similarity && !plan.rows_stored)
      plan.operations = node.operations * static_cast<double>(node.output.size()) *
                        static_cast<double>(rows.count);
    if (node.gives_rows() && plan_.uses(i))
      plan_.block_bytes += streaming_rows * node.output.size() * sizeof(float);
    if (plan.keep) plan.kept_bytes = rows.count * node.output.size() * sizeof(float);
    if (node.is_solver() && plan.learn) {
      std::size_t width = 0;
      for (const std::size_t input : node.inputs) width += compilation_.nodes[input].output.size();
      plan.kept_bytes += rows_learned_from(node).count * width * sizeof(float);
    }
    plan_.kept_bytes += plan.kept_bytes;
  }

  const Compilation& compilation_;
  const ArtifactStore* store_;
  bool verify_;
  const std::function<void(const std::string&)>& damaged_;
  Plan plan_;
};

}  // namespace

std::string state_key(const CompiledNode& node) { return node.key + ".state"; }
std::string rows_key(const CompiledNode& node) { return node.key + ".rows"; }

RowSpan rows_learned_from(const CompiledNode& solver) {
  return {0, solver.kind == NodeKind::pair_solver ? solver.outline->rows()
                                                  : solver.outline->train_rows};
}

RowSpan wanted_rows(const CompiledNode& node, const NodePlan& plan) {
  const std::size_t train = node.outline->train_rows;
  const std::size_t test = node.outline->test_rows;
  if (node.kind == NodeKind::solver) return {train, test};
  // Kept rows always cover the whole data set: another run may need the other part.
  if (plan.keep || (plan.train_rows && plan.test_rows)) return {0, train + test};
  return plan.train_rows ? RowSpan{0, train} : RowSpan{train, plan.test_rows ? test : 0};
}

Plan make_plan(const Compilation& compilation, const ArtifactStore* store, bool verify,
               const std::function<void(const std::string&)>& damaged) {
  return Planner(compilation, store, verify, damaged).make();
}

std::size_t fixed_bytes(const Plan& plan) {
  return program_bytes + plan.source_bytes + plan.blocks * plan.block_bytes;
}

void allot_memory(Plan& plan, std::size_t memory, std::size_t threads) {
  constexpr std::size_t fewest = 2;
  plan.blocks = 0;
  const std::size_t taken = std::min(memory, fixed_bytes(plan));
  plan.blocks = std::max(fewest, 2 * threads);
  if (plan.block_bytes > 0)
    plan.blocks = std::clamp((memory - taken) / 2 / plan.block_bytes, fewest, plan.blocks);
  if (fixed_bytes(plan) <= memory) return;
  const auto text = [](std::size_t bytes) { return bytes_text(static_cast<double>(bytes)); };
  throw Error("this pipeline cannot run within --memory " + text(memory) + ": the program takes " +
              text(program_bytes) + ", the data set " + text(plan.source_bytes) +
              ", blocks of rows " + text(plan.blocks * plan.block_bytes) + ", together " +
              text(fixed_bytes(plan)) +
              "; everything else can be kept on disk. Give it more, or use fewer rows");
}

}  // namespace semblance
