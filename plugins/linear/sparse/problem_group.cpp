// SPDX-License-Identifier: MIT
#include "sparse/problem_group.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace semblance::linear {
namespace {

template <class T>
using LanesOf = std::array<T, most_lanes>;
using Lanes = LanesOf<double>;

/// Whether views of different rows are of the same arrays.
bool in_one_piece(const Rows& rows) {
  if (rows.rows() == 0) return false;
  const std::size_t last = rows.rows() - 1;
  const MatrixView here = rows.view(0, 1), there = rows.view(last, 1);
  const bool same = here.data == there.data && here.columns == there.columns &&
                    here.offsets + last == there.offsets;
  rows.release(0, 1);
  rows.release(last, 1);
  return same;
}

}  // namespace

SparseTask::SparseTask(const LinearTask& task, Context& context)
    : task_(task),
      centre_(task.centre),
      at_centre_(task.centre.empty() ? 0 : task.training.rows.rows()),
      squares_(task.training.rows.rows()),
      in_one_piece_(in_one_piece(task.training.rows)) {
  for_each_block(task.training.rows, context,
                 [&](std::size_t, std::size_t first, MatrixView block) {
                   for (std::size_t i = 0; i < block.rows; ++i) {
                     double sum = bias() * bias();
                     for (const float x : block.row_span(i)) sum += double{x} * x;
                     if (!at_centre_.empty()) {
                       const double product = centre_.product(entries_of(block, i));
                       at_centre_[first + i] = product;
                       sum = std::max(sum - 2 * product + centre_.square, 0.0);
                     }
                     squares_[first + i] = sum;
                   }
                 });
}

bool SparseTask::fits_float() const noexcept {
  constexpr double least = 1e-50, most = 1e50;  // squares
  return std::ranges::all_of(
      squares_, [](double square) { return square == 0 || (square > least && square < most); });
}

template <class T>
ProblemGroup<T>::ProblemGroup(const SparseTask& task, std::vector<std::size_t> problems)
    : task_(task),
      problems_(std::move(problems)),
      weights_(task.cols(), task.bias(), problems_.size(), task.centre()),
      variables_(task.rows() * weights_.lanes()),
      gaps_(problems_.size()),
      duals_(problems_.size()) {}

template <class T>
bool ProblemGroup<T>::pass(double cost, std::span<const std::size_t> order, Context& context) {
  LanesOf<T> f = {};
  gaps_.assign(gaps_.size(), 0.0);
  return task_.visit(context, order, [&](std::size_t row, const SparseRow& entries) {
    if (task_.row_weight(row) == 0) return;  // its variables are bound to 0
    weights_.scores(entries, f.data());
    if (task_.numbers())
      step_tubes(cost, row, f.data());
    else
      step_hinges(cost, row, f.data());
    T moved = 0;
    for (std::size_t l = 0; l < problems_.size(); ++l) moved += std::abs(f[l]);
    for (std::size_t l = problems_.size(); l < weights_.lanes(); ++l) f[l] = 0;
    if (moved != 0) weights_.add(entries, f.data());
  });
}

/// The gap is a sum over the rows: of Cu (loss - alpha / 2Cu)^2, and alpha times the margin's
/// excess over 1.
template <class T>
void ProblemGroup<T>::step_hinges(double cost, std::size_t row, T* f) {
  const double diagonal = task_.diagonal(cost, row), weight = cost * task_.row_weight(row);
  const double curvature = task_.square(row) + diagonal, inverse = 1 / curvature;
  const std::size_t n = problems_.size();
  double* variables = &variables_[row * weights_.lanes()];
  double* gaps = gaps_.data();
  double* duals = duals_.data();
  Lanes y = {};
  for (std::size_t l = 0; l < n; ++l) y[l] = task_.sign(row, problems_[l]);
  for (std::size_t l = 0; l < n; ++l) {
    const double before = variables[l];
    const double slack = 1 - y[l] * double{f[l]};
    const double slope = diagonal * before - slack;
    const double after = std::max(before - slope * inverse, 0.0), change = after - before;
    const double missing = std::max(slack, 0.0) - diagonal * before;
    gaps[l] += weight * missing * missing + before * std::max(-slack, 0.0);
    duals[l] -= change * (slope + curvature * change / 2);
    variables[l] = after;
    f[l] = static_cast<T>(y[l] * change);
  }
}

