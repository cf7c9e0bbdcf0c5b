// SPDX-License-Identifier: MIT
#include "ridge/ridge_problem.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>

#include "semblance/error.hpp"
#include "semblance/parameters.hpp"
#include "skinny_product.hpp"

namespace semblance::kernel {
namespace {

constexpr std::size_t rows_of_block = 64;
constexpr std::size_t most_ridge_passes = 6;
/// A smaller share of the inverse's diagonal that is not due to the intercept has fewer than seven
/// digits.
constexpr double least_known_share = 1e-9;

std::size_t blocks(std::size_t rows) { return (rows + rows_of_block - 1) / rows_of_block; }

}  // namespace

KernelRidgeProblem::KernelRidgeProblem(MatrixView kernel, std::span<const double> targets,
                                       std::size_t outputs, std::span<const double> weights,
                                       bool intercept, Product product, Context& context)
    : kernel_(kernel),
      outputs_(outputs),
      intercept_(intercept),
      product_(std::move(product)),
      roots_(kernel.rows),
      row_means_(kernel.rows),
      target_means_(outputs),
      targets_(outputs, kernel.rows) {
  const std::size_t n = rows();
  for (std::size_t i = 0; i < n; ++i) {
    const double weight = weights.empty() ? 1 : weights[i];
    roots_[i] = std::sqrt(weight);
    total_weight_ += weight;
    if (weight > 0) used_.push_back(i);
  }
  if (used_.empty()) throw Error("all weights are 0; give some training sample a weight above 0");
  const double* first = targets.data() + used_.front() * outputs;
  for (std::size_t k = 0; k < outputs && intercept; ++k) {
    double sum = 0;  // of differences, so that the mean of equal targets is exact
    for (const std::size_t i : used_)
      sum += roots_[i] * roots_[i] * (targets[i * outputs + k] - first[k]);
    target_means_[k] = first[k] + sum / total_weight_;
  }
  double squares = 0;
  for (std::size_t k = 0; k < outputs; ++k)
    for (const std::size_t i : used_) {
      const double y = targets[i * outputs + k] - target_means_[k];
      targets_.row(k)[i] = y;
      squares += roots_[i] * y * (roots_[i] * y);
    }
  target_norm_ = std::sqrt(squares);
  if (!intercept) return;
  context.parallel_for(blocks(n), [&](std::size_t block) {
    context.check_stop();
    for (std::size_t i = block * rows_of_block; i < std::min(n, (block + 1) * rows_of_block); ++i) {
      double sum = 0;
      for (const std::size_t j : used_) sum += roots_[j] * roots_[j] * double{kernel.row(i)[j]};
      row_means_[i] = sum / total_weight_;
    }
  });
  for (const std::size_t i : used_) mean_ += roots_[i] * roots_[i] * row_means_[i] / total_weight_;
  for (const std::size_t i : used_)
    extra_ += roots_[i] * roots_[i] * (double{kernel.row(i)[i]} - 2 * row_means_[i] + mean_);
  extra_ = std::max(extra_, 0.0) / static_cast<double>(n);
}

/// The factor of P S K S P + penalty I + extra u u^T, where u = s / |s|.
numerics::DefiniteFactor KernelRidgeProblem::factor(double penalty, Context& context) const {
  const std::size_t n = rows();
  Vectors<double> matrix(n, n);
  const double along = intercept_ ? extra_ / total_weight_ : 0;
  context.parallel_for(blocks(n), [&](std::size_t block) {
    context.check_stop();
    for (std::size_t i = block * rows_of_block; i < std::min(n, (block + 1) * rows_of_block); ++i) {
      const float* from = kernel_.row(i);
      double* to = matrix.row(i);
      for (std::size_t j = 0; j <= i; ++j)
        to[j] = roots_[i] * roots_[j] *
                (double{from[j]} - row_means_[i] - row_means_[j] + mean_ + along);
      to[i] += penalty;
    }
  });
  auto found = numerics::DefiniteFactor::of_matrix(std::move(matrix), context);
  if (!found)
    throw Error("the kernel's matrix with the penalty " + to_text(Value(penalty)) +
                " is not positive definite: similarities are float32, whose rounding makes small "
                "eigenvalues negative; raise the penalty");
  return *std::move(found);
}

/// K a, targets x rows.
Vectors<double> KernelRidgeProblem::values(const Vectors<double>& coefficients,
                                           Context& context) const {
  if (product_) return product_(coefficients);
  const std::size_t n = rows();
  Vectors<double> found(outputs_, n);
  context.parallel_for(blocks(n), [&](std::size_t block) {
    context.check_stop();
    const std::size_t first = block * rows_of_block, count = std::min(rows_of_block, n - first);
    const float* rows[rows_of_block];
    for (std::size_t r = 0; r < count; ++r) rows[r] = kernel_.row(first + r);
    std::vector<double> scratch(common::multiply_scratch(count, outputs_)), z(count * outputs_);
    common::multiply(common::TallBlock{rows, count, n}, coefficients.row(0), coefficients.stride(),
                     outputs_, scratch.data(), z.data());
    for (std::size_t r = 0; r < count; ++r)
      for (std::size_t k = 0; k < outputs_; ++k) found.row(k)[first + r] = z[r * outputs_ + k];
  });
  return found;
}

/// Sets all members of `fit` that follow from its penalty and from c; leaves `left_out` alone.
/// Returns S (y - f - b) - penalty c.
Vectors<double> KernelRidgeProblem::evaluate(const Vectors<double>& scaled, KernelRidgeFit& fit,
                                             Context& context) const {
  const std::size_t n = rows();
  fit.coefficients = Vectors<double>(outputs_, n);
  for (std::size_t k = 0; k < outputs_; ++k)
    for (const std::size_t i : used_) fit.coefficients.row(k)[i] = roots_[i] * scaled.row(k)[i];
  const Vectors<double> f = values(fit.coefficients, context);
  Vectors<double> left(outputs_, n);
  fit.intercepts = target_means_;
  fit.objective = fit.squared_norm = 0;
  double squares = 0;
  for (std::size_t k = 0; k < outputs_; ++k) {
    double sum = 0;
    for (const std::size_t i : used_)
      sum += roots_[i] * roots_[i] * (targets_.row(k)[i] - f.row(k)[i]);
    const double offset = intercept_ ? sum / total_weight_ : 0;
    fit.intercepts[k] += offset;
    for (const std::size_t i : used_) {
      const double error = roots_[i] * (targets_.row(k)[i] - f.row(k)[i] - offset);
      fit.objective += error * error;
      fit.squared_norm += fit.coefficients.row(k)[i] * f.row(k)[i];
      left.row(k)[i] = error - fit.penalty * scaled.row(k)[i];
      squares += left.row(k)[i] * left.row(k)[i];
    }
  }
  fit.objective += fit.penalty * fit.squared_norm;
  fit.gradient_norm = squares > 0 ? std::sqrt(squares) / target_norm_ : 0;
  return left;
}

KernelRidgeFit KernelRidgeProblem::constant_fit(double penalty) const {
  KernelRidgeFit fit;
  fit.penalty = penalty;
  fit.coefficients = Vectors<double>(outputs_, rows());
  fit.intercepts = target_means_;
  fit.objective = target_norm_ * target_norm_;
  fit.gradient_norm = target_norm_ > 0 ? 1 : 0;
  return fit;
}

/// Removes what rounding leaves of c along s, so that coefficients sum to 0.
void KernelRidgeProblem::balance(Vectors<double>& scaled) const {
  for (std::size_t k = 0; k < outputs_; ++k) {
    double along = 0;
    for (const std::size_t i : used_) along += roots_[i] * scaled.row(k)[i];
    for (const std::size_t i : used_) scaled.row(k)[i] -= along / total_weight_ * roots_[i];
  }
}

/// c, improved while that at least halves the gradient.
KernelRidgeFit KernelRidgeProblem::fit(double penalty, Context& context) const {
  const std::size_t n = rows();
  const numerics::DefiniteFactor factor = this->factor(penalty, context);
  KernelRidgeFit best;
  Vectors<double> scaled(outputs_, n), step(outputs_, n), best_scaled;
  for (std::size_t k = 0; k < outputs_; ++k)
    for (const std::size_t i : used_) step.row(k)[i] = roots_[i] * targets_.row(k)[i];
  for (std::size_t pass = 0; pass < most_ridge_passes; ++pass) {
    factor.solve(step);
    for (std::size_t k = 0; k < outputs_; ++k)
      for (const std::size_t i : used_) scaled.row(k)[i] += step.row(k)[i];
    if (intercept_) balance(scaled);
    KernelRidgeFit next;
    next.penalty = penalty;
    step = evaluate(scaled, next, context);
    const bool halved = pass == 0 || next.gradient_norm <= best.gradient_norm / 2;
    if (pass == 0 || next.gradient_norm < best.gradient_norm) {
      best = std::move(next);
      best_scaled = Vectors<double>(outputs_, n);
      for (std::size_t k = 0; k < outputs_; ++k) std::copy_n(scaled.row(k), n, best_scaled.row(k));
    }
    if (!halved || best.gradient_norm == 0) break;
  }
  if (used_.size() > 1 || !intercept_) leave_out(factor, best_scaled, best, context);
  best.surprise = surprise(factor, best);
  return best;
}

/// The factor's matrix has the eigenvalue penalty + extra of the intercept, and the penalty for
/// each sample without weight; a copy of a sample adds an eigenvalue penalty.
double KernelRidgeProblem::surprise(const numerics::DefiniteFactor& factor,
                                    const KernelRidgeFit& fit) const {
  const double free = total_weight_ - (intercept_ ? 1 : 0);
  const double copies = total_weight_ - static_cast<double>(rows());
  const double determinant = factor.log_determinant() + copies * std::log(fit.penalty) -
                             (intercept_ ? std::log(fit.penalty + extra_) : 0);
  double sum = 0;
  for (std::size_t k = 0; k < outputs_; ++k) {
    double squares = 0;
    for (const std::size_t i : used_) squares += fit.coefficients.row(k)[i] * targets_.row(k)[i];
    sum += std::log(2 * std::numbers::pi * std::numbers::e * squares / free) + determinant / free;
  }
  return sum / 2 / static_cast<double>(outputs_);
}

/// The error without a sample is c / (s D), where D is the diagonal of the inverse without the part
/// along s.
void KernelRidgeProblem::leave_out(const numerics::DefiniteFactor& factor,
                                   const Vectors<double>& scaled, KernelRidgeFit& fit,
                                   Context& context) const {
  const std::vector<double> diagonal = factor.inverse_diagonal(context);
  fit.left_out.reserve(used_.size() * outputs_);
  for (const std::size_t i : used_) {
    const double along =
        intercept_ ? roots_[i] * roots_[i] / total_weight_ / (fit.penalty + extra_) : 0;
    double others = diagonal[i] - along;
    if (others < least_known_share * diagonal[i]) {
      others = least_known_share * diagonal[i];
      ++fit.unknown;
    }
    for (std::size_t k = 0; k < outputs_; ++k)
      fit.left_out.push_back(scaled.row(k)[i] / roots_[i] / others);
  }
}

}  // namespace semblance::kernel
