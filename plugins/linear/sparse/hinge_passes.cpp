// SPDX-License-Identifier: MIT
#include "sparse/hinge_passes.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "sparse/sparse_sweep.hpp"

namespace semblance::linear {
namespace {

/// A window's entries: so many that joining its halves, which visits all columns, takes a small
/// part of the time, as does waiting for both halves.
constexpr std::size_t entries_per_column = 12;
constexpr std::size_t least_entries = std::size_t{1} << 17;

/// Steps of at least this length are made in full.
constexpr double full_step = 0.75;
/// With shorter steps on average, a pass of all rows in sequence is no slower on two threads.
constexpr double least_step = 0.5;

/// The last rows of a window, after its halves have been joined, make their steps in sequence. Both
/// halves have corrected what all rows have in common, so that together they have gone too far.
constexpr std::size_t last_rows = 256;

}  // namespace

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
  const double entries_per_row =
      sparse_values(task.task().training.rows) / static_cast<double>(task.rows());
  const std::size_t entries = std::max(entries_per_column * task.cols(), least_entries);
  window_ =
      static_cast<std::size_t>(static_cast<double>(entries) / std::max(entries_per_row, 1.0)) + 1;
  halves_ = task.problems() == 1 && rows_.size() >= window_;
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
  lengths_ = 0;
  const std::span<const std::size_t> rows = awake_;
  const std::size_t windows = halves_ ? (visited_ + window_ / 2) / window_ : 0;
  if (windows == 0 && !step_in_sequence(rows)) return false;
  for (std::size_t i = 0; i < windows; ++i) {
    const std::size_t first = visited_ * i / windows, end = visited_ * (i + 1) / windows;
    if (!step_halves(rows.subspan(first, end - first))) return false;
  }
  awake_.resize(kept_);
  if (lengths_ < least_step * static_cast<double>(windows)) halves_ = false;
  return true;
}

bool HingePasses::step_halves(std::span<const std::size_t> rows) {
  const std::size_t last = rows.size() - std::min(last_rows, rows.size() / 4), middle = last / 2;
  std::array<Steps, 2> halves;
  std::atomic<bool> complete{true};
  context_.parallel_for(2, [&](std::size_t half) {
    own_[half] = w_;
    const std::size_t first = half == 0 ? 0 : middle, end = half == 0 ? middle : last;
    if (!step_rows(rows.subspan(first, end - first), own_[half], halves[half])) complete = false;
  });
  if (!complete) return false;
  lengths_ += join(halves);
  for (const Steps& half : halves) keep(half);
  return step_in_sequence(rows.subspan(last));
}

bool HingePasses::step_in_sequence(std::span<const std::size_t> rows) {
  Steps steps;
  if (!step_rows(rows, w_, steps)) return false;
  dual_ += steps.gain;
  keep(steps);
  return true;
}

bool HingePasses::step_rows(std::span<const std::size_t> rows, LaneWeights& w, Steps& steps) {
  if (rows.empty()) return true;
  steps.rows.reserve(rows.size());
  return task_.for_rows(
      context_, rows, [&](std::size_t row) { __builtin_prefetch(&variables_[row], 1); },
      [&](std::size_t row, const SparseRow& entries) { step(row, entries, w, steps); });
}

/// A step of one variable. The gap is a sum over the rows: of Cu (loss - alpha / 2Cu)^2, and alpha
/// times the margin's excess over 1.
void HingePasses::step(std::size_t row, const SparseRow& entries, LaneWeights& w, Steps& steps) {
  Variable& variable = variables_[row];
  const double y = variable.weight < 0 ? -1 : 1, before = variable.value;
  const double slack = 1 - y * w.score(entries), slope = variable.diagonal * before - slack;
  if (before == 0 && slope > 0) return;
  const double missing = std::max(slack, 0.0) - variable.diagonal * before;
  steps.gap += std::abs(variable.weight) * missing * missing + before * std::max(-slack, 0.0);
  steps.rows.push_back({row, before});
  variable.value = std::max(before - slope / variable.curvature, 0.0);
  const double change = variable.value - before, factor = y * change;
  if (change == 0) return;
  steps.gain -= change * (slope + variable.curvature * change / 2);
  steps.quadratic += variable.diagonal * change * change;
  w.add(entries, &factor);
}

/// Makes the step along the changes of both halves, and returns its length. With d_1, d_2 the
/// changes of the weights, a step of length t gains t g - t^2 q / 2, where q = |d_1 + d_2|^2 + the
/// quadratic terms of the variables, and with t = 1 the gain of both halves without <d_1, d_2>.
double HingePasses::join(const std::array<Steps, 2>& halves) {
  double q = halves[0].quadratic + halves[1].quadratic, gain = halves[0].gain + halves[1].gain;
  for (std::size_t j = 0; j < w_.columns(); ++j) {
    const double w = w_.at(j), one = own_[0].at(j) - w, two = own_[1].at(j) - w;
    q += (one + two) * (one + two);
    gain -= one * two;
  }
  const double best = q > 0 ? 0.5 + gain / q : 1;
  const double length = best >= full_step ? 1 : std::max(best, 0.0);
  dual_ += length * (gain + q / 2) - length * length * q / 2;
  w_.add_changes(own_[0], own_[1], length);
  if (length == 1) return 1;
  for (const Steps& half : halves)
    for (const auto& [row, before] : half.rows)
      variables_[row].value = before + length * (variables_[row].value - before);
  return length;
}

void HingePasses::keep(const Steps& steps) {
  gap_ += steps.gap;
  for (const Steps::Row& made : steps.rows) awake_[kept_++] = made.row;
}

void HingePasses::copy_variables(std::vector<double>& to) const {
  for (const std::size_t row : rows_) to[row] = variables_[row].value;
}

}  // namespace semblance::linear
