// SPDX-License-Identifier: MIT
#include "newton_steps.hpp"

#include <cblas.h>

#include <algorithm>
#include <atomic>
#include <string>

namespace semblance::solvers {

NewtonSteps::NewtonSteps(SquaredHinge& problem, PreconditionerKind kind, std::size_t memory,
                         Context& context)
    : problem_(problem),
      context_(context),
      memory_(memory),
      preconditioner_(problem, kind, memory, context),
      cg_(problem, preconditioner_),
      steps_(problem.problems(), problem.dimension()),
      hessians_(problem.problems()) {
  openblas_set_num_threads(1);  // the threads are the context's
}

bool NewtonSteps::solve(const Vectors<double>& gradient, SquaredHinge::Live live,
                        const std::vector<CgTarget>& targets) {
  change_to_exact(live);
  std::vector<std::size_t> exactly, iteratively;
  for (const std::size_t c : live) (exact(c) ? exactly : iteratively).push_back(c);
  if (!solve_exactly(gradient, exactly)) return false;
  if (iteratively.empty()) return true;
  return preconditioner_.prepare(iteratively) && cg_.solve(gradient, iteratively, targets, steps_);
}

void NewtonSteps::change_to_exact(SquaredHinge::Live live) {
  const auto d = static_cast<double>(problem_.dimension());
  const double product = 2 * static_cast<double>(problem_.data().rows.rows()) * d;
  for (const std::size_t c : live) {
    if (exact(c)) continue;
    const double spent = product * static_cast<double>(cg_.products(c));
    if (spent < ExactHessian::cost(0, d)) continue;
    const auto active = static_cast<double>(problem_.active_rows(c).size());
    if (spent < ExactHessian::cost(active, d) || !fits_another()) continue;
    hessians_[c].emplace(problem_.data().rows, problem_.data().cost, problem_.data().bias);
    context_.log(LogLevel::debug, "problem " + std::to_string(c) + " goes on with exact steps");
  }
}

bool NewtonSteps::fits_another() const {
  const std::size_t rows = problem_.data().rows.rows(), d = problem_.dimension();
  const auto count =
      static_cast<std::size_t>(1 + std::count_if(hessians_.begin(), hessians_.end(),
                                                 [](const auto& h) { return h.has_value(); }));
  return preconditioner_.kept_bytes() + count * ExactHessian::bytes(rows, d) +
             std::min(count, context_.threads()) * ExactHessian::scratch_bytes(d) <=
         memory_;
}

bool NewtonSteps::solve_exactly(const Vectors<double>& gradient, SquaredHinge::Live live) {
  std::atomic<bool> complete{true};
  context_.parallel_for(live.size(), [&](std::size_t i) {
    const std::size_t c = live[i];
    ExactHessian& hessian = *hessians_[c];
    if (!hessian.update(problem_.active_rows(c), context_) ||
        !hessian.solve(gradient.row(c), steps_.row(c), context_))
      complete = false;
  });
  return complete;
}

}  // namespace semblance::solvers
