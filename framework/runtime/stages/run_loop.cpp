// SPDX-License-Identifier: MIT
#include "runtime/stages/run_loop.hpp"

#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>

#include <algorithm>
#include <exception>
#include <functional>

#include "runtime/graph/scoring_node.hpp"
#include "runtime/services/node_error.hpp"
#include "runtime/stages/learning.hpp"
#include "runtime/stages/memory_waits.hpp"
#include "runtime/stages/stage_builder.hpp"
#include "runtime/stages/stage_targets.hpp"

namespace semblance {
namespace {

/// Runs `body`. If a node fails in it, the nodes that need it fail too, where the run may continue
/// without them. Returns whether nothing failed.
bool attempt(Session& session, const std::function<void()>& body) {
  try {
    body();
    return true;
  } catch (const NodeError& error) {
    if (put_off(session, error)) return false;
    // The other ranks know of the failure, not that this run may continue without the node.
    if (!session.purpose().on_failure || session.ranks().together()) throw;
    session.fail(error.node(), error.what());
    return false;
  }
}

/// Restores what earlier runs stored: states are loaded, rows are mapped.
void take_from_store(Session& session) {
  for (std::size_t i = 0; i < session.size(); ++i)
    attempt(session, [&] {
      if (session.plan(i).learning == Learning::restore) restore(session, i);
      if (session.plan(i).rows == RowsPlan::stored) restore_rows(session, i);
    });
  session.release_store();
  session.journal().tell_processors(session.size());
}

bool may_learn(const Session& session, std::size_t i) {
  return session.plan(i).learns() && session.run(i).life == Life::waiting &&
         session.run(i).beside != Beside::nothing && session.node(i).can_learn(session);
}

/// Whether the data that the node needs for learning may be open.
bool gets_data(Session& session, std::size_t i) {
  return !session.node(i).opens_data(session) || session.admit_data(i);
}

/// Solvers whose problems are too small to keep all threads busy alone.
std::vector<std::size_t> small_solvers(Session& session) {
  constexpr std::size_t most_at_once = 64;
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < session.size() && chosen.size() < most_at_once; ++i)
    if (trains_beside_others(session, i) && may_learn(session, i) && gets_data(session, i))
      chosen.push_back(i);
  return chosen;
}

bool train_side_by_side(Session& session) {
  // Joint learning with other ranks is sequential, in the same order on all ranks.
  if (session.options().threads == 1 || session.ranks().together()) return false;
  const auto solvers = small_solvers(session);
  if (solvers.size() < 2) return false;
  if (session.stopping()) throw Cancelled();
  const auto failures = learn_side_by_side(session, solvers);
  if (session.stopping()) throw Cancelled();
  for (const std::exception_ptr& failure : failures)
    if (failure) attempt(session, [&] { std::rethrow_exception(failure); });
  return true;
}

bool learn_what_can(Session& session) {
  bool any = train_side_by_side(session);
  for (std::size_t i = 0; i < session.size(); ++i) {
    if (!may_learn(session, i) || !gets_data(session, i)) continue;
    if (session.stopping()) throw Cancelled();
    attempt(session, [&] { learn(session, i); });
    any = true;
  }
  return any;
}

/// Whether pending work needs node i's rows.
bool still_needed(const Session& session, std::size_t i) {
  return std::ranges::any_of(session.facts(i).consumers, [&](std::size_t c) {
    const NodePlan& plan = session.plan(c);
    const NodeRun& run = session.run(c);
    if (run.failed()) return false;
    if (plan.learns() && !run.ready()) return true;
    if (!session.facts(c).gives_rows()) return false;
    if (plan.probed && still_needed(session, c)) return true;
    if (plan.keeps()) return plan.rows == RowsPlan::kept && plan.used() && run.rows_pending();
    return still_needed(session, c);
  });
}

void check_complete(const Session& session) {
  for (std::size_t i = 0; i < session.size(); ++i)
    if (session.unfinished(i)) throw Cancelled();
}

/// Called when nothing can be done with the data sets that may be open: opens another one anyway.
bool open_more_data(Session& session) {
  for (std::size_t i = 0; i < session.size(); ++i)
    if (session.unfinished(i) && !session.may_open_data(i)) return session.admit_data(i, true);
  return false;
}

std::size_t rows_to_stream(const Stage& stage, std::size_t node) {
  std::size_t rows = 0;
  for (const auto& step : stage.steps)
    if (step.node == node) rows = std::max(rows, step.rows.count);
  return rows;
}

}  // namespace

