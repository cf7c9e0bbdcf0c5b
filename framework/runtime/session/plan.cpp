// SPDX-License-Identifier: MIT
#include "runtime/session/plan.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "runtime/sources/open_data.hpp"
#include "support/number_text.hpp"

namespace semblance {
namespace {

/// One is computed while the next is read.
constexpr std::size_t fewest_blocks = 2;

class Planner {
 public:
  Planner(const Compilation& graph, const std::function<bool(const std::string&)>& stored,
          const std::vector<char>& failed, RowShare share)
      : graph_(graph), stored_(stored), failed_(failed), share_(std::move(share)) {
    plan_.nodes.resize(graph.nodes.size());
  }

  Plan make() {
    for (std::size_t i = graph_.nodes.size(); i-- > 0;) demand(i);
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) estimate(i);
    for (const auto& [source, bytes] : data_) {
      plan_.source_bytes += bytes;
      plan_.largest_source_bytes = std::max(plan_.largest_source_bytes, bytes);
    }
    for (const auto& [source, bytes] : blocks_)
      plan_.block_bytes = std::max(plan_.block_bytes, bytes);
    return std::move(plan_);
  }

 private:
  /// Consumers come later in topological order, so their demands are known by now.
  void demand(std::size_t i) {
    if (failed_[i]) return;
    const NodeFacts& node = graph_.facts(i);
    if (node.spec->held_out && !is_asked(node)) return;
    const Demands demands = node.demands;
    NodePlan& plan = plan_.nodes[i];
    // Results are for the user: without an evaluator, test samples are still predicted.
    if (demands.keeping == Keeping::always && node.outline->test_rows > 0 && !node.spec->held_out)
      plan.wanted = plan.wanted | RowsOf::testing;
    if (keeps_rows(node, demands))
      plan.rows = plan.used() && stored_(rows_key(node)) ? RowsPlan::stored : RowsPlan::kept;
    if (node.lacks_test_rows()) return;
    plan.learning = learning_of(node, demands);
    demand_of_inputs(node, demands, plan);
  }

  /// Whether anything that is computed needs it. Scorers of held-out samples have no other use.
  bool is_asked(const NodeFacts& node) const {
    return std::ranges::any_of(node.consumers, [&](std::size_t c) {
      const NodePlan& plan = plan_.nodes[c];
      const bool gives_rows_of_it =
          std::ranges::find(graph_.facts(c).held_out, node.index) == graph_.facts(c).held_out.end();
      return plan.learns() || (gives_rows_of_it && plan.used() && plan.rows != RowsPlan::stored);
    });
  }

  Learning learning_of(const NodeFacts& node, const Demands& demands) const {
    if (demands.learned == Learned::nothing) return Learning::none;
    // A node without a state is made again where another learns from it; otherwise its report is
    // enough.
    const bool made_again =
        demands.learned == Learned::report &&
        std::ranges::any_of(node.consumers, [&](std::size_t c) { return plan_.nodes[c].learns(); });
    return made_again || !stored_(state_key(node)) ? Learning::learn : Learning::restore;
  }

  void demand_of_inputs(const NodeFacts& node, const Demands& demands, const NodePlan& plan) {
    RowsOf wanted = plan.learns() ? demands.learns_from : RowsOf::none;
    // To compute them it must have learned, even where all its other rows are stored.
    if (plan.learns() && demands.looks_up_rows) wanted = wanted | RowsOf::training;
    if (plan.rows != RowsPlan::stored) wanted = wanted | plan.wanted;
    for (const std::size_t input : node.inputs) {
      NodePlan& asked = plan_.nodes[input];
      asked.wanted = asked.wanted | wanted;
      asked.probed = asked.probed || plan.probed || (plan.learns() && demands.sends_rows);
    }
    if (plan.learns())
      for (const std::size_t fold : node.held_out)
        plan_.nodes[fold].wanted = plan_.nodes[fold].wanted | RowsOf::testing;
    // An evaluator that queries a map about a sample may ask which training samples it is compared
    // with.
    if (node.bases && plan.probed) plan_.nodes[*node.bases].probed = true;
  }

  /// Rows are retained where a node has to see all of them, directly or through inexpensive nodes;
  /// all other rows stream past.
  bool keeps_rows(const NodeFacts& node, const Demands& demands) const {
    if (demands.keeping != Keeping::if_learned_from) return demands.keeping == Keeping::always;
    return !node.inexpensive() && feeds_learner(node);
  }

  bool feeds_learner(const NodeFacts& node) const {
    return std::ranges::any_of(node.consumers, [&](std::size_t c) {
      const NodeFacts& consumer = graph_.facts(c);
      return includes(consumer.demands.learns_from, RowsOf::training) ||
             (consumer.inexpensive() && feeds_learner(consumer));
    });
  }

