// SPDX-License-Identifier: MIT
#include "runtime/loop/stage_targets.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include "report/metrics.hpp"
#include "runtime/graph/scoring_node.hpp"
#include "runtime/loop/batch_judging.hpp"
#include "runtime/loop/learning.hpp"
#include "runtime/loop/learning_together.hpp"
#include "runtime/loop/memory_waits.hpp"
#include "runtime/loop/run_loop.hpp"
#include "runtime/stages/node_row_sizes.hpp"
#include "runtime/stages/pulled_rows.hpp"
#include "runtime/stages/row_content.hpp"
#include "runtime/stages/stage_builder.hpp"
#include "runtime/stages/streaming.hpp"

namespace semblance {
namespace {

bool kept_pending(const RunProgress& progress, std::size_t i) {
  const NodePlan& plan = progress.plan(i);
  return plan.keeps() && plan.used() && progress.run(i).rows_pending() && !progress.run(i).failed();
}

bool training_pending(const RunProgress& progress, std::size_t i) {
  const ScoringNode* solver = progress.node(i).scoring();
  return solver && progress.facts(i).demands.gathers && progress.plan(i).learns() &&
         progress.run(i).life == Life::waiting && !solver->training;
}

bool inputs_stream(const RunProgress& progress, std::size_t i) {
  return std::ranges::all_of(progress.facts(i).inputs,
                             [&](std::size_t in) { return can_stream(progress, in); });
}

/// Whether a solver's only input is retained anyway, or is in memory: then it learns from that.
bool borrows_training(const RunProgress& progress, std::size_t i) {
  const auto& inputs = progress.facts(i).inputs;
  return inputs.size() == 1 &&
         (progress.run(inputs[0]).has_rows() ||
          lie_in_place(progress.facts(inputs[0]), rows_learned_from(progress.facts(i))));
}

/// The bytes of the rows that a solver learns from here.
std::size_t training_bytes(const RunProgress& progress, std::size_t i) {
  const NodeFacts& node = progress.facts(i);
  const std::size_t rows = progress.ranks().share(rows_learned_from(node).count);
  return node.inputs.size() == 1 ? expected_row_bytes(progress.facts(node.inputs.front()), rows)
                                 : rows * joined_width(node, progress.graph()) * sizeof(float);
}

/// Adds the nodes that would have to be recomputed, at a cost, for the rows that feed node i.
void add_costly_inputs(const RunProgress& progress, std::size_t i, std::set<std::size_t>& costly) {
  for (const std::size_t in : progress.facts(i).inputs) {
    if (progress.run(in).has_rows()) continue;
    if (!progress.facts(in).is_source() && !progress.facts(in).inexpensive()) costly.insert(in);
    add_costly_inputs(progress, in, costly);
  }
}

/// The bytes of one block of rows in all nodes of a growing stage.
class BlockBytes {
 public:
  explicit BlockBytes(const RunProgress& progress) : progress_(progress) {}

  /// Adds a target where the plan allows a stage of that size, and the first in any case.
  bool take(const StageTarget& target) {
    std::set<std::size_t> more = nodes_;
    if (target.what == StageTarget::What::kept) add(target.node, more);
    for (const std::size_t in : progress_.facts(target.node).inputs) add(in, more);
    std::size_t bytes = 0;
    for (const std::size_t i : more) bytes += bytes_of(i);
    const bool first = nodes_.empty();
    // All ranks must choose the same, independent of their memory.
    if (!first && !progress_.ranks().together() && bytes > progress_.plan().block_bytes)
      return false;
    nodes_ = std::move(more);
    return true;
  }

 private:
  /// Retained rows are read in place.
  void add(std::size_t i, std::set<std::size_t>& nodes) const {
    if (progress_.run(i).has_rows() || !nodes.insert(i).second) return;
    for (const std::size_t in : progress_.facts(i).inputs) add(in, nodes);
  }

  std::size_t bytes_of(std::size_t i) const {
    const NodeFacts& node = progress_.facts(i);
    const bool lie = node.is_source() && node.outline->rows_in_place >= node.outline->rows();
    return lie ? 0 : expected_row_bytes(node, streaming_rows);
  }

