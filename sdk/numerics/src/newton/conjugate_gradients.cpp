// SPDX-License-Identifier: MIT
#include "conjugate_gradients.hpp"

#include <algorithm>
#include <cmath>

namespace semblance::numerics {
namespace {

constexpr std::size_t most_products = 100;

}  // namespace

ConjugateGradients::ConjugateGradients(NewtonOperator& functions, SquaredLosses& losses,
                                       Context& context)
    : functions_(functions),
      losses_(losses),
      context_(context),
      d_(functions.dimension()),
      states_(losses.problems()),
      results_(losses.problems()),
      products_(losses.problems()),
      shifts_(losses.problems()) {}

bool ConjugateGradients::solve(const Vectors<double>& gradient, Live live,
                               const std::vector<Target>& targets, Vectors<double>& steps) {
  if (!functions_.prepare(losses_, live, sweeps_) || !begin(gradient, live, steps)) return false;
  std::vector<std::size_t> open;
  for (const std::size_t c : live)
    if (states_[c].rho > 0) open.push_back(c);
  for (std::size_t i = 0; i < most_products && !open.empty(); ++i) {
    if (!multiply(open)) return false;
    ++sweeps_;
    context_.parallel_for(open.size(), [&](std::size_t k) {
      advance(open[k], targets[open[k]], steps.row(open[k]));
    });
    functions_.precondition(residual_, open, product_);
    std::vector<char> done(open.size());
    context_.parallel_for(
        open.size(), [&](std::size_t k) { done[k] = turn(open[k], targets[open[k]]) ? 1 : 0; });
    std::size_t at = 0;
    std::erase_if(open, [&](std::size_t) { return done[at++] != 0; });
  }
  for (const std::size_t c : live) results_[c] = {std::sqrt(states_[c].ss), states_[c].finished};
  curvatures_ = {};
  return true;
}

bool ConjugateGradients::begin(const Vectors<double>& gradient, Live live, Vectors<double>& steps) {
  // Allocated only when needed: a problem may be solved without a step.
  for (Vectors<double>* vectors : {&residual_, &direction_, &product_})
    if (vectors->count() == 0) *vectors = Vectors<double>(losses_.problems(), d_);
  losses_.curvatures(live, curvatures_);
  if (losses_.data().intercept && !sum_curvatures(live)) return false;
  for (const std::size_t c : live) {
    std::transform(gradient.row(c), gradient.row(c) + d_, residual_.row(c),
                   [](double x) { return -x; });
    std::fill_n(steps.row(c), d_, 0.0);
  }
  functions_.precondition(residual_, live, direction_);
  for (const std::size_t c : live) {
    const double rho = dot(residual_.row(c), direction_.row(c), d_);
    states_[c] = {rho, rho, 0, 0, rho, false};
  }
  return context_.stop_requested() == StopReason::none;
}

/// The sums of A's rows by curvature, and of the curvatures.
bool ConjugateGradients::sum_curvatures(Live live) {
  const std::size_t n = losses_.problems();
  const std::vector<double> z(curvatures_.begin(), curvatures_.end());
  if (sums_.count() == 0) sums_ = Vectors<double>(n, d_);
  total_.assign(n, 0.0);
  sum_over_parts(context_, RowParts(losses_.data().samples), total_,
                 [&](std::size_t part, std::span<double> sum) {
                   const RowParts parts(losses_.data().samples);
                   const std::size_t first = losses_.own().first_row;
                   for (std::size_t i = parts.first_row(part); i < parts.first_row(part + 1); ++i)
                     for (const std::size_t c : live) sum[c] += z[(i - first) * n + c];
                 });
  return functions_.transpose(z, live, sums_);
}

/// product = H direction.
bool ConjugateGradients::multiply(Live open) {
  for (const std::size_t c : open) shifts_[c] = -intercept_step(c, direction_.row(c));
  if (!functions_.curve(direction_, open, curvatures_, shifts_, product_)) return false;
  for (const std::size_t c : open)
    for (std::size_t j = 0; j < d_; ++j) product_.row(c)[j] += direction_.row(c)[j];
  return true;
}

/// Moves along the direction, at most to the radius.
void ConjugateGradients::advance(std::size_t problem, const Target& target, double* step) {
  State& s = states_[problem];
  const double *p = direction_.row(problem), *hp = product_.row(problem);
  ++products_[problem];
  double alpha = s.rho / dot(p, hp, d_);
  const double reach = target.radius * target.radius;
  if (s.ss + 2 * alpha * s.sp + alpha * alpha * s.pp >= reach) {
    alpha = (std::sqrt(s.sp * s.sp + s.pp * (reach - s.ss)) - s.sp) / s.pp;
    s.finished = true;
  }
  s.ss += 2 * alpha * s.sp + alpha * alpha * s.pp;
  double* residual = residual_.row(problem);
  for (std::size_t j = 0; j < d_; ++j) {
    step[j] += alpha * p[j];
    residual[j] -= alpha * hp[j];
  }
  s.sp += alpha * s.pp;
}

/// Computes the next direction from M^-1 r in product_. True if the problem is done.
bool ConjugateGradients::turn(std::size_t problem, const Target& target) {
  State& s = states_[problem];
  const double *r = residual_.row(problem), *z = product_.row(problem);
  const double rho = dot(r, z, d_), beta = rho / s.rho;
  s.rho = rho;
  s.sp *= beta;
  s.pp = rho + beta * beta * s.pp;
  double* p = direction_.row(problem);
  for (std::size_t j = 0; j < d_; ++j) p[j] = z[j] + beta * p[j];
  if (s.finished || !(rho > 0)) return true;
  const bool reduced = rho <= target.reduction * target.reduction * s.start;
  return reduced && (target.residual == 0 || dot(r, r, d_) <= target.residual * target.residual);
}

double ConjugateGradients::intercept_step(std::size_t problem, const double* s) const {
  return total_.empty() || total_[problem] == 0 ? 0
                                                : -dot(sums_.row(problem), s, d_) / total_[problem];
}

}  // namespace semblance::numerics
