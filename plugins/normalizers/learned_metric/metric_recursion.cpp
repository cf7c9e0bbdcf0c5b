// SPDX-License-Identifier: MIT
#include "learned_metric/metric_recursion.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "semblance/random.hpp"
#include "semblance_numerics/symmetric_eigen.hpp"

namespace semblance::normalizers {

namespace {

/// Tried from the second largest on, in the direction in which the error falls.
constexpr std::array widths = {0.1, 0.3, 1.0, 3.0};

/// The symmetric root of a metric, scaled so that its largest diagonal value is 1; empty if the
/// metric is 0 or not finite.
std::vector<double> root_of(std::vector<double> metric, std::size_t d, bool full) {
  double largest = 0;
  for (std::size_t c = 0; c < d; ++c) largest = std::max(largest, metric[full ? c * d + c : c]);
  if (!(largest > 0) || !std::isfinite(largest)) return {};
  for (double& value : metric) value /= largest;
  if (!full) {
    for (double& value : metric) value = std::sqrt(value);
    return metric;
  }
  const auto eigen = numerics::symmetric_eigen(std::move(metric), d);
  std::vector<double> root(d * d);
  for (std::size_t e = 0; e < d; ++e) {
    if (eigen.values[e] <= 0) continue;
    const double* v = &eigen.vectors[e * d];
    for (std::size_t i = 0; i < d; ++i)
      for (std::size_t j = 0; j < d; ++j)
        root[i * d + j] += std::sqrt(eigen.values[e]) * v[i] * v[j];
  }
  return root;
}

std::vector<double> diagonal_of(const std::vector<double>& matrix, std::size_t d) {
  std::vector<double> diagonal(d);
  for (std::size_t c = 0; c < d; ++c) diagonal[c] = matrix[c * d + c];
  return diagonal;
}

}  // namespace

MetricData rows_of(const MetricData& data, std::span<const std::size_t> rows) {
  MetricData some{rows.size(), data.cols, data.outputs, {}, {}};
  for (const std::size_t row : rows) {
    some.x.insert(some.x.end(), &data.x[row * data.cols], &data.x[(row + 1) * data.cols]);
    some.y.insert(some.y.end(), &data.y[row * data.outputs], &data.y[(row + 1) * data.outputs]);
  }
  return some;
}

MetricRecursion::MetricRecursion(const MetricData& data, std::vector<std::size_t> rows,
                                 const MetricSearch& search, Context& context)
    : search_(search), context_(context) {
  Random random = context.random();
  random.shuffle(std::span(rows));
  data_ = rows_of(data, rows);
}

void MetricRecursion::first() {
  root_.assign(data_.cols, 1.0);
  machine_.reset();
  std::size_t w = widths.size() - 2;
  try_width(widths[w]);
  bool narrower = false;
  while (w > 0 && try_width(widths[--w])) narrower = true;
  if (!narrower) try_width(widths.back());
}

const MetricRecursion::Step& MetricRecursion::step() {
  if (step_.gradients.empty())
    step_ = {machine_->gradient_products(search_.full, context_), machine_->penalty()};
  return step_;
}

bool MetricRecursion::next(const Step& step, bool full) {
  std::vector<double> metric = step.gradients;
  if (!full && metric.size() > data_.cols) metric = diagonal_of(metric, data_.cols);
  PenaltySearch penalty = step.penalty;
  penalty.both_ways = false;
  std::vector<double> root = root_of(std::move(metric), data_.cols, full);
  machine_.reset();
  if (root.empty()) return false;
  root_ = std::move(root);
  step_.gradients.clear();
  machine_.emplace(data_, search_.bases, root_, search_.profile, width_, penalty, context_);
  return true;
}

/// Keeps the machine if it is better.
bool MetricRecursion::try_width(double width) {
  KernelMachine machine(data_, search_.bases, root_, search_.profile, width,
                        machine_ ? machine_->penalty() : PenaltySearch(), context_);
  if (machine_ && mean_of(machine.errors()) >= mean_of(machine_->errors())) return false;
  width_ = width;
  machine_.emplace(std::move(machine));
  return true;
}

}  // namespace semblance::normalizers