  const RunProgress& progress_;
  std::set<std::size_t> nodes_;
};

/// Small trainings without costly inputs: those of one data set whose rows are in memory, and those
/// of one source, as many as half of the free memory holds.
class SmallTrainings {
 public:
  explicit SmallTrainings(const RunProgress& progress)
      : progress_(progress), room_(progress.services().free_memory() / 2) {}

  /// Adds a target if it is such a training and belongs to those that were added before. None on
  /// several ranks: all must choose the same, independent of their memory.
  bool take(const StageTarget& target) {
    if (progress_.ranks().together() || target.what != StageTarget::What::training ||
        !trains_beside_others(progress_.graph(), target.node))
      return false;
    const std::size_t source = progress_.facts(target.node).spec->origin;
    const std::size_t data = progress_.facts(source).shares_data_of;
    if (data_ != any && data_ != data) return false;
    if (!borrows_training(progress_, target.node)) {
      const std::size_t bytes = training_bytes(progress_, target.node);
      if ((source_ != any && source_ != source) || bytes > room_) return false;
      source_ = source;
      room_ -= bytes;
    }
    data_ = data;
    return true;
  }

 private:
  static constexpr std::size_t any = std::numeric_limits<std::size_t>::max();

  const RunProgress& progress_;
  std::size_t room_;
  std::size_t data_ = any;
  std::size_t source_ = any;  ///< of the rows that a stage has to compute
};

/// Makes room for a node's rows, in the store if there is one.
void make_room(RunProgress& progress, RunData& data, std::size_t i, RowSpan span) {
  NodeRun& run = progress.run(i);
  const RowSizes sizes = row_sizes(progress, data, i).of_rows(span.first, span.count);
  // Ranks do not share a file of sparse rows: each stores its own.
  if (data.store() && progress.ranks().together() && data.ranks_share_store() && !sizes.sparse) {
    make_shared_room(progress, data, i, span, sizes);
  } else if (data.store() && !progress.ranks().together()) {
    run.draft = data.store()->draft(rows_key(progress.facts(i)));
    run.rows = KeptRows::in_folder(run.draft->folder(), span.count, sizes,
                                   data.memory().room(sizes.bytes(0, span.count)));
  } else {
    run.rows = data.memory().keep(span.count, sizes, progress.own_rows(i, span));
  }
}

void commit(RunProgress& progress, RunData& data, std::size_t i) {
  NodeRun& run = progress.run(i);
  ScoringNode* solver = progress.node(i).scoring();
  KnownChecksums known;
  if (run.rows->shared())
    data.guard(i, "storing its rows",
               [&] { known = finish_shared_rows(progress.ranks(), *run.rows); });
  if (solver && progress.ranks().together())
    give_scores_to_first(progress, data, i, wanted_rows(progress.facts(i), progress.plan(i)));
  if (solver && judges_batches(*solver)) {
    if (progress.ranks().together())
      data.guard(i, "judging its rows", [] {
        throw Error("it judges all test rows together, which several ranks cannot; run it on one");
      });
    judge_batch(*solver, run.rows->writable(0, run.rows->rows()));
  }
  if (solver) share_row_content(progress, data, i);
  // This must happen while the data are open.
  if (solver && progress.ranks().first()) solver->scored(progress, data);
  if (!run.draft) return;
  data.guard(i, "storing its rows", [&] {
    if (solver) solver->save_labels(run.draft->folder() / "labels");
    run.draft->commit({{"measured", measured_json(progress.journal().measured_now())}}, true,
                      known);
    run.draft.reset();
  });
}

}  // namespace

std::vector<StageTarget> sharing_first(const RunProgress& progress,
                                       std::vector<StageTarget> targets) {
  std::vector<StageTarget> chosen;
  std::set<std::size_t> costly;
  BlockBytes blocks(progress);
  SmallTrainings small(progress);
  bool takes_small = false;  // the first target is a small training
  for (bool grown = true; grown && !targets.empty();) {
    grown = false;
    std::vector<StageTarget> rest;
    for (const StageTarget& target : targets) {
      std::set<std::size_t> own;
      add_costly_inputs(progress, target.node, own);
      const bool shares =
          std::ranges::any_of(own, [&](std::size_t node) { return costly.contains(node); });
      const bool beside = own.empty() && costly.empty() && small.take(target);
      const bool first = chosen.empty();
      if (first) takes_small = beside;
      if (!first && !shares && !(beside && takes_small)) {
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

bool targets_left(const RunProgress& progress) {
  for (std::size_t i = 0; i < progress.size(); ++i)
    if (kept_pending(progress, i) || training_pending(progress, i)) return true;
  return false;
}

std::vector<StageTarget> ready_targets(RunProgress& progress, RunData& data) {
  std::vector<StageTarget> targets;
  const std::vector<char> waits = waiting_nodes(progress);
  // As many training matrices at a time as fit in memory, but at least one: a solver releases its
  // own when it is done.
  const std::size_t free = data.memory().free();
  std::size_t wanted = 0;
  const auto fits = [&](std::size_t i) {
    if (borrows_training(progress, i)) return true;
    const std::size_t before = wanted;
    wanted += training_bytes(progress, i);
    return before == 0 || wanted <= free;
  };
  for (const std::size_t i : data.shared_trainings().order()) {
    if (waits[i] != 0 || !data.may_open_data(i)) continue;
    if (kept_pending(progress, i) && progress.run(i).ready() && inputs_stream(progress, i))
      targets.push_back({StageTarget::What::kept, i});
    if (training_pending(progress, i) && inputs_stream(progress, i) && fits(i))
      targets.push_back({StageTarget::What::training, i});
  }
  // A data set that was begun is finished first: its rows take memory until then.
  std::ranges::stable_sort(targets, {}, [&](const StageTarget& target) {
    return progress.facts(progress.facts(target.node).spec->origin).shares_data_of;
  });
  targets = sharing_first(progress, std::move(targets));
  if (!targets.empty()) data.admit_data(targets.front().node);
  return targets;
}

Stage build_stage(RunProgress& progress, RunData& data, const std::vector<StageTarget>& targets) {
  StageBuilder builder(progress, data);
  for (const StageTarget& target : targets) {
    const std::size_t i = target.node;
    const NodeFacts& node = progress.facts(i);
    if (target.what == StageTarget::What::kept) {
      const RowSpan span = wanted_rows(node, progress.plan(i));
      make_room(progress, data, i, span);
      builder.add_rows(i, span, progress.run(i).rows);
    } else if (ScoringNode& solver = *progress.node(i).scoring(); borrows_training(progress, i)) {
      solver.borrow_training(progress, data);
    } else {
      const RowSpan span = rows_learned_from(node);
      const auto rows = data.memory().keep(span.count, joined_sizes(progress, data, node, span),
                                           progress.own_rows(i, span));
      solver.training = rows;
      builder.add_inputs(i, span, rows);
    }
  }
  const std::size_t any = targets.front().node;
  Stage stage = builder.build(progress.facts(any).outline->train_rows);
  stage.pieces = progress.own_rows(any, {0, progress.facts(any).outline->rows()});
  return stage;
}

void finish_targets(RunProgress& progress, RunData& data, const std::vector<StageTarget>& targets) {
  for (const StageTarget& target : targets) data.check_files(target.node);
  for (const StageTarget& target : targets) {
    if (target.what != StageTarget::What::kept) continue;
    commit(progress, data, target.node);
    NodeRun& run = progress.run(target.node);
    run.rows_life = RowsLife::there;
    run.record.bytes = run.rows->bytes_here();
  }
}

void abandon_targets(RunProgress& progress, const std::vector<StageTarget>& targets) {
  for (const StageTarget& target : targets) {
    NodeRun& run = progress.run(target.node);
    if (target.what == StageTarget::What::training) {
      progress.node(target.node).drop_rows();
    } else if (run.rows_pending()) {
      run.rows.reset();
      run.draft.reset();
    }
  }
}

}  // namespace semblance
