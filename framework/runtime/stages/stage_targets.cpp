// SPDX-License-Identifier: MIT
#include "runtime/stages/stage_targets.hpp"

#include <algorithm>
#include <set>

#include "report/metrics.hpp"
#include "runtime/graph/scoring_node.hpp"
#include "runtime/session/node_row_sizes.hpp"
#include "runtime/stages/learning.hpp"
#include "runtime/stages/learning_together.hpp"
#include "runtime/stages/memory_waits.hpp"
#include "runtime/stages/pulled_rows.hpp"
#include "runtime/stages/row_content.hpp"
#include "runtime/stages/shared_rows.hpp"
#include "runtime/stages/stage_builder.hpp"
#include "runtime/stages/streaming.hpp"

namespace semblance {
namespace {

bool kept_pending(const Session& session, std::size_t i) {
  const NodePlan& plan = session.plan(i);
  return plan.keeps() && plan.used() && session.run(i).rows_pending() && !session.run(i).failed();
}

bool training_pending(const Session& session, std::size_t i) {
  const ScoringNode* solver = session.node(i).scoring();
  return solver && session.facts(i).demands.gathers && session.plan(i).learns() &&
         session.run(i).life == Life::waiting && !solver->training;
}

bool inputs_stream(const Session& session, std::size_t i) {
  return std::ranges::all_of(session.facts(i).inputs,
                             [&](std::size_t in) { return can_stream(session, in); });
}

/// Whether a solver's only input is retained anyway, or is in memory: then it learns from that.
bool borrows_training(const Session& session, std::size_t i) {
  const auto& inputs = session.facts(i).inputs;
  return inputs.size() == 1 &&
         (session.run(inputs[0]).has_rows() ||
          lie_in_place(session.facts(inputs[0]), rows_learned_from(session.facts(i))));
}

/// Adds the nodes that would have to be recomputed, at a cost, for the rows that feed node i.
void add_costly_inputs(const Session& session, std::size_t i, std::set<std::size_t>& costly) {
  for (const std::size_t in : session.facts(i).inputs) {
    if (session.run(in).has_rows()) continue;
    if (!session.facts(in).is_source() && !session.facts(in).inexpensive()) costly.insert(in);
    add_costly_inputs(session, in, costly);
  }
}

/// The bytes of one block of rows in all nodes of a growing stage.
class BlockBytes {
 public:
  explicit BlockBytes(const Session& session) : session_(session) {}

  /// Adds a target where the plan allows a stage of that size, and the first in any case.
  bool take(const StageTarget& target) {
    std::set<std::size_t> more = nodes_;
    if (target.what == StageTarget::What::kept) add(target.node, more);
    for (const std::size_t in : session_.facts(target.node).inputs) add(in, more);
    std::size_t bytes = 0;
    for (const std::size_t i : more) bytes += bytes_of(i);
    const bool first = nodes_.empty();
    // All ranks must choose the same, independent of their memory.
    if (!first && !session_.ranks().together() && bytes > session_.plan().block_bytes) return false;
    nodes_ = std::move(more);
    return true;
  }

 private:
  /// Retained rows are read in place.
  void add(std::size_t i, std::set<std::size_t>& nodes) const {
    if (session_.run(i).has_rows() || !nodes.insert(i).second) return;
    for (const std::size_t in : session_.facts(i).inputs) add(in, nodes);
  }

  std::size_t bytes_of(std::size_t i) const {
    const NodeFacts& node = session_.facts(i);
    const bool lie = node.is_source() && node.outline->rows_in_place >= node.outline->rows();
    return lie ? 0 : expected_row_bytes(node, streaming_rows);
  }

