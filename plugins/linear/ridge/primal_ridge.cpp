// SPDX-License-Identifier: MIT
#include "ridge/primal_ridge.hpp"

#include <algorithm>
#include <cmath>

#include "semblance/error.hpp"

namespace semblance::linear {
namespace {

/// Fits to all samples but one that a penalty may take.
constexpr std::size_t most_plain_fits = 16;

}  // namespace

PrimalRidge::PrimalRidge(const RidgeData& data, Context& context) : data_(data) {
  const std::size_t d = data.cols();
  check_ridge_memory(d, 2 * square_bytes(d), "columns", data, context);
  gram_ = Vectors<double>(d, d);
  if (!add_gram(data.all_rows(), data.used(), {0, {}, data.centre()}, gram_, context))
    throw Cancelled();
}

/// Sets the weights. The Cholesky factor of a matrix whose columns are nearly dependent, beside the
/// penalty, is lost in rounding; a factor of the rows themselves is not.
numerics::DefiniteFactor PrimalRidge::solve(RidgeFit& fit, Context& context) {
  auto factor = triangle_ ? std::nullopt : sound_factor(gram_, fit.penalty, context);
  if (!factor) return solve_by_triangle(fit, context);
  for (std::size_t k = 0; k < data_.outputs(); ++k)
    std::copy_n(data_.products().row(k), data_.cols(), fit.weights.row(k));
  factor->solve(fit.weights);
  return *std::move(factor);
}

numerics::DefiniteFactor PrimalRidge::solve_by_triangle(RidgeFit& fit, Context& context) {
  const std::size_t d = data_.cols(), m = data_.outputs();
  if (!triangle_) {
    check_ridge_memory(d, 2 * square_bytes(d) + 2 * numerics::RowTriangle::bytes(d + m),
                       "columns, which are nearly dependent,", data_, context);
    triangle_.emplace(d + m);
    for (std::size_t i = 0; i < data_.rows(); ++i) {
      if (i % block_rows == 0) context.check_stop();
      data_.fill(i, 1, 0, d, triangle_->next(), d);
      for (std::size_t k = 0; k < m; ++k) triangle_->next()[d + k] = data_.targets().row(k)[i];
      triangle_->done();
    }
    triangle_->reduce();
  }
  const numerics::RowTriangle all = triangle_->with_diagonal(std::sqrt(fit.penalty), d);
  auto factor = numerics::DefiniteFactor::of_triangle(all.upper(), d);
  if (!factor) throw_dependent(fit.penalty);
  for (std::size_t k = 0; k < m; ++k)
    for (std::size_t j = 0; j < d; ++j) fit.weights.row(k)[j] = all.upper().row(j)[d + k];
  factor->solve_transposed(fit.weights);
  return *std::move(factor);
}

/// Improves the weights while that at least halves the violation. Returns the residuals.
Vectors<double> PrimalRidge::refine(const numerics::DefiniteFactor& factor, RidgeFit& fit,
                                    Context& context) const {
  Vectors<double> residuals = data_.residuals(fit.weights, context);
  Vectors<double> step = evaluate(data_, residuals, fit, context);
  for (std::size_t pass = 0; pass < most_refinements && fit.violation > 0; ++pass) {
    factor.solve(step);
    RidgeFit next;
    next.penalty = fit.penalty;
    next.weights = Vectors<double>(data_.outputs(), data_.cols());
    for (std::size_t k = 0; k < data_.outputs(); ++k)
      for (std::size_t j = 0; j < data_.cols(); ++j)
        next.weights.row(k)[j] = fit.weights.row(k)[j] + step.row(k)[j];
    Vectors<double> left = data_.residuals(next.weights, context);
    step = evaluate(data_, left, next, context);
    const bool halved = next.violation <= fit.violation / 2;
    if (next.violation < fit.violation) {
      fit = std::move(next);
      residuals = std::move(left);
    }
    if (!halved) break;
  }
  return residuals;
}

RidgeFit PrimalRidge::fit(double penalty, Context& context) {
  RidgeFit fit;
  fit.penalty = penalty;
  fit.weights = Vectors<double>(data_.outputs(), data_.cols());
  const numerics::DefiniteFactor factor = solve(fit, context);
  const Vectors<double> residuals = refine(factor, fit, context);
  leave_out(factor, residuals, fit, context);
  return fit;
}

/// The error without a sample is its residual / (1 - h), where h is the derivative of its estimate
/// by its target: w z^T (Z^T Z + penalty I)^-1 z, and w over all weights for the mean.
void PrimalRidge::leave_out(const numerics::DefiniteFactor& factor,
                            const Vectors<double>& residuals, RidgeFit& fit,
                            Context& context) const {
  const std::size_t n = data_.rows(), m = data_.outputs();
  fit.left_out.assign(n * m, 0);
  std::vector<double> shares(n);
  context.parallel_for(block_count(n), [&](std::size_t block) {
    context.check_stop();
    const std::size_t first = block * block_rows, count = std::min(block_rows, n - first);
    Vectors<double> z(count, data_.cols());
    data_.fill(first, count, z);
    factor.quadratic_forms(z, std::span(shares).subspan(first, count));
    for (std::size_t i = first; i < first + count; ++i) {
      const double weight = data_.used()[i].weight;
      shares[i] = 1 - shares[i] - (data_.has_intercept() ? weight / data_.total_weight() : 0);
      for (std::size_t k = 0; k < m; ++k)
        fit.left_out[i * m + k] =
            residuals.row(k)[i] / std::sqrt(weight) / std::max(shares[i], least_known_share);
    }
  });
  std::size_t plain_fits = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (shares[i] >= least_known_share) continue;
    if (plain_fits++ < most_plain_fits)
      leave_out_plainly(i, fit, context);
    else
      ++fit.unknown;
  }
}

/// Fits all samples but one.
void PrimalRidge::leave_out_plainly(std::size_t row, RidgeFit& fit, Context& context) const {
  const auto& [place, weight] = data_.used()[row];
  std::vector<double> weights(data_.all_rows().rows());
  for (const WeightedRow& used : data_.used()) weights[used.row] = used.weight;
  weights[place] = 0;
  const RidgeData others(data_.all_rows(), data_.given_targets(), data_.outputs(), weights,
                         data_.has_intercept(), context);
  PrimalRidge without(others, context);
  RidgeFit other;
  other.penalty = fit.penalty;
  other.weights = Vectors<double>(data_.outputs(), data_.cols());
  without.refine(without.solve(other, context), other, context);
  const float* x = data_.all_rows().view(place, 1).data;
  for (std::size_t k = 0; k < data_.outputs(); ++k) {
    double estimate = others.target_means()[k];
    for (std::size_t j = 0; j < data_.cols(); ++j)
      estimate += other.weights.row(k)[j] * (double{x[j]} - others.centre()[j]);
    fit.left_out[row * data_.outputs() + k] =
        data_.given_targets()[place * data_.outputs() + k] - estimate;
  }
}

}  // namespace semblance::linear
