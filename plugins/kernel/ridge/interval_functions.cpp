// SPDX-License-Identifier: MIT
#include "ridge/interval_functions.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "semblance/error.hpp"

namespace semblance::kernel {
namespace {

/// The factor of A = K + penalty W^-1, u = A^-1 1, and its sum.
struct System {
  numerics::DefiniteFactor factor;
  Vectors<double> sums;
  double total = 0;
};

System system_of(const KernelRidgeFit& fit, const IntervalSetting& setting, Context& context) {
  const std::size_t n = setting.used.size();
  const std::span<const double> weights = setting.training.weights;
  double largest = 0;
  Vectors<double> matrix(n, n), ones(1, n);
  for (std::size_t i = 0; i < n; ++i) {
    const float* const from = setting.kernel.row(setting.used[i]);
    for (std::size_t j = 0; j <= i; ++j) matrix.row(i)[j] = double{from[setting.used[j]]};
    largest = std::max(largest, std::abs(matrix.row(i)[i]));
    matrix.row(i)[i] += fit.penalty / (weights.empty() ? 1 : weights[setting.used[i]]);
    ones.row(0)[i] = 1;
  }
  // Rounding moves the eigenvalues of K by about 1e-7 sqrt(n) of its diagonal.
  constexpr double sound = 1e-6;
  auto factor = fit.penalty < sound * std::sqrt(static_cast<double>(n)) * largest
                    ? std::nullopt
                    : numerics::DefiniteFactor::of_matrix(std::move(matrix), context);
  if (!factor)
    throw Error(
        "'penalty' is too small for intervals: similarities are float32, whose rounding is not "
        "small beside it; raise it, or give the columns similar scales");
  factor->solve(ones);
  const double total = std::accumulate(ones.row(0), ones.row(0) + n, 0.0);
  return {*std::move(factor), std::move(ones), total};
}

Vectors<double> identity(std::size_t n) {
  Vectors<double> rows(n, n);
  for (std::size_t i = 0; i < n; ++i) rows.row(i)[i] = 1;
  return rows;
}

}  // namespace

/// With M the inverse of [A 1; 1' 0] (without intercept, of A) and z = (a, b) the coefficients, the
/// fit without sample i has z - M e_i z_i / M_ii, and the error of i is a_i / M_ii.
IntervalFunctions left_out_functions(const KernelRidgeFit& fit, const IntervalSetting& setting,
                                     Context& context) {
  const std::size_t n = setting.used.size();
  IntervalFunctions made;
  if (n < 2) return made;
  const auto [factor, sums, total] = system_of(fit, setting, context);
  const double* const u = sums.row(0);
  Vectors<double> inverse = identity(n);
  factor.solve(inverse);
  context.check_stop();
  for (std::size_t i = 0; i < n && setting.intercept; ++i)
    for (std::size_t j = 0; j < n; ++j) inverse.row(i)[j] -= u[i] * u[j] / total;
  for (std::size_t k = 0; k < fit.coefficients.count(); ++k)
    for (std::size_t i = 0; i < n; ++i) {
      const double* const a = fit.coefficients.row(k);
      const double error = a[setting.used[i]] / inverse.row(i)[i];
      std::vector<Term>& terms = made.terms.emplace_back();
      for (std::size_t j = 0; j < n; ++j)
        if (j != i)
          terms.push_back({setting.used[j], a[setting.used[j]] - error * inverse.row(i)[j]});
      made.biases.push_back(fit.intercepts[k] - (setting.intercept ? error * u[i] / total : 0));
      made.errors.push_back(std::abs(error));
    }
  return made;
}

/// g = L^-1 k, where A = L L', and h = (u k - 1) / sqrt(u 1): the quadratic form of (k, 1) with M
/// is |g|^2 - h^2.
IntervalFunctions variance_functions(const KernelRidgeFit& fit, const IntervalSetting& setting,
                                     Context& context) {
  const std::size_t n = setting.used.size(), m = fit.coefficients.count();
  IntervalFunctions made;
  double free = setting.intercept ? -1 : 0;  // a weight is a number of copies
  for (const std::size_t i : setting.used)
    free += setting.training.weights.empty() ? 1 : setting.training.weights[i];
  if (free <= 0)
    throw Error(
        "one sample, or weights whose sum is at most 1, give a Gaussian process no variance; give "
        "more rows");
  const auto [factor, sums, total] = system_of(fit, setting, context);
  Vectors<double> rows = identity(n);
  factor.solve_transposed(rows);
  context.check_stop();
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<Term>& terms = made.terms.emplace_back();
    for (std::size_t j = 0; j <= i; ++j) terms.push_back({setting.used[j], rows.row(i)[j]});
    made.biases.push_back(0);
  }
  if (setting.intercept) {
    std::vector<Term>& terms = made.terms.emplace_back();
    for (std::size_t j = 0; j < n; ++j)
      terms.push_back({setting.used[j], sums.row(0)[j] / std::sqrt(total)});
    made.biases.push_back(-1 / std::sqrt(total));
  }
  for (std::size_t k = 0; k < m; ++k) {
    double sum = 0;  // a y, for coefficients a that sum to 0 where there is an intercept
    for (const std::size_t i : setting.used)
      sum += fit.coefficients.row(k)[i] * (setting.training.targets[i * m + k] - fit.intercepts[k]);
    made.scales.push_back(std::sqrt(std::max(sum, 0.0) / free));
  }
  return made;
}

std::vector<double> constant_scales(const KernelRidgeFit& constant, const TrainingSet& training) {
  const std::size_t m = constant.intercepts.size(), n = training.rows.rows();
  std::vector<double> scales;
  for (std::size_t k = 0; k < m; ++k) {
    double squares = 0, total = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double weight = training.weights.empty() ? 1 : training.weights[i];
      squares += weight * std::pow(training.targets[i * m + k] - constant.intercepts[k], 2);
      total += weight;
    }
    scales.push_back(std::sqrt(squares / total));
  }
  return scales;
}

}  // namespace semblance::kernel