  void estimate(std::size_t i) {
    const NodeFacts& node = graph_.facts(i);
    NodePlan& plan = plan_.nodes[i];
    const std::size_t rows = share(node, wanted_rows(node, plan));
    const std::size_t values = node.output.size();
    if (node.is_source() && plan.used()) {
      std::size_t& bytes = data_[node.shares_data_of];
      bytes = std::max(bytes, expected_bytes(node, rows_opened(graph_.node(node.index), share_)));
    }
    if (plan.rows != RowsPlan::stored)
      plan.operations = node.operations * static_cast<double>(values) * static_cast<double>(rows);
    if (node.gives_rows()) {
      blocks_[node.spec->origin] += block_bytes(i);
      plan_.least_block_bytes = std::max(plan_.least_block_bytes, bytes_on_the_way(i));
    }
    if (plan.keeps()) plan.kept_bytes = expected_row_bytes(node, rows);
    if (node.demands.gathers && plan.learns() && !learns_in_place(node))
      for (const std::size_t input : node.inputs)
        plan.kept_bytes +=
            expected_row_bytes(graph_.facts(input), share(node, rows_learned_from(node)));
    plan_.kept_bytes += plan.kept_bytes;
  }

  /// The bytes of one block of node i's rows.
  std::size_t block_bytes(std::size_t i) const {
    const NodeFacts& node = graph_.facts(i);
    if (!node.gives_rows() || !plan_.nodes[i].used() || in_place(node)) return 0;
    return expected_row_bytes(node, streaming_rows);
  }

  /// The bytes of one block in node i and all nodes before it.
  std::size_t bytes_on_the_way(std::size_t i) const {
    std::set<std::size_t> nodes;
    collect(i, nodes);
    std::size_t bytes = 0;
    for (const std::size_t node : nodes) bytes += block_bytes(node);
    return bytes;
  }

  void collect(std::size_t i, std::set<std::size_t>& nodes) const {
    if (!nodes.insert(i).second) return;
    for (const std::size_t in : graph_.facts(i).inputs) collect(in, nodes);
  }

  std::size_t share(const NodeFacts& node, RowSpan rows) const {
    return share_(rows, *node.outline);
  }

  /// Whether all its rows are in a program's memory.
  static bool in_place(const NodeFacts& node) {
    return node.is_source() && node.outline->rows_in_place >= node.outline->rows();
  }

  /// Whether it learns from rows in a program's memory, so that none are gathered.
  bool learns_in_place(const NodeFacts& node) const {
    return node.inputs.size() == 1 &&
           lie_in_place(graph_.facts(node.inputs[0]), rows_learned_from(node));
  }

  const Compilation& graph_;
  const std::function<bool(const std::string&)>& stored_;
  const std::vector<char>& failed_;
  RowShare share_;
  Plan plan_;
  std::map<std::size_t, std::size_t> data_;    // bytes, by the first source that has them
  std::map<std::size_t, std::size_t> blocks_;  // bytes, by source: a stage has rows of one source
                                               // only
};

}  // namespace

std::string state_key(const NodeFacts& node) { return node.key + ".state"; }
std::string rows_key(const NodeFacts& node) { return node.key + ".rows"; }

RowSpan rows_learned_from(const NodeFacts& node) {
  return span_of(node.demands.learns_from, node.outline->train_rows, node.outline->test_rows);
}

RowSpan wanted_rows(const NodeFacts& node, const NodePlan& plan) {
  // Retained rows always cover the node's complete output: another run may need the other part.
  const RowsOf rows = plan.keeps() ? node.demands.gives : plan.wanted;
  return span_of(rows, node.outline->train_rows, node.outline->test_rows);
}

Plan make_plan(const Compilation& graph, const std::function<bool(const std::string& key)>& stored,
               const std::vector<char>& failed, RowShare share) {
  return Planner(graph, stored, failed, std::move(share)).make();
}

void allot_least(Plan& plan) {
  plan.source_bytes = std::min(plan.source_bytes, plan.largest_source_bytes);
  plan.block_bytes = std::min(plan.block_bytes, plan.least_block_bytes);
  plan.blocks = fewest_blocks;
}

std::size_t fixed_bytes(const Plan& plan) {
  return plan.program_bytes + plan.source_bytes + plan.blocks * plan.block_bytes;
}

void allot_memory(Plan& plan, std::size_t memory, std::size_t threads) {
  Plan least = plan;
  allot_least(least);
  plan.program_bytes = least.program_bytes = program_bytes(memory, fixed_bytes(least));
  if (fixed_bytes(least) > memory) {
    const auto text = [](std::size_t bytes) { return bytes_text(static_cast<double>(bytes)); };
    throw Error("this pipeline does not fit into --memory " + text(memory) +
                ": the program takes " + text(plan.program_bytes) + ", the data set " +
                text(least.source_bytes) + ", blocks of rows " +
                text(least.blocks * least.block_bytes) + ", together " + text(fixed_bytes(least)) +
                "; everything else can be kept on disk. Raise --memory, or use fewer rows");
  }
  const std::size_t spare = memory - fixed_bytes(least);
  // One data set must be open; more may be open as long as they fit in half of the memory.
  plan.source_bytes = std::min(plan.source_bytes, least.source_bytes + spare / 2);
  const std::size_t left = memory - plan.program_bytes - plan.source_bytes;
  plan.blocks = std::max(fewest_blocks, 2 * threads);
  if (plan.block_bytes == 0) return;
  // A stage is small enough that two of its blocks fit.
  const std::size_t widest = std::max(left / 2 / fewest_blocks, plan.least_block_bytes);
  plan.block_bytes = std::min(plan.block_bytes, widest);
  plan.blocks = std::clamp(left / 2 / plan.block_bytes, fewest_blocks, plan.blocks);
}

}  // namespace semblance
