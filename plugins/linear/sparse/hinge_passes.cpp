// SPDX-License-Identifier: MIT
#include "sparse/hinge_passes.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace semblance::linear {

HingePasses::HingePasses(const SparseTask& task, std::size_t problem, double cost, Context& context)
    : task_(task),
      context_(context),
      variables_(task.rows()),
      w_(task.cols(), task.bias(), 1, task.centre()) {
  for (std::size_t row = 0; row < task.rows(); ++row) {
    const double weight = cost * task.row_weight(row);
    if (weight == 0) continue;  // its variable is bound to 0
    const double diagonal = task.diagonal(cost, row);
    variables_[row] = {0, task.square(row) + diagonal, diagonal, task.sign(row, problem) * weight};
    rows_.push_back(row);
  }
}

void HingePasses::start(const std::vector<double>& variables, const LaneWeights& w, double dual) {
  for (const std::size_t row : rows_) variables_[row].value = variables[row];
  w_.take(w);
  dual_ = dual;
}

bool HingePasses::pass(bool all_rows, Random& random) {
  if (all_rows) awake_ = rows_;
  random.shuffle(std::span(awake_));
  visited_ = awake_.size();
  gap_ = 0;
  kept_ = 0;
  if (visited_ > 0 &&
      !task_.for_rows(
          context_, awake_, [&](std::size_t row) { __builtin_prefetch(&variables_[row], 1); },
          [&](std::size_t row, const SparseRow& entries) { step(row, entries); }))
    return false;
  awake_.resize(kept_);
  return true;
}

/// A step of one variable. The gap is a sum over the rows: of Cu (loss - alpha / 2Cu)^2, and alpha
/// times the margin's excess over 1.
void HingePasses::step(std::size_t row, const SparseRow& entries) {
  Variable& variable = variables_[row];
  const double y = variable.weight < 0 ? -1 : 1, before = variable.value;
  const double slack = 1 - y * w_.score(entries), slope = variable.diagonal * before - slack;
  if (before == 0 && slope > 0) return;
  const double missing = std::max(slack, 0.0) - variable.diagonal * before;
  gap_ += std::abs(variable.weight) * missing * missing + before * std::max(-slack, 0.0);
  awake_[kept_++] = row;
  variable.value = std::max(before - slope / variable.curvature, 0.0);
  const double change = variable.value - before, factor = y * change;
  if (change == 0) return;
  dual_ -= change * (slope + variable.curvature * change / 2);
  w_.add(entries, &factor);
}

void HingePasses::copy_variables(std::vector<double>& to) const {
  for (const std::size_t row : rows_) to[row] = variables_[row].value;
}

}  // namespace semblance::linear
