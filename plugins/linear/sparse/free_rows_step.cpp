// SPDX-License-Identifier: MIT
#include "sparse/free_rows_step.hpp"

#include <algorithm>
#include <numeric>

namespace semblance::linear {
namespace {

using Weights = LaneWeights;

constexpr std::size_t most_products = 100;
/// Conjugate gradients end when their residual is this share of the first, or, by columns, when it
/// matters no more than these shares.
constexpr double residual_share = 0.01;
constexpr double gain_share = 0.3, gap_share = 0.01;

/// Solves (I + X^T E^-1 X) change = residual. `gain`: an upper bound of what the exact step adds to
/// the dual objective, without its damped part. Half of the squared residual bounds what an
/// approximate solution lacks of it.
bool solve_by_columns(const FreeRows& free, const Weights& diagonal, double gain, double gap,
                      SparseProducts& products, Weights& residual, Weights& change) {
  Weights direction = products.zero(), product = direction;
  double size = squared_norm(residual), rho = 0;
  for (std::size_t i = 0; i < most_products; ++i) {
    if (size / 2 <= std::min(gain_share * gain, gap_share * gap)) break;
    double next = 0;
    for (std::size_t j = 0; j < residual.columns(); ++j)
      next += residual.of(j)[0] * residual.of(j)[0] / diagonal.of(j)[0];
    for (std::size_t j = 0; j < residual.columns(); ++j) {
      double& d = direction.of(j)[0];
      d = residual.of(j)[0] / diagonal.of(j)[0] + (i == 0 ? 0 : next / rho * d);
    }
    rho = next;
    product.fill(0);
    if (!products.add_gram_product(free.rows, free.inverses, direction, product)) return false;
    for (std::size_t j = 0; j < product.columns(); ++j) product.of(j)[0] += direction.of(j)[0];
    double curvature = 0;
    for (std::size_t j = 0; j < residual.columns(); ++j)
      curvature += direction.of(j)[0] * product.of(j)[0];
    const double length = rho / curvature;
    gain -= length * rho / 2;
    for (std::size_t j = 0; j < residual.columns(); ++j) {
      change.of(j)[0] += length * direction.of(j)[0];
      residual.of(j)[0] -= length * product.of(j)[0];
    }
    size = squared_norm(residual);
  }
  return true;
}

double squared_length(const std::vector<double>& v) {
  return std::inner_product(v.begin(), v.end(), v.begin(), 0.0);
}

}  // namespace

/// u = sum_k y_k step_k x_k is the solution of (I + X^T E^-1 X) u = X^T y E^-1 slopes, and
/// step = E^-1 (slopes - y X u). The diagonal of this matrix is a good preconditioner where some
/// columns have most of the values.
bool newton_step_by_columns(const FreeRows& free, double gap, SparseProducts& products,
                            std::vector<double>& step) {
  const std::size_t n = free.rows.size();
  std::vector<double> factors(n), scores;
  double gain = 0;
  for (std::size_t k = 0; k < n; ++k) {
    factors[k] = free.signs[k] * free.slopes[k] * free.inverses[k];
    gain += free.slopes[k] * free.slopes[k] * free.inverses[k] / 2;
  }
  Weights residual = products.zero(), change = residual, diagonal = residual;
  diagonal.fill(1);
  if (!products.add_rows(free.rows, factors, residual) ||
      !products.add_gram_diagonal(free.rows, free.inverses, diagonal) ||
      !solve_by_columns(free, diagonal, gain, gap, products, residual, change) ||
      !products.multiply(free.rows, change, scores))
    return false;
  step.resize(n);
  for (std::size_t k = 0; k < n; ++k)
    step[k] = (free.slopes[k] - free.signs[k] * scores[k]) * free.inverses[k];
  return true;
}

/// `sums` is sum_k y_k direction_k x_k.
bool newton_step_by_rows(const FreeRows& free, SparseProducts& products,
                         std::vector<double>& step) {
  const std::size_t n = free.rows.size();
  std::vector<double> residual = free.slopes, direction(n), signed_residual(n), scores;
  step.assign(n, 0.0);
  Weights sums = products.zero();
  const double start = squared_length(residual);
  double size = start;  // the squared residual
  double share = 0;     // that the last direction keeps in the next
  for (std::size_t i = 0; i < most_products && size > residual_share * residual_share * start;
       ++i) {
    for (std::size_t k = 0; k < n; ++k) {
      direction[k] = residual[k] + share * direction[k];
      signed_residual[k] = free.signs[k] * residual[k];
    }
    for (std::size_t j = 0; j < sums.columns(); ++j) sums.of(j)[0] *= share;
    if (!products.add_rows(free.rows, signed_residual, sums) ||
        !products.multiply(free.rows, sums, scores))
      return false;
    double curvature = squared_norm(sums);
    for (std::size_t k = 0; k < n; ++k) curvature += direction[k] * direction[k] / free.inverses[k];
    const double length = size / curvature;
    for (std::size_t k = 0; k < n; ++k) {
      step[k] += length * direction[k];
      residual[k] -= length * (free.signs[k] * scores[k] + direction[k] / free.inverses[k]);
    }
    const double next = squared_length(residual);
    share = next / size;
    size = next;
  }
  return true;
}

}  // namespace semblance::linear
