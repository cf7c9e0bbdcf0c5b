// SPDX-License-Identifier: MIT
#include "runtime/run_loop.hpp"

#include <algorithm>

#include "runtime/learning.hpp"
#include "runtime/stage_builder.hpp"
#include "runtime/state_files.hpp"

namespace semblance {
namespace {

/// What earlier runs left: states are loaded, rows are mapped.
void take_from_store(Session& session) {
  for (std::size_t i = 0; i < session.size(); ++i) {
    auto& run = *session.runs[i];
    const auto& plan = session.plan.nodes[i];
    if (plan.restore) restore(session, i);
    if (!plan.rows_stored) continue;
    session.guard(i, "reading its rows from the store", [&] {
      const auto& node = session.node(i);
      const auto folder = session.store->folder() / "artifacts" / rows_key(node);
      const RowSpan span = wanted_rows(node, plan);
      const std::size_t bytes = span.count * node.output.size() * sizeof(float);
      run.rows = KeptRows::open(folder / "rows.npy", span.count, node.output.size(),
                                session.residence(bytes));
      if (node.kind == NodeKind::solver) {
        const auto labels = StateFolderReader(folder / "labels").integers("labels");
        run.test_labels.assign(labels.begin(), labels.end());
      }
      run.rows_ready = run.rows_done = true;
      run.record.bytes = bytes;
    });
  }
}

bool learn_what_can(Session& session) {
  bool any = false;
  for (std::size_t i = 0; i < session.size(); ++i) {
    const auto& plan = session.plan.nodes[i];
    if (!plan.learn || session.runs[i]->ready || !can_learn(session, i)) continue;
    if (session.stopping()) throw Cancelled();
    learn(session, i);
    any = true;
  }
  return any;
}

/// Whether anything that is still to be done looks at node i's rows.
bool still_needed(const Session& session, std::size_t i) {
  return std::ranges::any_of(session.node(i).consumers, [&](std::size_t c) {
    const auto& plan = session.plan.nodes[c];
    const auto& run = *session.runs[c];
    if (plan.learn && !run.ready) return true;
    if (session.node(c).kind == NodeKind::basis || session.node(c).kind == NodeKind::evaluator)
      return false;
    if (plan.keep) return session.plan.uses(c) && !run.rows_done;
    return still_needed(session, c);
  });
}

void settle(Session& session) {
  for (std::size_t i = 0; i < session.size(); ++i) {
    auto& run = *session.runs[i];
    const auto& plan = session.plan.nodes[i];
    if (!run.ready || (plan.keep && session.plan.uses(i) && !run.rows_done)) continue;
    if (still_needed(session, i)) continue;
    session.finished(i);
    // Scores are written out at the end of the run.
    if (run.rows && session.node(i).kind != NodeKind::solver) {
      session.forget(run.rows->bytes());
      run.rows.reset();
      run.rows_ready = false;
    }
  }
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
                           run.busy_nanoseconds += static_cast<std::int64_t>(seconds * 1e9);
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
      const Stage stage = build_stage(session, targets);
      if (!stage.steps.empty()) run_stage(session, stage);
      if (session.stopping()) throw Cancelled();
      finish_targets(session, targets);
      settle(session);
      any = true;
    }
    if (any) continue;
    // A graph that was checked always has a next step; anything else is a defect, not a result.
    if (targets_left(session)) throw Error("internal error: the pipeline came to a standstill");
    for (std::size_t i = 0; i < session.size(); ++i)
      if (!session.runs[i]->ready)
        throw Error("internal error: node '" + session.node(i).name() + "' was never reached");
    return;
  }
}

}  // namespace semblance
