// SPDX-License-Identifier: MIT
#include "sparse/problem_group.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace semblance::linear {
namespace {

// Rows on a disk stay in memory until this number has been visited.
constexpr std::size_t rows_between_releases = 4096;

using Lanes = std::array<double, most_lanes>;
}  // namespace

SparseTask::SparseTask(const LinearTask& task, Context& context)
    : task_(task), squares_(task.training.rows.rows()) {
  for_each_block(task.training.rows, context,
                 [&](std::size_t, std::size_t first, MatrixView block) {
                   for (std::size_t i = 0; i < block.rows; ++i) {
                     double sum = bias() * bias();
                     for (const float x : block.row_span(i)) sum += double{x} * x;
                     squares_[first + i] = sum;
                   }
                 });
}

bool SparseTask::visit(Context& context, std::span<const std::size_t> order,
                       const RowVisit& body) const {
  const Rows& all = task_.training.rows;
  for (std::size_t done = 0; done < rows(); ++done) {
    if (done % block_rows == 0 && context.stop_requested() != StopReason::none) return false;
    if (done % rows_between_releases == 0 && done > 0) all.release(0, rows());
    const std::size_t row = order.empty() ? done : order[done];
    body(row, entries_of(all.view(row, 1), 0));
  }
  all.release(0, rows());
  return true;
}

ProblemGroup::ProblemGroup(const SparseTask& task, std::vector<std::size_t> problems)
    : task_(task),
      problems_(std::move(problems)),
      weights_(task.cols(), task.bias(), problems_.size()),
      variables_(task.rows() * weights_.lanes()) {}

double ProblemGroup::diagonal(double cost, std::size_t row) const noexcept {
  return task_.task().regression.squared() ? 1 / (2 * cost * task_.row_weight(row)) : 0;
}

bool ProblemGroup::pass(double cost, std::span<const std::size_t> order, Context& context) {
  Lanes f = {};
  return task_.visit(context, order, [&](std::size_t row, const SparseRow& entries) {
    if (task_.row_weight(row) == 0) return;  // its variables are bound to 0
    weights_.scores(entries, f.data());
    if (task_.numbers())
      step_tubes(cost, row, f.data());
    else
      step_hinges(cost, row, f.data());
    double moved = 0;
    for (std::size_t l = 0; l < problems_.size(); ++l) moved += std::abs(f[l]);
    for (std::size_t l = problems_.size(); l < weights_.lanes(); ++l) f[l] = 0;
    if (moved != 0) weights_.add(entries, f.data());
  });
}

void ProblemGroup::step_hinges(double cost, std::size_t row, double* f) {
  const double diagonal = this->diagonal(cost, row);
  const double inverse = 1 / (task_.square(row) + diagonal);
  double* variables = &variables_[row * weights_.lanes()];
  Lanes y = {};
  for (std::size_t l = 0; l < problems_.size(); ++l) y[l] = task_.sign(row, problems_[l]);
  for (std::size_t l = 0; l < problems_.size(); ++l) {
    const double before = variables[l];
    const double slope = y[l] * f[l] - 1 + diagonal * before;
    const double after = std::max(before - slope * inverse, 0.0);
    variables[l] = after;
    f[l] = y[l] * (after - before);
  }
}

/// Ho and Lin, JMLR 13, 2012, algorithm 4: the minimum of a quadratic function plus epsilon times
/// the absolute value, within limits.
void ProblemGroup::step_tubes(double cost, std::size_t row, double* f) {
  const Regression& regression = task_.task().regression;
  const double diagonal = this->diagonal(cost, row);
  const double curvature = task_.square(row) + diagonal;
  const double weight = cost * task_.row_weight(row);
  double* variables = &variables_[row * weights_.lanes()];
  for (std::size_t l = 0; l < problems_.size(); ++l) {
    const double before = variables[l];
    const double slope = f[l] - task_.target(row, problems_[l]) + diagonal * before;
    const TubeLosses::Caps slopes =
        regression.squared() ? TubeLosses::Caps() : regression.slopes[problems_[l]];
    const double most = weight * slopes.below, least = -weight * slopes.above;
    // The minimum without the absolute value, and how far it moves towards 0 with it.
    const double goal = curvature * before - slope;
    const double size = std::max(0.0, std::abs(goal) - regression.epsilon);
    // A row of zeros, whose variable meets a limit.
    const double after = curvature > 0
                             ? std::clamp(std::copysign(size / curvature, goal), least, most)
                         : size > 0 ? (goal > 0 ? most : least)
                                    : before;
    variables[l] = after;
    f[l] = after - before;
  }
}

