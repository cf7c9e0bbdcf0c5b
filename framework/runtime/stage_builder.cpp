// SPDX-License-Identifier: MIT
#include "runtime/stage_builder.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "runtime/learning.hpp"
#include "runtime/pulled_rows.hpp"
#include "runtime/row_content.hpp"
#include "runtime/state_files.hpp"

namespace semblance {
namespace {

bool kept_pending(const Session& session, std::size_t i) {
  const auto& plan = session.plan.nodes[i];
  const auto& run = *session.runs[i];
  return plan.keep && session.plan.uses(i) && !run.rows_done && !run.failed;
}

bool training_pending(const Session& session, std::size_t i) {
  const auto& run = *session.runs[i];
  return session.node(i).is_solver() && session.plan.nodes[i].learn && !run.ready &&
         !run.training && !run.failed;
}

RowSpan span_of(const Session& session, const StageTarget& target) {
  const auto& node = session.node(target.node);
  if (target.what == StageTarget::What::training) return rows_learned_from(node);
  return wanted_rows(node, session.plan.nodes[target.node]);
}

RowSpan united(RowSpan a, RowSpan b) {
  if (a.count == 0) return b;
  const std::size_t first = std::min(a.first, b.first);
  return {first, std::max(a.end(), b.end()) - first};
}

std::size_t input_width(const Session& session, std::size_t i) {
  std::size_t width = 0;
  for (const std::size_t in : session.node(i).inputs) width += session.node(in).output.size();
  return width;
}

class Builder {
 public:
  Stage build_scoring(std::size_t solver, RowSpan rows, const std::shared_ptr<KeptRows>& scores) {
    stage_.boundary = rows.first;
    stage_.rows = rows;
    deliver(step(solver, rows), scores, rows.first);
    return std::move(stage_);
  }

  explicit Builder(Session& session) : session_(session) {}

  Stage build(const std::vector<StageTarget>& targets) {
    stage_.boundary = session_.node(targets.front().node).outline->train_rows;
    for (const auto& target : targets) {
      const RowSpan span = span_of(session_, target);
      stage_.rows = united(stage_.rows, span);
      if (target.what == StageTarget::What::training)
        add_training(target.node, span);
      else
        add_kept(target.node, span);
    }
    return std::move(stage_);
  }

 private:
  /// The step that gives node i's rows, made when first wanted.
  std::size_t step(std::size_t i, RowSpan span) {
    const auto found = steps_.find(i);
    if (found != steps_.end()) {
      widen(found->second, span);
      return found->second;
    }
    StreamStep made;
    made.node = i;
    made.cols = session_.node(i).output.size();
    made.rows = span;
    made.label = session_.trace.label(session_.node(i).name(), "rows");
    if (session_.runs[i]->rows_ready) {
      read_kept(made);
    } else {
      if (session_.node(i).kind == NodeKind::source) session_.dataset(i);
      for (const std::size_t in : session_.node(i).inputs) made.inputs.push_back(step(in, span));
      made.compute = [this_session = &session_, i](std::size_t first, const auto& in, auto out) {
        this_session->compute(i, first, in, out);
      };
      session_.started(i);
    }
    stage_.steps.push_back(std::move(made));
    return steps_[i] = stage_.steps.size() - 1;
  }

  void widen(std::size_t s, RowSpan span) {
    auto& known = stage_.steps[s];
    known.rows = united(known.rows, span);
    for (const std::size_t in : known.inputs) widen(in, known.rows);
  }

  static void read_kept(StreamStep& step, const std::shared_ptr<KeptRows>& rows) {
    step.destination = [rows](std::size_t first, std::size_t count) {
      return rows->writable(first, count);
    };
    step.compute = [](std::size_t, const auto&, auto) {};
    step.done = [rows](std::size_t first, std::size_t count) { rows->release(first, count); };
  }
  void read_kept(StreamStep& step) { read_kept(step, session_.runs[step.node]->rows); }

