// SPDX-License-Identifier: MIT
#include "runtime/run_loop.hpp"

#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>

#include <algorithm>
#include <exception>
#include <functional>

#include "runtime/learning.hpp"
#include "runtime/stage_builder.hpp"
#include "runtime/state_files.hpp"
#include "support/json_text.hpp"

namespace semblance {
namespace {

/// Runs `body`; a node that fails in it takes what needs it along, where the rest may go on.
/// Returns whether nothing failed.
bool attempt(Session& session, const std::function<void()>& body) {
  try {
    body();
    return true;
  } catch (const NodeError& error) {
    if (!session.on_failure) throw;
    session.fail(error.node(), error.what());
    return false;
  }
}

void open_stored_rows(Session& session, std::size_t i) {
  const auto& node = session.node(i);
  auto& run = *session.runs[i];
  const auto folder = session.store->folder() / "artifacts" / rows_key(node);
  const RowSpan span = wanted_rows(node, session.plan.nodes[i]);
  const std::size_t bytes = span.count * node.output.size() * sizeof(float);
  run.rows =
      KeptRows::open(folder / "rows.npy", span.count, node.output.size(), session.room(bytes));
  if (node.kind == NodeKind::solver) {
    const StateFolderReader reader(folder / "labels");
    const auto labels = reader.integers("labels");
    run.test_labels.assign(labels.begin(), labels.end());
    run.tags = RowTags::load(reader);
  }
  const auto index = parse_json(read_whole_file(folder / "artifact.json"));
  session.taken_from_store(i, measured_from_json(index.at("note").at("measured")));
  run.rows_ready = run.rows_done = true;
  run.record.bytes = bytes;
}

/// What earlier runs left: states are loaded, rows are mapped.
void take_from_store(Session& session) {
  for (std::size_t i = 0; i < session.size(); ++i)
    attempt(session, [&] {
      if (session.plan.nodes[i].restore) restore(session, i);
      if (session.plan.nodes[i].rows_stored)
        session.guard(i, "reading its rows from the store", [&] { open_stored_rows(session, i); });
    });
  session.store_hold.reset();
  session.tell_processors();
}

bool may_learn(const Session& session, std::size_t i) {
  const auto& run = *session.runs[i];
  return session.plan.nodes[i].learn && !run.ready && !run.failed && can_learn(session, i);
}

/// Solvers whose problems are too small to keep all threads busy alone.
std::vector<std::size_t> small_solvers(const Session& session) {
  constexpr std::size_t most_values = std::size_t{1} << 22;
  constexpr std::size_t most_at_once = 64;
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < session.size() && chosen.size() < most_at_once; ++i) {
    if (session.node(i).kind != NodeKind::solver || !may_learn(session, i)) continue;
    const auto& training = *session.runs[i]->training;
    if (training.rows() * training.cols() <= most_values) chosen.push_back(i);
  }
  return chosen;
}

/// Trains small problems side by side, each with its share of the memory. One that fails is trained
/// again alone, with all of it: a share decides whether training is possible, not what comes out.
bool train_side_by_side(Session& session) {
  const auto solvers = small_solvers(session);
  if (solvers.size() < 2) return false;
  if (session.stopping()) throw Cancelled();
  session.services.sharers = solvers.size();
  std::vector<NodeRecord> before;
  for (const std::size_t i : solvers) before.push_back(session.runs[i]->record);
  std::vector<std::exception_ptr> failures(solvers.size());
  tbb::parallel_for(
      std::size_t{0}, solvers.size(),
      [&](std::size_t s) {
        try {
          if (!session.stopping()) learn(session, solvers[s]);
        } catch (...) {
          failures[s] = std::current_exception();
        }
      },
      tbb::simple_partitioner());
  session.services.sharers = 1;
  for (std::size_t s = 0; s < solvers.size(); ++s) {
    if (!failures[s] || session.stopping()) continue;
    session.runs[solvers[s]]->record = std::move(before[s]);
    attempt(session, [&] { learn(session, solvers[s]); });
  }
  if (session.stopping()) throw Cancelled();
  return true;
}

bool learn_what_can(Session& session) {
  bool any = train_side_by_side(session);
  for (std::size_t i = 0; i < session.size(); ++i) {
    if (!may_learn(session, i)) continue;
    if (session.stopping()) throw Cancelled();
    attempt(session, [&] { learn(session, i); });
    any = true;
  }
  return any;
}

/// Whether anything that is still to be done looks at node i's rows.
bool still_needed(const Session& session, std::size_t i) {
  return std::ranges::any_of(session.node(i).consumers, [&](std::size_t c) {
    const auto& plan = session.plan.nodes[c];
    const auto& run = *session.runs[c];
    if (run.failed) return false;
    if (plan.learn && !run.ready) return true;
    if (!session.node(c).gives_rows()) return false;
    if (plan.probed && still_needed(session, c)) return true;
    if (plan.keep) return session.plan.uses(c) && !run.rows_done;
    return still_needed(session, c);
  });
}

/// Closes the data sets that nothing will look at any more.
void close_datasets(Session& session) {
  for (std::size_t source = 0; source < session.size(); ++source) {
    if (!session.runs[source]->dataset) continue;
    bool done = true;
    for (std::size_t i = source; i < session.size() && done; ++i)
      done = session.node(i).spec->origin != source || session.runs[i]->finished ||
             session.runs[i]->failed;
    if (done) session.runs[source]->dataset.reset();
  }
}

void settle(Session& session) {
  for (std::size_t i = 0; i < session.size(); ++i) {
    auto& run = *session.runs[i];
    const auto& plan = session.plan.nodes[i];
    if (run.finished || run.failed || !run.ready) continue;
    if (plan.keep && session.plan.uses(i) && !run.rows_done) continue;
    if (still_needed(session, i)) continue;
    session.finished(i);
    // A source may yet be asked for labels.
    if (!session.keeps_states && session.node(i).kind != NodeKind::source)
      session.compilation.nodes[i].parts.clear();
    // Scores are written out at the end of the run.
    if (session.node(i).is_solver()) continue;
    run.rows.reset();
    run.rows_ready = false;
  }
  close_datasets(session);
}

std::size_t rows_to_stream(const Stage& stage, std::size_t node) {
  std::size_t rows = 0;
  for (const auto& step : stage.steps)
    if (step.node == node) rows = std::max(rows, step.rows.count);
  return rows;
}

}  // namespace

