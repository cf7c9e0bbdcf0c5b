// SPDX-License-Identifier: MIT
#include "runtime/run/plan_of_ranks.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "runtime/graph/scoring_node.hpp"
#include "runtime/stages/streaming.hpp"

namespace semblance {
namespace {

/// How many threads of a rank have work with this number of rows.
double busy_threads(const RunProgress& progress, double rows) {
  const double blocks = std::ceil(rows / static_cast<double>(streaming_rows));
  return std::clamp(blocks, 1.0, static_cast<double>(progress.options().threads));
}

class PlannerOfRanks {
 public:
  PlannerOfRanks(const RunProgress& progress, const std::vector<NodeRates>& rates)
      : progress_(progress),
        rates_(rates),
        ranks_(progress.purpose().planned_ranks),
        share_(largest_share(ranks_)) {}

  NodeOfRanks of(std::size_t i) const {
    const Node& node = progress_.node(i);
    const NodePlan& plan = progress_.plan(i);
    NodeOfRanks planned;
    if (node.facts().gives_rows() && plan.used())
      planned.rows = share_(wanted_rows(node.facts(), plan), *node.facts().outline);
    if (learns_from_rows(node, plan)) {
      planned.on = node.facts().learns_where;
      if (planned.on == LearnsWhere::first_rank)
        planned.gathered = gathered(node);
      else
        planned.exchange = exchange(i);
    }
    planned.seconds = seconds(i, planned);
    return planned;
  }

 private:
  /// Evaluators get scores, which are few.
  static bool learns_from_rows(const Node& node, const NodePlan& plan) {
    return plan.learns() && node.facts().demands.learns_from != RowsOf::none &&
           node.facts().judged.empty();
  }

  std::size_t gathered(const Node& node) const {
    const std::size_t rows =
        node.scoring() ? rows_learned_from(node.facts()).count : node.facts().outline->train_rows;
    std::size_t bytes = 0;
    for (const std::size_t input : node.facts().inputs)
      bytes += expected_row_bytes(progress_.facts(input), rows);
    return bytes;
  }

  Exchange exchange(std::size_t i) const {
    const Node& node = progress_.node(i);
    // A component would read an unknown number of pairs as none.
    if (node.facts().pairs && !rates_[i].pairs) return {};
    Exchange all;
    for (std::size_t p = 0; p < node.parts.size(); ++p) {
      const std::size_t values = node.parts.size() == node.facts().inputs.size()
                                     ? progress_.facts(node.facts().inputs[p]).output.size()
                                     : joined_width(node.facts(), progress_.graph());
      const Exchange part = node.parts[p]->exchange({node.facts().outline->train_rows, values,
                                                     node.facts().outline->classes.size(),
                                                     rates_[i].pairs.value_or(0), ranks_});
      if (part.bytes == 0) return {};
      all.bytes += part.bytes;
      all.steps = std::max(all.steps, part.steps);
    }
    return all;
  }

  std::optional<double> seconds(std::size_t i, const NodeOfRanks& planned) const {
    const NodeFacts& node = progress_.facts(i);
    const NodePlan& plan = progress_.plan(i);
    double total = 0;
    if (planned.rows > 0 && plan.rows != RowsPlan::stored) {
      if (!rates_[i].row) return std::nullopt;
      const auto rows = static_cast<double>(planned.rows);
      total += *rates_[i].row * rows / busy_threads(progress_, rows);
    }
    if (!planned.on) return total;
    if (!rates_[i].learned_row) return std::nullopt;
    const RowSpan from = rows_learned_from(node);
    const auto rows = static_cast<double>(
        planned.on == LearnsWhere::first_rank ? from.count : share_(from, *node.outline));
    return total + *rates_[i].learned_row * rows / busy_threads(progress_, rows);
  }

  const RunProgress& progress_;
  const std::vector<NodeRates>& rates_;
  std::size_t ranks_;
  RowShare share_;
};

}  // namespace

std::vector<NodeOfRanks> plan_of_ranks(const RunProgress& progress,
                                       const std::vector<NodeRates>& rates) {
  const PlannerOfRanks planner(progress, rates);
  std::vector<NodeOfRanks> nodes(progress.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i] = planner.of(i);
  return nodes;
}

double exchange_seconds(double bytes, std::size_t ranks, double bits_a_second) noexcept {
  if (ranks < 2) return 0;
  const auto levels = static_cast<double>(std::bit_width(ranks - 1));
  return 2 * levels * (message_seconds + 8 * bytes / bits_a_second);
}

}  // namespace semblance
