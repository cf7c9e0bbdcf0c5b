// SPDX-License-Identifier: MIT
#include <algorithm>
#include <functional>
#include <utility>

#include "runtime/explain/explainer.hpp"
#include "runtime/rows/joined_rows.hpp"
#include "runtime/stages/stage_builder.hpp"
#include "semblance/decision_values.hpp"

namespace semblance {
namespace {

FloatMatrix with_zeros(FloatMatrix rows, std::span<const std::size_t> columns) {
  if (!rows.is_sparse) return rows;
  FloatMatrix dense(rows.rows, columns.size());
  const MatrixView from = std::as_const(rows).view();
  for (std::size_t i = 0; i < from.rows; ++i)
    for (std::size_t k = 0; k < from.size(i); ++k) {
      const auto place = std::ranges::lower_bound(columns, from.columns_of(i)[k]);
      dense.view().row(i)[place - columns.begin()] = from.row(i)[k];
    }
  return dense;
}

/// Calls take(first, count) for blocks of rows on all threads.
void in_blocks(std::size_t rows, Context& context,
               const std::function<void(std::size_t, std::size_t)>& take) {
  constexpr std::size_t most = 128;
  const std::size_t at_once = std::clamp<std::size_t>(rows / (2 * context.threads()), 1, most);
  context.parallel_for((rows + at_once - 1) / at_once, [&](std::size_t block) {
    context.check_stop();
    const std::size_t first = block * at_once;
    take(first, std::min(at_once, rows - first));
  });
}

}  // namespace

NodeContext MachineValues::context() const {
  NodeContext context = progress_.context(machine_);
  context.stop_at(cancel_);
  return context;
}

FloatMatrix MachineValues::as_given(std::size_t node, MatrixView rows) const {
  const Stage stage = StageBuilder(progress_, data_, cancel_).of_given(node, rows);
  FloatMatrix out = stage.steps.back().sizes.rows(0, rows.rows);
  NodeContext own = context();
  in_blocks(rows.rows, own, [&](std::size_t first, std::size_t count) {
    compute_block(stage, first, out.view().rows_range(first, count), step_guard(data_));
  });
  return out;
}

FloatMatrix MachineValues::of_node(std::size_t node, MatrixView rows,
                                   std::span<const std::size_t> columns) const {
  return with_zeros(as_given(node, rows), columns);
}

FloatMatrix MachineValues::scores(MatrixView rows) const {
  FloatMatrix all = of_node(machine_, rows, {});
  const NodeFacts& machine = progress_.facts(machine_);
  if (machine.spec->info().output->type != PortType::intervals) return all;
  const std::vector<std::size_t> columns = estimate_columns(machine);
  FloatMatrix estimates(all.rows, columns.size());
  for (std::size_t i = 0; i < all.rows; ++i)
    for (std::size_t t = 0; t < columns.size(); ++t)
      estimates.view().row(i)[t] = all.view().row(i)[columns[t]];
  return estimates;
}

std::vector<std::size_t> MachineValues::columns_with_values(
    std::size_t node, std::initializer_list<MatrixView> rows) const {
  std::vector<std::size_t> columns;
  for (const MatrixView some : rows) {
    const FloatMatrix made = as_given(node, some);
    columns.insert(columns.end(), made.columns.begin(), made.columns.end());
  }
  if (columns.empty()) columns.push_back(0);
  std::ranges::sort(columns);
  columns.erase(std::ranges::unique(columns).begin(), columns.end());
  return columns;
}

FloatMatrix MachineValues::of_nodes(const std::vector<std::size_t>& nodes, MatrixView rows,
                                    std::span<const std::size_t> columns) const {
  if (nodes.size() == 1) return of_node(nodes.front(), rows, columns);
  std::vector<FloatMatrix> made;
  std::vector<MatrixView> views;
  made.reserve(nodes.size());
  for (const std::size_t node : nodes)
    views.push_back(std::as_const(made.emplace_back(of_node(node, rows, columns))).view());
  return joined_rows(views);
}

FloatMatrix MachineValues::inputs(MatrixView rows) const {
  const Stage stage = StageBuilder(progress_, data_, cancel_).inputs_of_given(machine_, rows);
  FloatMatrix out = stage.steps.back().sizes.rows(0, rows.rows);
  NodeContext own = context();
  in_blocks(rows.rows, own, [&](std::size_t first, std::size_t count) {
    compute_block(stage, first, out.view().rows_range(first, count), step_guard(data_));
  });
  return out;
}

FloatMatrix MachineValues::terms(const ScoreSum& sum, MatrixView rows) const {
  FloatMatrix all(rows.rows, sum.terms);
  if (sum.kernel) {
    const FloatMatrix in = inputs(rows);
    NodeContext own = context();
    data_.guard(machine_, "explaining", [&] {
      in_blocks(rows.rows, own, [&](std::size_t first, std::size_t count) {
        sum.parts.front().similarity->apply(in.view().rows_range(first, count),
                                            all.view().rows_range(first, count), own);
      });
    });
    return all;
  }
  for (const SummedTerms& part : sum.parts)
    copy_rows(of_node(part.node, rows, part.columns).view(),
              all.view().cols_range(part.first, part.count));
  return all;
}

std::vector<double> MachineValues::functions(const ScoreSum& sum, MatrixView rows) const {
  const std::size_t count = sum.functions();
  std::vector<double> values(rows.rows * count);
  if (!sum.kernel) {
    const FloatMatrix own = scores(rows);
    for (std::size_t i = 0; i < rows.rows; ++i)
      std::copy_n(own.view().row(i), count, values.data() + i * count);
    return values;
  }
  const auto& machine = progress_.node(machine_).as<DecisionValues>();
  const FloatMatrix in = inputs(rows);
  NodeContext own = context();
  data_.guard(machine_, "explaining", [&] {
    in_blocks(rows.rows, own, [&](std::size_t first, std::size_t some) {
      machine.decide(in.view().rows_range(first, some),
                     std::span(values).subspan(first * count, some * count), own);
    });
  });
  return values;
}

}  // namespace semblance