bool ProblemGroup::evaluate(double cost, std::vector<Value>& values, Context& context) {
  const std::size_t n = problems_.size();
  const double epsilon = task_.task().regression.epsilon;
  Lanes f, factors = {}, losses = {}, duals = {}, squares = {};
  weights_.fill(0);
  if (!task_.visit(context, {}, [&](std::size_t row, const SparseRow& entries) {
        if (task_.row_weight(row) == 0) return;
        const double diagonal = this->diagonal(cost, row);
        const double* variables = &variables_[row * weights_.lanes()];
        for (std::size_t l = 0; l < n; ++l) {
          const double v = variables[l];
          const double gain =
              task_.numbers() ? v * task_.target(row, problems_[l]) - epsilon * std::abs(v) : v;
          factors[l] = task_.numbers() ? v : task_.sign(row, problems_[l]) * v;
          duals[l] += gain - diagonal * v * v / 2;
        }
        weights_.add(entries, factors.data());
      }))
    return false;
  for (std::size_t c = 0; c < weights_.columns(); ++c)
    for (std::size_t l = 0; l < n; ++l) squares[l] += weights_.of(c)[l] * weights_.of(c)[l];
  if (!task_.visit(context, {}, [&](std::size_t row, const SparseRow& entries) {
        weights_.scores(entries, f.data());
        for (std::size_t l = 0; l < n; ++l)
          losses[l] += task_.row_weight(row) * task_.loss(row, problems_[l], f[l]);
      }))
    return false;
  values.resize(n);
  for (std::size_t l = 0; l < n; ++l)
    values[l] = {squares[l] / 2 + cost * losses[l], duals[l] - squares[l] / 2};
  return true;
}

void ProblemGroup::copy_weights(std::size_t place, double* to) const {
  const std::size_t dimension = task_.cols() + (task_.bias() != 0 ? 1 : 0);
  for (std::size_t c = 0; c < dimension; ++c) to[c] = weights_.of(c)[place];
}

void ProblemGroup::take(std::size_t place, const ProblemGroup& from, std::size_t place_there) {
  for (std::size_t c = 0; c < weights_.columns(); ++c)
    weights_.of(c)[place] = from.weights_.of(c)[place_there];
  for (std::size_t i = 0; i < task_.rows(); ++i)
    variables_[i * weights_.lanes() + place] =
        from.variables_[i * from.weights_.lanes() + place_there];
}

bool measure_gradients(const SparseTask& task, const Vectors<double>& weights, std::size_t first,
                       std::size_t count, double cost, std::vector<GradientNorms>& norms,
                       Context& context) {
  LaneWeights at(task.cols(), task.bias(), count), pull = at, pull_at_zero = at;
  for (std::size_t l = 0; l < count; ++l)
    for (std::size_t c = 0; c < weights.cols(); ++c) at.of(c)[l] = weights.row(first + l)[c];
  Lanes f, factors = {};
  const bool complete = task.visit(context, {}, [&](std::size_t row, const SparseRow& entries) {
    const double u = 2 * cost * task.row_weight(row);
    at.scores(entries, f.data());
    for (std::size_t l = 0; l < count; ++l) factors[l] = u * task.half_pull(row, first + l, 0);
    pull_at_zero.add(entries, factors.data());
    for (std::size_t l = 0; l < count; ++l) factors[l] = u * task.half_pull(row, first + l, f[l]);
    pull.add(entries, factors.data());
  });
  norms.assign(count, {});
  for (std::size_t c = 0; c < at.columns(); ++c)
    for (std::size_t l = 0; l < count; ++l) {
      const double g = at.of(c)[l] - pull.of(c)[l], start = pull_at_zero.of(c)[l];
      norms[l].here += g * g;
      norms[l].at_zero += start * start;
    }
  for (GradientNorms& norm : norms) norm = {std::sqrt(norm.here), std::sqrt(norm.at_zero)};
  return complete;
}

}  // namespace semblance::linear