void run_stage(Session& session, const Stage& stage) {
  for (const auto& step : stage.steps) session.runs[step.node]->rows_streamed = 0;
  StageServices services{session.services, &session.trace,
                         [&](std::size_t i, double seconds, std::size_t rows) {
                           auto& run = *session.runs[i];
                           const auto nanoseconds = static_cast<std::int64_t>(seconds * 1e9);
                           run.busy_nanoseconds += nanoseconds;
                           if (session.node(i).kind == NodeKind::solver) {
                             run.predict_nanoseconds += nanoseconds;
                             run.rows_predicted += rows;
                           }
                           const std::size_t done = run.rows_streamed += rows;
                           if (run.started && session.progress)
                             session.progress->node_progress(
                                 session.node(i).name(), static_cast<double>(done),
                                 static_cast<double>(rows_to_stream(stage, i)));
                         },
                         [&](std::size_t i, const std::function<void()>& body) {
                           session.guard(i, "computing rows", body);
                         }};
  run_stage(stage, services);
}

void run_stages(Session& session) {
  take_from_store(session);
  settle(session);
  for (;;) {
    bool any = learn_what_can(session);
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
    // A pair solver that was stopped has a model, but no scores for anybody to judge.
    if (session.stopping()) throw Cancelled();
    // A graph that was checked always has a next step; anything else is a defect, not a result.
    if (targets_left(session)) throw Error("internal error: the pipeline came to a standstill");
    for (std::size_t i = 0; i < session.size(); ++i)
      if (!session.runs[i]->ready && !session.runs[i]->failed)
        throw Error("internal error: node '" + session.node(i).name() + "' was never reached");
    return;
  }
}

}  // namespace semblance
