// SPDX-License-Identifier: MIT
#include "runtime/loop/run_loop.hpp"

#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>

#include <algorithm>
#include <exception>
#include <functional>

#include "runtime/graph/scoring_node.hpp"
#include "runtime/loop/learning.hpp"
#include "runtime/loop/memory_waits.hpp"
#include "runtime/loop/stage_targets.hpp"
#include "runtime/services/node_error.hpp"
#include "runtime/session/row_names.hpp"
#include "runtime/stages/stage_builder.hpp"

namespace semblance {
namespace {

/// Runs `body`. If a node fails in it, the nodes that need it fail too, where the run may continue
/// without them. Returns whether nothing failed.
bool attempt(RunProgress& progress, const std::function<void()>& body) {
  try {
    body();
    return true;
  } catch (const NodeError& error) {
    if (put_off(progress, error)) return false;
    // The other ranks know of the failure, not that this run may continue without the node.
    if (!progress.purpose().on_failure || progress.ranks().together()) throw;
    progress.fail(error.node(), error.what());
    return false;
  }
}

/// Restores what earlier runs stored: states are loaded, rows are mapped.
void take_from_store(RunProgress& progress, RunData& data) {
  for (std::size_t i = 0; i < progress.size(); ++i)
    attempt(progress, [&] {
      if (progress.plan(i).learning == Learning::restore) restore(progress, data, i);
      if (progress.plan(i).rows == RowsPlan::stored) restore_rows(progress, data, i);
    });
  data.release_store();
  progress.journal().report_processors(progress.size());
}

bool may_learn(const RunProgress& progress, std::size_t i) {
  return progress.plan(i).learns() && progress.run(i).life == Life::waiting &&
         progress.run(i).beside != Beside::nothing && progress.node(i).can_learn(progress);
}

/// Whether the data that the node needs for learning may be open.
bool gets_data(RunProgress& progress, RunData& data, std::size_t i) {
  return !opens_data(progress, i) || data.admit_data(i);
}

/// Solvers whose problems are too small to keep all threads busy alone.
std::vector<std::size_t> small_solvers(RunProgress& progress, RunData& data) {
  constexpr std::size_t most_at_once = 64;
  std::vector<std::size_t> chosen;
  for (const std::size_t i : data.shared_trainings().order())
    if (chosen.size() < most_at_once && trains_beside_others(progress.graph(), i) &&
        may_learn(progress, i) && gets_data(progress, data, i))
      chosen.push_back(i);
  return chosen;
}

bool train_side_by_side(RunProgress& progress, RunData& data) {
  // Joint learning with other ranks is sequential, in the same order on all ranks.
  if (progress.services().threads == 1 || progress.ranks().together()) return false;
  const auto solvers = small_solvers(progress, data);
  if (solvers.size() < 2) return false;
  if (progress.stopping()) throw Cancelled();
  const auto failures = learn_side_by_side(progress, data, solvers);
  if (progress.stopping()) throw Cancelled();
  for (const std::exception_ptr& failure : failures)
    if (failure) attempt(progress, [&] { std::rethrow_exception(failure); });
  return true;
}

bool learn_what_can(RunProgress& progress, RunData& data) {
  bool any = train_side_by_side(progress, data);
  for (const std::size_t i : data.shared_trainings().order()) {
    if (!may_learn(progress, i) || !gets_data(progress, data, i)) continue;
    if (progress.stopping()) throw Cancelled();
    attempt(progress, [&] { learn(progress, data, i); });
    any = true;
  }
  return any;
}

/// Whether pending work needs node i's rows.
bool still_needed(const RunProgress& progress, std::size_t i) {
  return std::ranges::any_of(progress.facts(i).consumers, [&](std::size_t c) {
    const NodePlan& plan = progress.plan(c);
    const NodeRun& run = progress.run(c);
    if (run.failed()) return false;
    if (plan.learns() && !run.ready()) return true;
    if (!progress.facts(c).gives_rows()) return false;
    if (plan.probed && still_needed(progress, c)) return true;
    if (plan.keeps()) return plan.rows == RowsPlan::kept && plan.used() && run.rows_pending();
    return still_needed(progress, c);
  });
}

/// Called when nothing can be done with the data sets that may be open: opens another one anyway.
bool open_more_data(RunProgress& progress, RunData& data) {
  for (std::size_t i = 0; i < progress.size(); ++i)
    if (progress.unfinished(i) && !data.may_open_data(i)) return data.admit_data(i, true);
  return false;
}

std::size_t rows_to_stream(const Stage& stage, std::size_t node) {
  std::size_t rows = 0;
  for (const auto& step : stage.steps)
    if (step.node == node) rows = std::max(rows, step.rows.count);
  return rows;
}

}  // namespace

bool trains_beside_others(const Compilation& graph, std::size_t i) {
  constexpr std::size_t most_values = std::size_t{1} << 22;
  const NodeFacts& node = graph.facts(i);
  return node.demands.trains_beside_others &&
         node.outline->train_rows * joined_width(node, graph) <= most_values;
}

std::vector<std::exception_ptr> learn_side_by_side(RunProgress& progress, RunData& data,
                                                   const std::vector<std::size_t>& solvers) {
  progress.services().sharers = solvers.size();
  std::vector<std::exception_ptr> failures(solvers.size());
  std::vector<char> again(solvers.size(), 0);
  const auto try_to_learn = [&](std::size_t s) {
    failures[s] = nullptr;
    try {
      if (!progress.stopping()) learn(progress, data, solvers[s]);
    } catch (const NodeError& error) {
      failures[s] = std::current_exception();
      again[s] = was_short_of_memory(progress.ranks(), error) ? 1 : 0;
    } catch (...) {
      failures[s] = std::current_exception();
    }
  };
  tbb::parallel_for(std::size_t{0}, solvers.size(), try_to_learn, tbb::simple_partitioner());
  progress.services().sharers = 1;
  for (std::size_t s = 0; s < solvers.size(); ++s)
    if (again[s] != 0 && !progress.stopping()) try_to_learn(s);
  return failures;
}

void settle(RunProgress& progress, RunData& data) {
  for (std::size_t i = 0; i < progress.size(); ++i) {
    NodeRun& run = progress.run(i);
    Node& node = progress.node(i);
    // Results of other workers may be loaded again after they were finished here.
    const bool brought = progress.purpose().shares_work && run.has_rows();
    if (run.life != Life::ready && !(brought && run.life == Life::finished)) continue;
    if (progress.unfinished(i)) continue;
    if (still_needed(progress, i)) continue;
    progress.finished(i);
    report_unknown_rows(progress, data, i, false);
    // A source may still be asked for labels, and an evaluator to judge the rows of all folds.
    if (!progress.purpose().keeps_states && !node.facts().is_source() &&
        node.facts().judged.empty())
      node.parts.clear();
    // Scores are written out at the end of the run.
    if (node.scoring() && !node.facts().spec->held_out && !progress.purpose().shares_work) continue;
    run.rows.reset();
    if (run.has_rows()) run.rows_life = RowsLife::released;
  }
  data.shared_trainings().release_unneeded();
  data.close_finished_data();
}

void stream_stage(RunProgress& progress, RunData& data, const Stage& stage) {
  for (const StageStep& step : stage.steps) progress.run(step.node).rows_streamed = 0;
  const auto worked = [&](const StageStep& step, double seconds, std::size_t rows) {
    NodeRun& run = progress.run(step.node);
    const Node& node = progress.node(step.node);
    const auto nanoseconds = static_cast<std::int64_t>(seconds * 1e9);
    run.busy_nanoseconds += nanoseconds;
    if (node.scoring() && step.work == StageStep::Work::rows) {
      run.predict_nanoseconds += nanoseconds;
      run.rows_predicted += rows;
    }
    const std::size_t done = run.rows_streamed += rows;
    if (run.computed)
      progress.journal().node_progress(node.name(), static_cast<double>(done),
                                       static_cast<double>(rows_to_stream(stage, step.node)));
  };
  StageServices services{progress.services(), &progress.journal().trace(), worked,
                         step_guard(data)};
  if (!progress.ranks().together()) return stream(stage, services);
  try {
    stream(stage, services);
  } catch (const Cancelled&) {
    // This rank wants to stop; after the ranks have met, all know.
  }
  progress.ranks().meet();
}

void compute_plan(RunProgress& progress, RunData& data) {
  take_from_store(progress, data);
  settle(progress, data);
  std::size_t alone = progress.size();
  for (;;) {
    bool any = learn_what_can(progress, data);
    if (alone < progress.size() && progress.plan(alone).learns() &&
        progress.run(alone).life != Life::waiting) {
      data.take_least_memory(false);
      alone = progress.size();
    }
    settle(progress, data);
    const auto targets = ready_targets(progress, data);
    if (!targets.empty()) {
      const bool through = attempt(progress, [&] {
        const Stage stage = build_stage(progress, data, targets);
        if (!stage.steps.empty()) stream_stage(progress, data, stage);
        if (progress.stopping()) throw Cancelled();
        finish_targets(progress, data, targets);
      });
      if (!through) abandon_targets(progress, targets);
      settle(progress, data);
      any = true;
    }
    if (any) continue;
    alone = try_one_alone(progress, data);
    if (alone < progress.size() || open_more_data(progress, data)) continue;
    // A stopped pair solver has a model, but no scores to evaluate.
    if (progress.stopping()) throw Cancelled();
    // A checked graph always has a next step; anything else is a defect, not a result.
    if (targets_left(progress)) throw Error("internal error: the pipeline came to a standstill");
    for (std::size_t i = 0; i < progress.size(); ++i)
      if (progress.run(i).life == Life::waiting)
        throw Error("internal error: node '" + progress.facts(i).name() + "' was never reached");
    return;
  }
}

}  // namespace semblance
