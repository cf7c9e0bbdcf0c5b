// SPDX-License-Identifier: MIT
#include "ridge/dual_ridge.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "semblance/error.hpp"
#include "semblance_numerics/blas.hpp"

namespace semblance::linear {
namespace {

constexpr std::size_t columns_at_once = 512;

}  // namespace

DualRidge::DualRidge(const RidgeData& data, Context& context) : data_(data), unit_(data.rows()) {
  const std::size_t n = data.rows();
  check_ridge_memory(n, 2 * square_bytes(n) + row_products_bytes(n), "rows", data, context);
  if (data.has_intercept()) {
    for (std::size_t i = 0; i < n; ++i)
      unit_[i] = std::sqrt(data.used()[i].weight / data.total_weight());
    for (const double squared : data.squared_norms()) extra_ += squared / static_cast<double>(n);
  }
  gram_ = row_products<double>(
      n, data.cols(),
      [&](std::size_t first, std::size_t count, std::size_t column, std::size_t width, double* to,
          std::size_t stride) { data.fill(first, count, column, width, to, stride); },
      context);
  if (gram_.count() == 0) throw Cancelled();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) gram_.row(i)[j] += extra_ * unit_[i] * unit_[j];
}

numerics::DefiniteFactor DualRidge::factor(double penalty, Context& context) {
  if (!triangle_)
    if (auto found = sound_factor(gram_, penalty, context)) return *std::move(found);
  return factor_of_triangle(penalty, context);
}

numerics::DefiniteFactor DualRidge::factor_of_triangle(double penalty, Context& context) {
  const std::size_t n = data_.rows();
  if (!triangle_) {
    check_ridge_memory(n, 2 * square_bytes(n) + 2 * numerics::RowTriangle::bytes(n),
                       "rows, which are nearly dependent,", data_, context);
    triangle_.emplace(n);
    Vectors<double> chunk(n, std::min(columns_at_once, data_.cols()));
    for (std::size_t column = 0; column < data_.cols(); column += chunk.cols()) {
      context.check_stop();
      const std::size_t count = std::min(chunk.cols(), data_.cols() - column);
      data_.fill(0, n, column, count, chunk.row(0), chunk.stride());
      for (std::size_t j = 0; j < count; ++j) {
        for (std::size_t i = 0; i < n; ++i) triangle_->next()[i] = chunk.row(i)[j];
        triangle_->done();
      }
    }
    for (std::size_t i = 0; i < n; ++i) triangle_->next()[i] = std::sqrt(extra_) * unit_[i];
    triangle_->done();
    triangle_->reduce();
  }
  auto found = numerics::DefiniteFactor::of_triangle(
      triangle_->with_diagonal(std::sqrt(penalty), n).upper(), n);
  if (!found) throw_dependent(penalty);
  return *std::move(found);
}

/// Whether products of columns are affordable beside those of rows.
bool DualRidge::few_columns() const noexcept {
  constexpr std::size_t most_columns = 1024;
  return data_.cols() <= most_columns;
}

RidgeFit DualRidge::fit(double penalty, Context& context) {
  RidgeFit fit = fit_rows(penalty, context);
  if (fit.violation <= ridge_tolerance || !few_columns() || data_.rows() < 2) return fit;
  if (!primal_) primal_.emplace(data_, context);
  RidgeFit other = primal_->fit(penalty, context);
  return other.violation < fit.violation ? std::move(other) : std::move(fit);
}

/// F (Z Z^T + m u u^T) for factors F (outputs x rows).
Vectors<double> DualRidge::times_gram(const Vectors<double>& factors) const {
  namespace blas = numerics::blas;
  Vectors<double> products(factors.count(), factors.cols());
  cblas_dsymm(CblasRowMajor, CblasRight, CblasLower, blas::narrow(factors.count()),
              blas::narrow(factors.cols()), 1, gram_.row(0), blas::narrow(gram_.stride()),
              factors.row(0), blas::narrow(factors.stride()), 0, products.row(0),
              blas::narrow(products.stride()));
  return products;
}