bool trains_beside_others(const Session& session, std::size_t i) {
  constexpr std::size_t most_values = std::size_t{1} << 22;
  const NodeFacts& node = session.facts(i);
  return node.demands.trains_beside_others &&
         node.outline->train_rows * joined_width(node, session.graph()) <= most_values;
}

std::vector<std::exception_ptr> learn_side_by_side(Session& session,
                                                   const std::vector<std::size_t>& solvers) {
  session.services().sharers = solvers.size();
  std::vector<std::exception_ptr> failures(solvers.size());
  std::vector<char> again(solvers.size(), 0);
  const auto try_to_learn = [&](std::size_t s) {
    failures[s] = nullptr;
    try {
      if (!session.stopping()) learn(session, solvers[s]);
    } catch (const NodeError& error) {
      failures[s] = std::current_exception();
      again[s] = was_short_of_memory(session, error) ? 1 : 0;
    } catch (...) {
      failures[s] = std::current_exception();
    }
  };
  tbb::parallel_for(std::size_t{0}, solvers.size(), try_to_learn, tbb::simple_partitioner());
  session.services().sharers = 1;
  for (std::size_t s = 0; s < solvers.size(); ++s)
    if (again[s] != 0 && !session.stopping()) try_to_learn(s);
  return failures;
}

void settle(Session& session) {
  for (std::size_t i = 0; i < session.size(); ++i) {
    NodeRun& run = session.run(i);
    Node& node = session.node(i);
    // Results of other workers may be loaded again after they were finished here.
    const bool brought = session.purpose().shares_work && run.has_rows();
    if (run.life != Life::ready && !(brought && run.life == Life::finished)) continue;
    if (session.unfinished(i)) continue;
    if (still_needed(session, i)) continue;
    session.finished(i);
    // A source may still be asked for labels.
    if (!session.purpose().keeps_states && !node.facts().is_source()) node.parts.clear();
    // Scores are written out at the end of the run.
    if (node.scoring() && !node.facts().spec->held_out && !session.purpose().shares_work) continue;
    run.rows.reset();
    if (run.has_rows()) run.rows_life = RowsLife::released;
  }
  session.close_finished_data();
}

void run_stage(Session& session, const Stage& stage) {
  for (const StageStep& step : stage.steps) session.run(step.node).rows_streamed = 0;
  const auto worked = [&](const StageStep& step, double seconds, std::size_t rows) {
    NodeRun& run = session.run(step.node);
    const Node& node = session.node(step.node);
    const auto nanoseconds = static_cast<std::int64_t>(seconds * 1e9);
    run.busy_nanoseconds += nanoseconds;
    if (node.scoring() && step.work == StageStep::Work::rows) {
      run.predict_nanoseconds += nanoseconds;
      run.rows_predicted += rows;
    }
    const std::size_t done = run.rows_streamed += rows;
    if (run.computed)
      session.journal().node_progress(node.name(), static_cast<double>(done),
                                      static_cast<double>(rows_to_stream(stage, step.node)));
  };
  StageServices services{session.services(), &session.journal().trace(), worked,
                         step_guard(session)};
  if (!session.ranks().together()) return stream(stage, services);
  try {
    stream(stage, services);
  } catch (const Cancelled&) {
    // This rank wants to stop; after the ranks have met, all know.
  }
  session.ranks().meet();
}

void run_to_end(Session& session) {
  take_from_store(session);
  settle(session);
  if (session.options().only_collects) return check_complete(session);
  std::size_t alone = session.size();
  for (;;) {
    bool any = learn_what_can(session);
    if (alone < session.size() && session.plan(alone).learns() &&
        session.run(alone).life != Life::waiting) {
      session.take_least_memory(false);
      alone = session.size();
    }
    settle(session);
    const auto targets = ready_targets(session);
    if (!targets.empty()) {
      const bool through = attempt(session, [&] {
        const Stage stage = build_stage(session, targets);
        if (!stage.steps.empty()) run_stage(session, stage);
        if (session.stopping()) throw Cancelled();
        finish_targets(session, targets);
      });
      if (!through) abandon_targets(session, targets);
      settle(session);
      any = true;
    }
    if (any) continue;
    alone = try_one_alone(session);
    if (alone < session.size() || open_more_data(session)) continue;
    // A stopped pair solver has a model, but no scores to evaluate.
    if (session.stopping()) throw Cancelled();
    // A checked graph always has a next step; anything else is a defect, not a result.
    if (targets_left(session)) throw Error("internal error: the pipeline came to a standstill");
    for (std::size_t i = 0; i < session.size(); ++i)
      if (session.run(i).life == Life::waiting)
        throw Error("internal error: node '" + session.facts(i).name() + "' was never reached");
    return;
  }
}

}  // namespace semblance
