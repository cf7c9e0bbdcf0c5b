// SPDX-License-Identifier: MIT
#include "sparse/used_columns.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace semblance::linear {

UsedColumns::UsedColumns(const Rows& rows, Context& context) : rows_(rows) {
  constexpr std::uint32_t unused = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> places(rows.cols(), unused);
  std::size_t entries = 0;
  bool in_one_piece = true;  // the entries of all rows
  const auto visit = [&](const auto& take) {
    for (std::size_t first = 0; first < rows.rows(); first += block_rows) {
      const std::size_t count = std::min(block_rows, rows.rows() - first);
      take(rows.view(first, count));
      rows.release(first, count);
    }
  };
  visit([&](MatrixView view) {
    in_one_piece = in_one_piece && view.offsets[0] == entries;
    entries += view.values();
    for (std::size_t i = 0; i < view.rows; ++i)
      for (const std::uint32_t column : view.columns_of(i)) places[column] = 0;
  });
  for (std::uint32_t column = 0; column < places.size(); ++column) {
    if (places[column] == unused) continue;
    places[column] = static_cast<std::uint32_t>(used_.size());
    used_.push_back(column);
  }
  worth_it_ = in_one_piece && !used_.empty() && 2 * used_.size() <= places.size() &&
              4 * entries * sizeof(std::uint32_t) <= context.memory_budget();
  if (!worth_it_) return;
  columns_.reserve(entries);
  visit([&](MatrixView view) {
    for (std::size_t i = 0; i < view.rows; ++i)
      for (const std::uint32_t column : view.columns_of(i)) columns_.push_back(places[column]);
  });
}

MatrixView UsedColumns::view(std::size_t first, std::size_t count) const {
  MatrixView view = rows_.view(first, count);
  view.cols = used_.size();
  view.columns = columns_.data();
  return view;
}

void UsedColumns::widen(Solution& solution) const {
  const Vectors<double>& narrow = solution.weights;
  const std::size_t bias = narrow.cols() - used_.size();
  Vectors<double> wide(narrow.count(), rows_.cols() + bias);
  for (std::size_t i = 0; i < narrow.count(); ++i) {
    for (std::size_t k = 0; k < used_.size(); ++k) wide.row(i)[used_[k]] = narrow.row(i)[k];
    if (bias > 0) wide.row(i)[rows_.cols()] = narrow.row(i)[used_.size()];
  }
  solution.weights = std::move(wide);
}

std::vector<Solution> on_used_columns(
    const LinearTask& task, const std::function<std::vector<Solution>(const LinearTask&)>& method,
    Context& context) {
  const UsedColumns used(task.training.rows, context);
  if (!used.worth_it()) return method(task);
  const TrainingSet training = with_rows(task.training, used, Layout::sparse(used.cols()));
  std::vector<Solution> solutions = method(task.on(training));
  for (Solution& solution : solutions) used.widen(solution);
  return solutions;
}

}  // namespace semblance::linear
