// SPDX-License-Identifier: MIT
#include "runtime/workers/work_units.hpp"

#include <algorithm>
#include <tuple>

#include "support/files/hash.hpp"

namespace semblance {
namespace {

/// The minimal cost of a unit, in seconds: it has to be looked up, read and written.
constexpr double least_seconds = 0.01;
constexpr double operations_per_second = 1e10;

bool rows_available(const RunProgress& progress, std::size_t i);

bool state_available(const RunProgress& progress, std::size_t i) {
  if (progress.run(i).failed()) return false;
  if (progress.run(i).ready() || progress.plan(i).learning == Learning::restore) return true;
  if (!made_again(progress, i)) return false;
  return is_available(progress, {WorkUnit::What::state, i});
}

bool rows_available(const RunProgress& progress, std::size_t i) {
  if (reads_kept(progress, i))
    return progress.run(i).has_rows() || progress.plan(i).rows == RowsPlan::stored;
  return state_available(progress, i) &&
         std::ranges::all_of(progress.facts(i).inputs,
                             [&](std::size_t in) { return rows_available(progress, in); });
}

/// For rows that an evaluator sends through all nodes before it.
bool all_states_available(const RunProgress& progress, std::size_t i) {
  return state_available(progress, i) &&
         std::ranges::all_of(feeding(progress.facts(i)),
                             [&](std::size_t in) { return all_states_available(progress, in); });
}

/// Whether the worker has loaded the inputs of the unit's node.
bool in_hand(const RunProgress& progress, const WorkUnit& unit) {
  return std::ranges::all_of(progress.facts(unit.node).inputs, [&](std::size_t in) {
    return reads_kept(progress, in) ? progress.run(in).has_rows() : progress.run(in).ready();
  });
}

/// For each node: roughly how many seconds of work wait for it. Work that waits for a node in two
/// ways counts twice: this is only an order.
std::vector<double> waiting_work(const RunProgress& progress) {
  std::vector<double> waiting(progress.size(), 0);
  std::vector<double> own(progress.size(), 0);
  for (const WorkUnit& unit : pending_units(progress)) {
    const double operations =
        unit.what == WorkUnit::What::rows ? progress.plan(unit.node).operations : 0;
    own[unit.node] += least_seconds + operations / operations_per_second;
  }
  for (std::size_t i = progress.size(); i-- > 0;)
    for (const std::size_t consumer : progress.facts(i).consumers)
      waiting[i] += own[consumer] + waiting[consumer];
  return waiting;
}

}  // namespace

std::string unit_key(const Compilation& graph, const WorkUnit& unit) {
  const NodeFacts& node = graph.facts(unit.node);
  return unit.what == WorkUnit::What::state ? state_key(node) : rows_key(node);
}

bool made_again(const RunProgress& progress, std::size_t i) {
  const NodeFacts& node = progress.facts(i);
  return node.demands.learned == Learned::report && progress.plan(i).learns() &&
         std::ranges::any_of(node.consumers,
                             [&](std::size_t c) { return progress.plan(c).learns(); });
}

bool reads_kept(const RunProgress& progress, std::size_t i) {
  return progress.plan(i).keeps() && progress.plan(i).used();
}

bool looks_at_rows(const NodeFacts& node) {
  return node.demands.learns_from != RowsOf::none || node.bases.has_value();
}

std::vector<WorkUnit> pending_units(const RunProgress& progress) {
  std::vector<WorkUnit> units;
  for (std::size_t i = 0; i < progress.size(); ++i) {
    const NodePlan& plan = progress.plan(i);
    const NodeRun& run = progress.run(i);
    if (run.failed()) continue;
    if (plan.learns() && run.life == Life::waiting && !made_again(progress, i))
      units.push_back({WorkUnit::What::state, i});
    if (plan.rows == RowsPlan::kept && plan.used() && run.rows_pending())
      units.push_back({WorkUnit::What::rows, i});
  }
  return units;
}

bool is_available(const RunProgress& progress, const WorkUnit& unit) {
  const NodeFacts& node = progress.facts(unit.node);
  const auto has_state = [&](std::size_t i) { return state_available(progress, i); };
  const auto has_rows = [&](std::size_t i) { return rows_available(progress, i); };
  if (unit.what == WorkUnit::What::rows)
    return state_available(progress, unit.node) && std::ranges::all_of(node.inputs, has_rows);
  if (!std::ranges::all_of(feeding(node), has_state)) return false;
  if (looks_at_rows(node) && !std::ranges::all_of(node.inputs, has_rows)) return false;
  if (!std::ranges::all_of(node.held_out, has_rows)) return false;
  return !node.demands.sends_rows || std::ranges::all_of(node.inputs, [&](std::size_t i) {
    return all_states_available(progress, i);
  });
}

std::vector<WorkUnit> available_units(const RunProgress& progress,
                                      const std::vector<WorkUnit>& pending,
                                      const std::string& worker) {
  using Rank = std::tuple<double, bool, Digest>;
  const auto waiting = waiting_work(progress);
  std::vector<std::pair<Rank, WorkUnit>> ranked;
  for (const WorkUnit& unit : pending) {
    if (!is_available(progress, unit)) continue;
    const double saves = waiting[unit.node] + (unit.what == WorkUnit::What::state ? 0.001 : 0);
    ranked.emplace_back(Rank{-saves, !in_hand(progress, unit),
                             digest_of(unit_key(progress.graph(), unit) + worker, 0)},
                        unit);
  }
  std::ranges::sort(ranked, {}, [](const auto& pair) { return pair.first; });
  std::vector<WorkUnit> units;
  units.reserve(ranked.size());
  for (const auto& [rank, unit] : ranked) units.push_back(unit);
  return units;
}

}  // namespace semblance
