// SPDX-License-Identifier: MIT
#include "newton/conjugate_gradients.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "problem/dot.hpp"

namespace semblance::linear {
namespace {

constexpr std::size_t most_iterations = 100;

}  // namespace

ConjugateGradients::ConjugateGradients(SquaredHinge& problem,
                                       const SharedPreconditioner& preconditioner)
    : problem_(problem),
      preconditioner_(preconditioner),
      states_(problem.problems()),
      results_(problem.problems()),
      products_(problem.problems()) {}

bool ConjugateGradients::solve(const Vectors<double>& gradient, SquaredHinge::Live live,
                               const std::vector<CgTarget>& targets, Vectors<double>& steps) {
  const std::size_t d = problem_.dimension();
  // Allocated only when needed: a problem may be solved without a step.
  for (Vectors<double>* vectors : {&residual_, &direction_, &product_})
    if (vectors->count() == 0) *vectors = Vectors<double>(problem_.problems(), d);
  for (const std::size_t c : live) {
    std::transform(gradient.row(c), gradient.row(c) + d, residual_.row(c),
                   [](double x) { return -x; });
    std::fill_n(steps.row(c), d, 0.0);
  }
  preconditioner_.apply(residual_, live, direction_);
  std::vector<std::size_t> open;
  for (const std::size_t c : live) {
    const double rho = dot(residual_.row(c), direction_.row(c), d);
    states_[c] = {rho, rho, 0, 0, rho, false};
    if (rho > 0) open.push_back(c);
  }
  for (std::size_t i = 0; i < most_iterations && !open.empty(); ++i) {
    if (!problem_.hessian_product(direction_, open, product_)) return false;
    ++sweeps_;
    problem_.context().parallel_for(open.size(), [&](std::size_t k) {
      advance(open[k], targets[open[k]], steps.row(open[k]));
    });
    preconditioner_.apply(residual_, open, product_);
    std::vector<char> done(open.size());
    problem_.context().parallel_for(
        open.size(), [&](std::size_t k) { done[k] = turn(open[k], targets[open[k]]) ? 1 : 0; });
    std::size_t at = 0;
    std::erase_if(open, [&](std::size_t) { return done[at++] != 0; });
  }
  for (const std::size_t c : live) results_[c] = {std::sqrt(states_[c].ss), states_[c].finished};
  return true;
}

void ConjugateGradients::note(Notes& notes) const {
  notes.integer("sweeps", sweeps_);
  notes.indices("products", products_);
}

void ConjugateGradients::go_on(const NotesReader& kept) {
  sweeps_ = kept.integer("sweeps");
  std::vector<std::size_t> products =
      kept.indices("products", std::numeric_limits<std::size_t>::max());
  if (products.size() != products_.size()) throw Error("other problems");
  products_ = std::move(products);
}

/// Moves along the direction, at most to the radius.
void ConjugateGradients::advance(std::size_t problem, const CgTarget& target, double* step) {
  State& s = states_[problem];
  const std::size_t d = problem_.dimension();
  const double *p = direction_.row(problem), *hp = product_.row(problem);
  ++products_[problem];
  double alpha = s.rho / dot(p, hp, d);
  const double reach = target.radius * target.radius;
  if (s.ss + 2 * alpha * s.sp + alpha * alpha * s.pp >= reach) {
    alpha = (std::sqrt(s.sp * s.sp + s.pp * (reach - s.ss)) - s.sp) / s.pp;
    s.finished = true;
  }
  s.ss += 2 * alpha * s.sp + alpha * alpha * s.pp;
  double* residual = residual_.row(problem);
  for (std::size_t j = 0; j < d; ++j) {
    step[j] += alpha * p[j];
    residual[j] -= alpha * hp[j];
  }
  s.sp += alpha * s.pp;
}

/// Computes the next direction from M^-1 r in product_. True if the problem is done.
bool ConjugateGradients::turn(std::size_t problem, const CgTarget& target) {
  State& s = states_[problem];
  const std::size_t d = problem_.dimension();
  const double *r = residual_.row(problem), *z = product_.row(problem);
  const double rho = dot(r, z, d), beta = rho / s.rho;
  s.rho = rho;
  s.sp *= beta;
  s.pp = rho + beta * beta * s.pp;
  double* p = direction_.row(problem);
  for (std::size_t j = 0; j < d; ++j) p[j] = z[j] + beta * p[j];
  if (s.finished || !(rho > 0)) return true;
  const bool reduced = rho <= target.reduction * target.reduction * s.start;
  return reduced && (target.residual == 0 || dot(r, r, d) <= target.residual * target.residual);
}

}  // namespace semblance::linear
