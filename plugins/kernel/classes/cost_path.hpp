// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "classes/machine_training.hpp"

namespace semblance::kernel {

/// What the trainings for several costs use.
struct PathSetting {
  const MachineTask& task;
  std::span<const double> weights;  ///< of each training sample, for its C; empty: 1
  DualSetting dual;

  /// C of each sorted sample.
  std::vector<double> costs(double cost) const;
};

/// Solves all problems for each cost of the task, which sets the problems' costs, and passes the
/// solutions on. Each cost but the first starts from the solutions for the one before. With several
/// costs, solutions have their gradients, which are of no use after `take`. Throws Error if the
/// solutions of many problems do not fit into the memory.
void solve_path(const PathSetting& path, ClassProblems& problems,
                const std::function<void(std::size_t cost, const Solutions&)>& take);

/// The starting points of problems whose costs all have grown by the same factor: the solutions for
/// the smaller costs, each times the factor in [0, `growth`] that is best for it. Any such point is
/// feasible, and the gradient of a multiple is known from that of the solution. Empty if a problem
/// has no solution with its gradients.
InitialStates states_for_larger_costs(const ClassProblems& problems, const Solutions& solutions,
                                      double growth);

/// A solution times a factor, as far as the costs of its variables allow, with its gradients.
void scale(const ClassProblems& problems, std::size_t problem, double factor,
           numerics::DualSolution& solution);

/// The state at a solution with its gradients.
numerics::DualState state_at(numerics::DualSolution solution);

/// The decision values of all problems, samples x problems, at training samples at some places,
/// which are held out: their costs are 0. `solutions` have gradients. Where all samples of a side
/// of a problem are held out, the value is the other side's, 1 or -1.
std::vector<double> held_out_values(const DualSetting& setting, const ClassProblems& problems,
                                    const Solutions& solutions,
                                    std::span<const std::uint32_t> places);

/// Whether each sample at these places is misclassified, by the problems' decision values.
std::vector<char> misclassified(const ClassProblems& problems,
                                std::span<const std::uint32_t> places,
                                std::span<const double> values);

/// Whether a problem that separates something ended at the iteration limit.
bool hit_limit(const ClassProblems& problems, const Solutions& solutions);

}  // namespace semblance::kernel
