// SPDX-License-Identifier: MIT
#include "inner_dual.hpp"

#include <algorithm>
#include <cmath>

#include "semblance/error.hpp"

namespace semblance::numerics {
namespace {

// Measured with sets of 4,096.
constexpr std::size_t inner_slots = 512;

}  // namespace

DualSolution solve_inner(const DualPoint& point, WorkingSet& set, std::span<const double> gradients,
                         const DualOptions& options, Context& context) {
  const std::size_t slots = set.slots();
  const Subproblem& values = set.subproblem();
  const MatrixSource source({values.kernel(0), slots, slots, values.stride()});
  RowCache rows(source, {0, slots}, {0, slots}, 0);
  DualProblem problem;
  problem.parts = {{0, slots}};
  problem.rows[0][0] = &rows;
  problem.labels.assign(slots, 1);
  problem.costs.assign(slots, 0);
  DualState state;
  state.values.assign(slots, 0);
  state.gradients.assign(slots, 0);
  for (std::size_t s = 0; s < slots; ++s) {
    const std::uint32_t i = set.variable(s);
    if (i == WorkingSet::empty) continue;
    problem.labels[s] = point.problem.labels[i];
    problem.costs[s] = point.problem.costs[i];
    state.values[s] = point.values[i];
    state.gradients[s] = gradients[s];
  }
  DualOptions inner;
  inner.tolerance = options.tolerance;
  inner.gap = HUGE_VAL;
  inner.most_steps = options.most_steps;
  inner.pairs_before_newton = options.pairs_before_newton;
  inner.working_set = inner_slots;
  state.working_set.assign(inner_slots, -1);
  state.rounds = 1;
  DualSolver solver(problem, inner, context);
  if (!solver.resume(state)) throw Error("internal error: a working set's state does not fit");
  solver.advance();
  return solver.take();
}

std::size_t inner_bytes(std::size_t slots) noexcept {
  const std::size_t entering = slots * (slots / 4) * sizeof(float);
  return slots > most_slots_at_once ? solve_bytes(slots, inner_slots) + entering : 0;
}

}  // namespace semblance::numerics