  void add_kept(std::size_t i, RowSpan span) {
    auto& run = *session_.runs[i];
    const std::size_t cols = session_.node(i).output.size();
    if (session_.store) {
      run.draft = session_.store->draft(rows_key(session_.node(i)));
      run.rows = KeptRows::in_file(run.draft->folder() / "rows.npy", span.count, cols,
                                   session_.room(span.count * cols * sizeof(float)));
    } else {
      run.rows = session_.keep(span.count, cols);
    }
    deliver(step(i, span), run.rows, span.first);
  }

  void add_training(std::size_t solver, RowSpan span) {
    const auto& inputs = session_.node(solver).inputs;
    auto& run = *session_.runs[solver];
    const auto rows = session_.keep(span.count, input_width(session_, solver));
    run.training = rows;
    std::size_t offset = 0;
    for (const std::size_t in : inputs) {
      const std::size_t s = step(in, span);
      if (inputs.size() == 1 && !stage_.steps[s].destination &&
          stage_.steps[s].rows.count == span.count)
        deliver(s, rows, 0);
      else
        copy(s, solver, rows, offset, span);
      offset += session_.node(in).output.size();
    }
  }

  /// The step computes straight into the rows.
  void deliver(std::size_t s, const std::shared_ptr<KeptRows>& rows, std::size_t origin) {
    stage_.steps[s].destination = [rows, origin](std::size_t first, std::size_t count) {
      return rows->writable(first - origin, count);
    };
    stage_.steps[s].done = [rows, origin](std::size_t first, std::size_t count) {
      rows->release(first - origin, count);
    };
  }

  void copy(std::size_t from, std::size_t solver, const std::shared_ptr<KeptRows>& rows,
            std::size_t offset, RowSpan span) {
    StreamStep made;
    made.node = solver;
    made.inputs = {from};
    made.cols = stage_.steps[from].cols;
    made.rows = span;
    made.label = session_.trace.label(session_.node(solver).name(), "gathering rows");
    made.destination = [rows, offset, cols = made.cols](std::size_t first, std::size_t count) {
      return rows->writable(first, count).cols_range(offset, cols);
    };
    made.compute = [](std::size_t, const auto& in, MutableMatrixView out) {
      for (std::size_t r = 0; r < out.rows; ++r) std::copy_n(in[0].row(r), out.cols, out.row(r));
    };
    made.done = [rows](std::size_t first, std::size_t count) { rows->release(first, count); };
    stage_.steps.push_back(std::move(made));
  }