  const Session& session_;
  std::set<std::size_t> nodes_;
};

/// Makes room for a node's rows, in the store if there is one.
void make_room(Session& session, std::size_t i, RowSpan span) {
  NodeRun& run = session.run(i);
  const RowSizes sizes = row_sizes(session, i).of_rows(span.first, span.count);
  // Ranks do not share a file of sparse rows: each stores its own.
  if (session.store() && session.ranks().together() && session.ranks_share_store() &&
      !sizes.sparse) {
    make_shared_room(session, i, span, sizes);
  } else if (session.store() && !session.ranks().together()) {
    run.draft = session.store()->draft(rows_key(session.facts(i)));
    run.rows = KeptRows::in_folder(run.draft->folder(), span.count, sizes,
                                   session.memory().room(sizes.bytes(0, span.count)));
  } else {
    run.rows = session.memory().keep(span.count, sizes, session.own_rows(i, span));
  }
}

void commit(Session& session, std::size_t i) {
  NodeRun& run = session.run(i);
  ScoringNode* solver = session.node(i).scoring();
  KnownChecksums known;
  if (run.rows->shared())
    session.guard(i, "storing its rows", [&] { known = finish_shared_rows(session, i); });
  if (solver && session.ranks().together())
    give_scores_to_first(session, i, wanted_rows(session.facts(i), session.plan(i)));
  if (solver) share_row_content(session, i);
  // This must happen while the data are open.
  if (solver && session.ranks().first()) solver->scored(session);
  if (!run.draft) return;
  session.guard(i, "storing its rows", [&] {
    if (solver) solver->save_labels(run.draft->folder() / "labels");
    run.draft->commit({{"measured", measured_json(session.journal().measured_now())}}, true, known);
    run.draft.reset();
  });
}

}  // namespace

std::vector<StageTarget> sharing_first(const Session& session, std::vector<StageTarget> targets) {
  std::vector<StageTarget> chosen;
  std::set<std::size_t> costly;
  BlockBytes blocks(session);
  for (bool grown = true; grown && !targets.empty();) {
    grown = false;
    std::vector<StageTarget> rest;
    for (const StageTarget& target : targets) {
      std::set<std::size_t> own;
      add_costly_inputs(session, target.node, own);
      const bool shares =
          std::ranges::any_of(own, [&](std::size_t node) { return costly.contains(node); });
      if (!chosen.empty() && !shares) {
        rest.push_back(target);
        continue;
      }
      if (!blocks.take(target)) continue;
      chosen.push_back(target);
      costly.merge(own);
      grown = true;
    }
    targets = std::move(rest);
  }
  return chosen;
}

bool targets_left(const Session& session) {
  for (std::size_t i = 0; i < session.size(); ++i)
    if (kept_pending(session, i) || training_pending(session, i)) return true;
  return false;
}

std::vector<StageTarget> ready_targets(Session& session) {
  std::vector<StageTarget> targets;
  const std::vector<char> waits = waiting_nodes(session);
  // As many training matrices at a time as fit in memory, but at least one: a solver releases its
  // own when it is done.
  const std::size_t free = session.memory().free();
  std::size_t wanted = 0;
  const auto fits = [&](std::size_t i) {
    if (borrows_training(session, i)) return true;
    const NodeFacts& node = session.facts(i);
    const std::size_t before = wanted;
    wanted += session.ranks().share(rows_learned_from(node).count) *
              joined_width(node, session.graph()) * sizeof(float);
    return before == 0 || wanted <= free;
  };
  for (std::size_t i = 0; i < session.size(); ++i) {
    if (waits[i] != 0 || !session.may_open_data(i)) continue;
    if (kept_pending(session, i) && session.run(i).ready() && inputs_stream(session, i))
      targets.push_back({StageTarget::What::kept, i});
    if (training_pending(session, i) && inputs_stream(session, i) && fits(i))
      targets.push_back({StageTarget::What::training, i});
  }
  // A data set that was begun is finished first: its rows take memory until then.
  std::ranges::stable_sort(targets, {}, [&](const StageTarget& target) {
    return session.facts(session.facts(target.node).spec->origin).shares_data_of;
  });
  targets = sharing_first(session, std::move(targets));
  if (!targets.empty()) session.admit_data(targets.front().node);
  return targets;
}

Stage build_stage(Session& session, const std::vector<StageTarget>& targets) {
  StageBuilder builder(session);
  for (const StageTarget& target : targets) {
    const std::size_t i = target.node;
    const NodeFacts& node = session.facts(i);
    if (target.what == StageTarget::What::kept) {
      const RowSpan span = wanted_rows(node, session.plan(i));
      make_room(session, i, span);
      builder.add_rows(i, span, session.run(i).rows);
    } else if (ScoringNode& solver = *session.node(i).scoring(); borrows_training(session, i)) {
      solver.borrow_training(session);
    } else {
      const RowSpan span = rows_learned_from(node);
      const auto rows = session.memory().keep(span.count, joined_sizes(session, node, span),
                                              session.own_rows(i, span));
      solver.training = rows;
      builder.add_inputs(i, span, rows);
    }
  }
  const std::size_t any = targets.front().node;
  Stage stage = builder.build(session.facts(any).outline->train_rows);
  stage.pieces = session.own_rows(any, {0, session.facts(any).outline->rows()});
  return stage;
}

void finish_targets(Session& session, const std::vector<StageTarget>& targets) {
  for (const StageTarget& target : targets) session.check_files(target.node);
  for (const StageTarget& target : targets) {
    if (target.what != StageTarget::What::kept) continue;
    commit(session, target.node);
    NodeRun& run = session.run(target.node);
    run.rows_life = RowsLife::there;
    run.record.bytes = run.rows->bytes_here();
  }
}

void abandon_targets(Session& session, const std::vector<StageTarget>& targets) {
  for (const StageTarget& target : targets) {
    NodeRun& run = session.run(target.node);
    if (target.what == StageTarget::What::training) {
      session.node(target.node).drop_rows();
    } else if (run.rows_pending()) {
      run.rows.reset();
      run.draft.reset();
    }
  }
}

}  // namespace semblance