/// All norms follow from the products of rows: |C Z|^2 is the sum of C Z Z^T * C.
RidgeFit DualRidge::trial(double penalty, Context& context) {
  const std::size_t n = data_.rows(), m = data_.outputs();
  if (few_columns() || n < 2) return fit(penalty, context);
  RidgeFit fit;
  fit.penalty = penalty;
  const numerics::DefiniteFactor factor = this->factor(penalty, context);
  context.check_stop();
  fit.coefficients = Vectors<double>(m, n);
  for (std::size_t k = 0; k < m; ++k)
    std::copy_n(data_.targets().row(k), n, fit.coefficients.row(k));
  factor.solve(fit.coefficients);
  const std::vector<double> diagonal = factor.inverse_diagonal(context);
  const Vectors<double> estimates = times_gram(fit.coefficients);
  Vectors<double> gradient(m, n);  // divided by -2 Z
  double initial = 0, squares = 0;
  for (std::size_t k = 0; k < m; ++k) {
    fit.squared_norm += dot(fit.coefficients.row(k), estimates.row(k), n);
    initial += dot(data_.products().row(k), data_.products().row(k), data_.cols());
    for (std::size_t i = 0; i < n; ++i) {
      const double residual = data_.targets().row(k)[i] - estimates.row(k)[i];
      fit.objective += residual * residual;
      gradient.row(k)[i] = residual - penalty * fit.coefficients.row(k)[i];
    }
  }
  fit.objective += penalty * fit.squared_norm;
  const Vectors<double> products = times_gram(gradient);
  for (std::size_t k = 0; k < m; ++k) squares += dot(gradient.row(k), products.row(k), n);
  fit.gradient_norm = squares > 0 ? std::sqrt(squares) / gradient_scale(data_, initial) : 0;
  leave_out(diagonal, fit.coefficients, fit);
  return fit;
}

void DualRidge::add_weights(RidgeFit& trial, Context& context) const {
  if (trial.weights.count() > 0) return;
  trial.weights = data_.combine_rows(trial.coefficients, context);
  evaluate(data_, data_.residuals(trial.weights, context), trial, context);
}

/// C, improved while that at least halves the violation.
RidgeFit DualRidge::fit_rows(double penalty, Context& context) {
  const std::size_t n = data_.rows(), m = data_.outputs();
  const numerics::DefiniteFactor factor = this->factor(penalty, context);
  RidgeFit best;
  Vectors<double> coefficients(m, n), step(m, n), best_coefficients;
  for (std::size_t k = 0; k < m; ++k) std::copy_n(data_.targets().row(k), n, step.row(k));
  for (std::size_t pass = 0; pass <= most_refinements; ++pass) {
    factor.solve(step);
    for (std::size_t k = 0; k < m; ++k)
      for (std::size_t i = 0; i < n; ++i) coefficients.row(k)[i] += step.row(k)[i];
    RidgeFit fit;
    fit.penalty = penalty;
    fit.weights = data_.combine_rows(coefficients, context);
    step = data_.residuals(fit.weights, context);
    evaluate(data_, step, fit, context);
    for (std::size_t k = 0; k < m; ++k)
      for (std::size_t i = 0; i < n; ++i) step.row(k)[i] -= penalty * coefficients.row(k)[i];
    const bool halved = pass == 0 || fit.violation <= best.violation / 2;
    if (pass == 0 || fit.violation < best.violation) {
      best = std::move(fit);
      best_coefficients = Vectors<double>(m, n);
      for (std::size_t k = 0; k < m; ++k)
        std::copy_n(coefficients.row(k), n, best_coefficients.row(k));
    }
    if (!halved || best.violation == 0) break;
  }
  if (n > 1) leave_out(factor.inverse_diagonal(context), best_coefficients, best);
  return best;
}

/// The error without a sample is c / (sqrt(w) D), where D is the diagonal of the inverse of Z Z^T +
/// penalty I without the part along u.
void DualRidge::leave_out(std::span<const double> diagonal, const Vectors<double>& coefficients,
                          RidgeFit& fit) const {
  const std::size_t n = data_.rows(), m = data_.outputs();
  fit.left_out.assign(n * m, 0);
  for (std::size_t i = 0; i < n; ++i) {
    const double mean = data_.has_intercept() ? unit_[i] * unit_[i] / (fit.penalty + extra_) : 0;
    double others = diagonal[i] - mean;
    if (others < least_known_share * diagonal[i]) {
      others = least_known_share * diagonal[i];
      ++fit.unknown;
    }
    for (std::size_t k = 0; k < m; ++k)
      fit.left_out[i * m + k] = coefficients.row(k)[i] / std::sqrt(data_.used()[i].weight) / others;
  }
}

}  // namespace semblance::linear