  Session& session_;
  Stage stage_;
  std::map<std::size_t, std::size_t> steps_;
};

bool inputs_stream(const Session& session, std::size_t i) {
  return std::ranges::all_of(session.node(i).inputs,
                             [&](std::size_t in) { return can_stream(session, in); });
}

/// Whether a solver's one input is kept anyway.
bool borrows_training(const Session& session, std::size_t i) {
  const auto& inputs = session.node(i).inputs;
  return inputs.size() == 1 && session.runs[inputs[0]]->rows_ready;
}

/// Such a solver learns from that.
bool borrow_training(Session& session, std::size_t i) {
  if (!borrows_training(session, i)) return false;
  const std::size_t input = session.node(i).inputs[0];
  if (session.node(i).kind == NodeKind::pair_solver)
    session.runs[i]->training = session.runs[input]->rows;
  else
    session.runs[i]->training = training_rows(session, input);
  return true;
}

void commit(Session& session, std::size_t i) {
  auto& run = *session.runs[i];
  const auto& node = session.node(i);
  if (node.kind == NodeKind::solver) {
    const auto labels = session.dataset(i).labels().subspan(node.outline->train_rows);
    run.test_labels.assign(labels.begin(), labels.end());
    run.tags = RowTags(session.dataset(i), node.outline->train_rows, labels.size());
    // Now, while the data are open.
    run.record.rows = rows_of_solver(session, i);
  }
  if (!run.draft) return;
  session.guard(i, "storing its rows", [&] {
    if (node.kind == NodeKind::solver) {
      StateFolderWriter writer(run.draft->folder() / "labels");
      const std::vector<std::int64_t> labels(run.test_labels.begin(), run.test_labels.end());
      writer.integers("labels", labels);
      run.tags.save(writer);
      writer.finish();
    }
    run.draft->commit({{"measured", measured_json(session.measured_now())}});
    run.draft.reset();
  });
}

}  // namespace

namespace {

/// The nodes that would have to be computed anew, and at a cost, for the rows that feed node i.
void add_costly_inputs(const Session& session, std::size_t i, std::set<std::size_t>& costly) {
  for (const std::size_t in : session.node(i).inputs) {
    if (session.runs[in]->rows_ready) continue;
    if (session.node(in).kind != NodeKind::source && !session.node(in).inexpensive())
      costly.insert(in);
    add_costly_inputs(session, in, costly);
  }
}

/// The first target and those that share costly work with it, directly or through others: one
/// stage computes that work once. What shares nothing gets a stage of its own, so that what is
/// finished is in the store early.
std::vector<StageTarget> sharing_first(const Session& session, std::vector<StageTarget> targets) {
  std::vector<StageTarget> chosen;
  std::set<std::size_t> costly;
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
      chosen.push_back(target);
      costly.merge(own);
      grown = true;
    }
    targets = std::move(rest);
  }
  return chosen;
}

}  // namespace

bool targets_left(const Session& session) {
  for (std::size_t i = 0; i < session.size(); ++i)
    if (kept_pending(session, i) || training_pending(session, i)) return true;
  return false;
}

std::vector<StageTarget> ready_targets(const Session& session) {
  std::vector<StageTarget> targets;
  // As many training matrices at a time as there is memory for, but at least one: a solver gives
  // its own back when it is done.
  const std::size_t free = session.services.free_memory();
  std::size_t wanted = 0;
  const auto fits = [&](std::size_t solver) {
    if (borrows_training(session, solver)) return true;
    const std::size_t before = wanted;
    wanted += rows_learned_from(session.node(solver)).count * input_width(session, solver) *
              sizeof(float);
    return before == 0 || wanted <= free;
  };
  for (std::size_t i = 0; i < session.size(); ++i) {
    if (kept_pending(session, i) && session.runs[i]->ready && inputs_stream(session, i))
      targets.push_back({StageTarget::What::kept, i});
    if (training_pending(session, i) && inputs_stream(session, i) && fits(i))
      targets.push_back({StageTarget::What::training, i});
  }
  return sharing_first(session, targets);
}

Stage build_stage(Session& session, const std::vector<StageTarget>& targets) {
  std::vector<StageTarget> needed;
  for (const auto& target : targets)
    if (target.what != StageTarget::What::training || !borrow_training(session, target.node))
      needed.push_back(target);
  if (needed.empty()) return {};
  return Builder(session).build(needed);
}

Stage build_scoring(Session& session, std::size_t solver, RowSpan rows,
                    const std::shared_ptr<KeptRows>& scores) {
  return Builder(session).build_scoring(solver, rows, scores);
}

void finish_targets(Session& session, const std::vector<StageTarget>& targets) {
  for (const auto& target : targets) {
    if (target.what != StageTarget::What::kept) continue;
    auto& run = *session.runs[target.node];
    commit(session, target.node);
    run.rows_ready = run.rows_done = true;
    run.record.bytes = run.rows->bytes();
  }
}

void abandon_targets(Session& session, const std::vector<StageTarget>& targets) {
  for (const auto& target : targets) {
    auto& run = *session.runs[target.node];
    if (target.what == StageTarget::What::training) {
      run.training.reset();
    } else if (!run.rows_done) {
      run.rows.reset();
      run.draft.reset();
    }
  }
}

}  // namespace semblance