/// Ho and Lin, JMLR 13, 2012, algorithm 4: the minimum of a quadratic function plus epsilon times
/// the absolute value, within limits.
template <class T>
void ProblemGroup<T>::step_tubes(double cost, std::size_t row, T* f) {
  const Regression& regression = task_.task().regression;
  const double diagonal = task_.diagonal(cost, row);
  const double curvature = task_.square(row) + diagonal;
  const double weight = cost * task_.row_weight(row);
  double* variables = &variables_[row * weights_.lanes()];
  for (std::size_t l = 0; l < problems_.size(); ++l) {
    const double before = variables[l];
    const double slope = double{f[l]} - task_.target(row, problems_[l]) + diagonal * before;
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
    f[l] = static_cast<T>(after - before);
  }
}

template <class T>
bool ProblemGroup<T>::evaluate(double cost, std::vector<Value>& values, Context& context) {
  const std::size_t n = problems_.size();
  const double epsilon = task_.task().regression.epsilon;
  Lanes f, factors = {}, losses = {}, duals = {}, squares = {};
  evaluated_ = LaneWeights<double>(task_.cols(), task_.bias(), n, task_.centre());
  if (!task_.visit(context, {}, [&](std::size_t row, const SparseRow& entries) {
        if (task_.row_weight(row) == 0) return;
        const double diagonal = task_.diagonal(cost, row);
        const double* variables = &variables_[row * weights_.lanes()];
        for (std::size_t l = 0; l < n; ++l) {
          const double v = variables[l];
          const double gain =
              task_.numbers() ? v * task_.target(row, problems_[l]) - epsilon * std::abs(v) : v;
          factors[l] = task_.numbers() ? v : task_.sign(row, problems_[l]) * v;
          duals[l] += gain - diagonal * v * v / 2;
        }
        evaluated_.add(entries, factors.data());
      }))
    return false;
  evaluated_.settle();
  for (std::size_t c = 0; c < evaluated_.columns(); ++c)
    for (std::size_t l = 0; l < n; ++l) squares[l] += evaluated_.of(c)[l] * evaluated_.of(c)[l];
  if (!task_.visit(context, {}, [&](std::size_t row, const SparseRow& entries) {
        evaluated_.scores(entries, f.data());
        for (std::size_t l = 0; l < n; ++l)
          losses[l] += task_.row_weight(row) * task_.loss(row, problems_[l], f[l]);
      }))
    return false;
  values.resize(n);
  for (std::size_t l = 0; l < n; ++l)
    values[l] = {squares[l] / 2 + cost * losses[l], duals[l] - squares[l] / 2};
  for (std::size_t l = 0; l < n; ++l) duals_[l] = values[l].dual;
  weights_.round(evaluated_);
  return true;
}

template <class T>
void ProblemGroup<T>::copy_weights(std::size_t place, double* to) const {
  const std::size_t dimension = task_.cols() + (task_.bias() != 0 ? 1 : 0);
  for (std::size_t c = 0; c < dimension; ++c) to[c] = evaluated_.of(c)[place];
}

template <class T>
std::vector<double> ProblemGroup<T>::variables(std::size_t place) const {
  std::vector<double> own(task_.rows());
  for (std::size_t i = 0; i < own.size(); ++i) own[i] = variables_[i * weights_.lanes() + place];
  return own;
}

template <class T>
void ProblemGroup<T>::take(std::size_t place, const ProblemGroup& from, std::size_t place_there) {
  weights_.take(place, from.weights_, place_there);
  duals_[place] = from.duals_[place_there];
  for (std::size_t i = 0; i < task_.rows(); ++i)
    variables_[i * weights_.lanes() + place] =
        from.variables_[i * from.weights_.lanes() + place_there];
}

template class ProblemGroup<float>;
template class ProblemGroup<double>;

bool measure_gradients(const SparseTask& task, const Vectors<double>& weights, std::size_t first,
                       std::size_t count, double cost, std::vector<GradientNorms>& norms,
                       Context& context) {
  LaneWeights<double> at(task.cols(), task.bias(), count, task.centre()), pull = at,
                                                                          pull_at_zero = at;
  for (std::size_t l = 0; l < count; ++l)
    for (std::size_t c = 0; c < weights.cols(); ++c) at.of(c)[l] = weights.row(first + l)[c];
  at.settle();
  Lanes f, factors = {};
  const bool complete = task.visit(context, {}, [&](std::size_t row, const SparseRow& entries) {
    const double u = 2 * cost * task.row_weight(row);
    at.scores(entries, f.data());
    for (std::size_t l = 0; l < count; ++l) factors[l] = u * task.half_pull(row, first + l, 0);
    pull_at_zero.add(entries, factors.data());
    for (std::size_t l = 0; l < count; ++l) factors[l] = u * task.half_pull(row, first + l, f[l]);
    pull.add(entries, factors.data());
  });
  pull.settle();
  pull_at_zero.settle();
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
