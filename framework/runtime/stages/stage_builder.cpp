// SPDX-License-Identifier: MIT
#include "runtime/stages/stage_builder.hpp"

#include <algorithm>

#include "runtime/rows/joined_rows.hpp"
#include "runtime/session/row_names.hpp"
#include "runtime/stages/finite_scores.hpp"
#include "runtime/stages/node_row_sizes.hpp"

namespace semblance {
namespace {

RowSpan united(RowSpan a, RowSpan b) {
  if (a.count == 0) return b;
  const std::size_t first = std::min(a.first, b.first);
  return {first, std::max(a.end(), b.end()) - first};
}

/// `before` rows of the source come before the first retained one.
void read_kept(StageStep& step, const std::shared_ptr<KeptRows>& rows, std::size_t before) {
  step.destination = [rows, before](std::size_t first, std::size_t count) {
    return rows->writable(first - before, count);
  };
  step.work = StageStep::Work::reads;
  step.compute = [](std::size_t, const auto&, auto) {};
  step.done = [rows, before](std::size_t first, std::size_t count) {
    rows->release(first - before, count);
  };
}

/// New data that name no test rows are tested completely.
std::size_t first_kept(const NodeFacts& node) {
  const bool all = node.demands.gives != RowsOf::testing || node.outline->test_rows == 0;
  return all ? 0 : node.outline->train_rows;
}

/// Computes a block of node i's rows. Messages name a row of the block by its number in the data,
/// or among the given rows.
void compute_named(const Compilation& graph, RunData& data, std::size_t i, std::size_t first,
                   bool given, const std::function<void()>& compute) {
  try {
    compute();
  } catch (const RowError& problem) {
    if (problem.of() != RowError::Of::block) throw;
    const std::size_t row = first + problem.row();
    throw Error(problem.named(given ? given_row_name(row) : row_name(graph, data, i, row)));
  }
}

/// Computes a block of a component's rows. A failure of some of the rows is one of the first.
void compute_rows(std::size_t first, const std::vector<MatrixView>& in, MutableMatrixView out,
                  const std::function<void(std::size_t, const std::vector<MatrixView>&,
                                           MutableMatrixView)>& compute) {
  name_failing_row(
      RowError::Of::block, out.rows, [&] { compute(first, in, out); },
      [&](std::size_t row) {
        std::vector<MatrixView> alone;
        for (const MatrixView& rows : in) alone.push_back(rows.rows_range(row, 1));
        compute(first + row, alone, out.rows_range(row, 1));
      });
}

}  // namespace

StepGuard step_guard(const RunData& data) {
  return [&data](std::size_t node, const std::function<void()>& body) {
    data.guard(node, "computing rows", body);
  };
}

void StageBuilder::add_rows(std::size_t i, RowSpan span, const std::shared_ptr<KeptRows>& rows) {
  stage_.rows = united(stage_.rows, span);
  deliver(step(i, span), rows, span.first);
}

void StageBuilder::add_inputs(std::size_t i, RowSpan span, const std::shared_ptr<KeptRows>& rows) {
  stage_.rows = united(stage_.rows, span);
  const auto& inputs = progress_.facts(i).inputs;
  std::size_t offset = 0;
  for (const std::size_t in : inputs) {
    const std::size_t s = step(in, span);
    if (inputs.size() == 1 && !stage_.steps[s].destination &&
        stage_.steps[s].rows.count == span.count)
      deliver(s, rows, 0);
    else
      copy(s, i, rows, offset, span);
    offset += progress_.facts(in).output.size();
  }
}

Stage StageBuilder::build(std::size_t boundary) {
  stage_.boundary = boundary;
  return std::move(stage_);
}

Stage StageBuilder::pulled(std::size_t i) {
  purpose_ = Purpose::pulling;
  step(i, {});
  return std::move(stage_);
}

void StageBuilder::give(std::size_t i, MatrixView source_rows) {
  purpose_ = Purpose::given;
  given_ = source_rows;
  // The longest of these rows may be shorter than the longest training row.
  if (given_.ragged()) given_.cols = progress_.facts(progress_.facts(i).spec->origin).output.size();
}

Stage StageBuilder::of_given(std::size_t i, MatrixView source_rows) {
  give(i, source_rows);
  step(i, {});
  return std::move(stage_);
}

Stage StageBuilder::inputs_of_given(std::size_t i, MatrixView source_rows) {
  const auto& inputs = progress_.facts(i).inputs;
  if (inputs.size() == 1) return of_given(inputs.front(), source_rows);
  give(i, source_rows);
  StageStep joined;
  joined.node = i;
  joined.work = StageStep::Work::gather;
  for (const std::size_t in : inputs) joined.inputs.push_back(step(in, {}));
  joined.sizes.cols = joined_width(progress_.facts(i), progress_.graph());
  joined.compute = [](std::size_t, const auto& in, MutableMatrixView out) {
    copy_rows(joined_rows(in).view(), out);
  };
  stage_.steps.push_back(std::move(joined));
  return std::move(stage_);
}

/// The step that outputs node i's rows, made on first use.
std::size_t StageBuilder::step(std::size_t i, RowSpan span) {
  const auto found = steps_.find(i);
  if (found != steps_.end()) {
    widen(found->second, span);
    return found->second;
  }
  StageStep made = made_step(i, span);
  stage_.steps.push_back(std::move(made));
  return steps_[i] = stage_.steps.size() - 1;
}

void StageBuilder::compute(StageStep& made, const Node& node) {
  const std::size_t i = made.node;
  if (node.facts().is_source()) {
    const Dataset& rows = data_.dataset(i);
    made.in_place = [&rows](std::size_t first, std::size_t count) {
      return rows.in_place(first, count);
    };
    made.compute = [&graph = progress_.graph(), &data = data_, &rows, i](std::size_t first,
                                                                         const auto&, auto out) {
      compute_named(graph, data, i, first, false, [&] { rows.read(first, out); });
    };
    return;
  }
  const bool given = purpose_ == Purpose::given;
  made.compute = [&progress = progress_, &data = data_, &node, i, given, notes = !given || of_user_,
                  cancel = cancel_](std::size_t first, const auto& in, auto out) {
    compute_named(progress.graph(), data, i, first, given, [&] {
      NodeContext context = progress.context(i);
      context.stop_at(cancel);
      if (notes)
        context.note_unknown_rows(
            [&](std::size_t row) { progress.run(i).unknown_rows.add(first + row); });
      compute_rows(first, in, out, [&](std::size_t from, const auto& rows, auto to) {
        node.compute(from, rows, to, context);
      });
      if (node.scoring()) check_scores(progress.graph(), node, out, in);
    });
  };
  for (const std::size_t in : node.facts().inputs) made.inputs.push_back(step(in, made.rows));
}

StageStep StageBuilder::made_step(std::size_t i, RowSpan span) {
  Node& node = progress_.node(i);
  StageStep made;
  made.node = i;
  made.rows = span;
  if (purpose_ == Purpose::given && node.facts().is_source()) {
    made.compute = [given = given_](std::size_t first, const auto&, MutableMatrixView out) {
      copy_rows(given.rows_range(first, out.rows), out);
    };
    // Rows with gaps between them are copied, as components expect contiguous rows.
    if (given_.ragged() || given_.stride == given_.cols)
      made.in_place = [given = given_](std::size_t first, std::size_t count) {
        return given.rows_range(first, count);
      };
    made.sizes = sizes_of_given();
    return made;
  }
  if (purpose_ != Purpose::given && progress_.run(i).has_rows()) {
    made.sizes = progress_.run(i).rows->sizes();
    read_kept(made, progress_.run(i).rows, first_kept(node.facts()));
  } else {
    compute(made, node);
    made.sizes = purpose_ == Purpose::given ? sizes_of_made(node, made.inputs.front())
                                            : row_sizes(progress_, data_, i);
  }
  if (purpose_ == Purpose::streaming) {
    made.label = progress_.journal().trace().label(node.name(), "rows");
    if (!progress_.run(i).has_rows()) progress_.started(i);
  }
  return made;
}

/// The sizes of the rows that a node makes of given rows; `input` is the step of its input.
RowSizes StageBuilder::sizes_of_made(const Node& node, std::size_t input) {
  NodeContext context = progress_.context(node.facts().index);
  context.stop_at(cancel_);
  Stage before;
  if (sized_by_content(node))
    before = StageBuilder(progress_, data_, cancel_).of_given(stage_.steps[input].node, given_);
  const auto compute = [&](std::size_t first, MutableMatrixView out) {
    compute_block(before, first, out, step_guard(data_));
  };
  return made_sizes(node, stage_.steps[input].sizes, given_.rows, compute, context);
}

/// The sizes of the rows that the caller gives.
RowSizes StageBuilder::sizes_of_given() const {
  RowSizes sizes{given_.cols, nullptr};
  if (!given_.ragged()) return sizes;
  std::vector<std::size_t> offsets(1, 0);
  for (std::size_t i = 0; i < given_.rows; ++i) offsets.push_back(offsets.back() + given_.size(i));
  sizes.offsets = std::make_shared<const std::vector<std::size_t>>(std::move(offsets));
  sizes.sparse = given_.sparse();
  return sizes;
}

void StageBuilder::widen(std::size_t s, RowSpan span) {
  auto& known = stage_.steps[s];
  known.rows = united(known.rows, span);
  for (const std::size_t in : known.inputs) widen(in, known.rows);
}

/// The step computes directly into the destination rows.
void StageBuilder::deliver(std::size_t s, const std::shared_ptr<KeptRows>& rows,
                           std::size_t origin) {
  stage_.steps[s].destination = [rows, origin](std::size_t first, std::size_t count) {
    return rows->writable(first - origin, count);
  };
  stage_.steps[s].done = [rows, origin](std::size_t first, std::size_t count) {
    rows->release(first - origin, count);
  };
}

void StageBuilder::copy(std::size_t from, std::size_t node, const std::shared_ptr<KeptRows>& rows,
                        std::size_t offset, RowSpan span) {
  StageStep made;
  made.node = node;
  made.work = StageStep::Work::gather;
  made.inputs = {from};
  made.sizes = stage_.steps[from].sizes;
  made.rows = span;
  made.label = progress_.journal().trace().label(progress_.facts(node).name(), "gathering rows");
  made.destination = [rows, offset, cols = made.sizes.cols](std::size_t first, std::size_t count) {
    const MutableMatrixView whole = rows->writable(first, count);
    return whole.ragged() ? whole : whole.cols_range(offset, cols);
  };
  made.compute = [](std::size_t, const auto& in, MutableMatrixView out) { copy_rows(in[0], out); };
  made.done = [rows](std::size_t first, std::size_t count) { rows->release(first, count); };
  stage_.steps.push_back(std::move(made));
}

}  // namespace semblance
