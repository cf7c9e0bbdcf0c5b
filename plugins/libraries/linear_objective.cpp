// SPDX-License-Identifier: MIT
#include "linear_objective.hpp"

#include <algorithm>
#include <cmath>

namespace semblance::libraries {
namespace {

struct LossValue {
  double value;
  double slope;  // with respect to the margin y f
};

LossValue loss_of(LinearLoss loss, double margin) {
  const double slack = std::max(0.0, 1 - margin);
  switch (loss) {
    case LinearLoss::squared_hinge:
      return {slack * slack, -2 * slack};
    case LinearLoss::logistic: {
      const double e = std::exp(-std::abs(margin));
      const double value = std::log1p(e) + std::max(0.0, -margin);
      return {value, margin >= 0 ? -e / (1 + e) : -1 / (1 + e)};
    }
    default:
      return {slack, slack > 0 ? -1.0 : 0.0};
  }
}

/// The norm of the (least) subgradient; `g` is the losses' gradient.
double subgradient_norm(std::span<const double> w, std::span<const double> g, bool l1) {
  double sum = 0;
  for (std::size_t j = 0; j < w.size(); ++j) {
    double s = w[j] + g[j];
    if (l1) s = w[j] != 0 ? g[j] + (w[j] > 0 ? 1 : -1) : std::max(0.0, std::abs(g[j]) - 1);
    sum += s * s;
  }
  return std::sqrt(sum);
}

double regularizer(std::span<const double> w, bool l1) {
  double sum = 0;
  for (const double x : w) sum += l1 ? std::abs(x) : x * x / 2;
  return sum;
}

/// max(0, 1 - w_y.x + max over the other classes): Crammer and Singer's loss.
double crammer_singer(std::span<const double> f, std::size_t label) {
  double rival = -1e300;
  for (std::size_t c = 0; c < f.size(); ++c)
    if (c != label) rival = std::max(rival, f[c]);
  return std::max(0.0, 1 - f[label] + rival);
}

/// Calls body(column, value) for each value of a row, or each entry of a sparse one.
template <class Body>
void for_each_value(MatrixView rows, std::size_t i, const Body& body) {
  const auto values = rows.row_span(i);
  if (rows.sparse()) {
    const auto columns = rows.columns_of(i);
    for (std::size_t k = 0; k < values.size(); ++k) body(columns[k], values[k]);
  } else {
    for (std::size_t k = 0; k < values.size(); ++k) body(k, values[k]);
  }
}

}  // namespace

double decision_value(MatrixView rows, std::size_t i, const double* w, double bias) {
  double sum = 0;
  for_each_value(rows, i, [&](std::size_t column, float x) { sum += w[column] * double{x}; });
  return bias != 0 ? sum + w[rows.cols] * bias : sum;
}

LinearObjective linear_objective(const Rows& rows, std::span<const std::int32_t> labels,
                                 const LinearMachine& machine, LinearLoss loss, bool l1,
                                 double cost, std::span<const double> weights) {
  const std::size_t n = machine.vectors, cols = rows.cols(), length = cols + 1;
  std::vector<double> gradient(n * length), start(n * length), f(n);
  const double slope_at_zero = loss_of(loss, 0).slope;
  double losses = 0;
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const MatrixView x = rows.view(i, 1);
    const std::size_t label = static_cast<std::size_t>(labels[i]);
    const double u = weights.empty() ? 1 : weights[i];
    for (std::size_t c = 0; c < n; ++c) {
      f[c] = decision_value(x, 0, machine.weights.data() + c * length, machine.bias);
      if (loss == LinearLoss::crammer_singer) continue;
      const double y = label == (n == 1 ? 1 : c) ? 1 : -1;
      const LossValue value = loss_of(loss, y * f[c]);
      losses += u * value.value;
      double *g = gradient.data() + c * length, *g0 = start.data() + c * length;
      const double factor = cost * u * y * value.slope, factor0 = cost * u * y * slope_at_zero;
      for_each_value(x, 0, [&](std::size_t j, float value) {
        g[j] += factor * value, g0[j] += factor0 * value;
      });
      g[cols] += factor * machine.bias, g0[cols] += factor0 * machine.bias;
    }
    if (loss == LinearLoss::crammer_singer) losses += u * crammer_singer(f, label);
    if ((i + 1) % block_rows == 0) rows.release(i + 1 - block_rows, block_rows);
  }
  LinearObjective result{cost * losses + regularizer(machine.weights, l1), 0};
  const std::vector<double> zero(length);
  for (std::size_t c = 0; c < n; ++c) {
    const std::span<const double> w = machine.weights.subspan(c * length, length);
    const double at_zero = subgradient_norm(zero, {start.data() + c * length, length}, l1);
    const double here = subgradient_norm(w, {gradient.data() + c * length, length}, l1);
    // NaN if a norm overflows, which std::max() would ignore.
    const double share = at_zero > 0 ? here / at_zero : 0;
    if (!(share <= result.gradient_norm)) result.gradient_norm = share;
    if (std::isnan(share)) break;
  }
  return result;
}

}  // namespace semblance::libraries
