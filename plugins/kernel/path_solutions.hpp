// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "class_problems.hpp"
#include "machine_training.hpp"
#include "sorted_samples.hpp"

namespace semblance::kernel {

using Solutions = std::vector<numerics::DualSolution>;

/// What the trainings for several costs use.
struct PathSetting {
  const MachineTask& task;
  const TrainingSet& training;
  const SortedSamples& rows;
  std::span<const double> weights;  ///< of each training sample, for its C; empty: 1
  std::size_t bytes;                ///< that a solution may use
  Context& context;
  /// Whether the gaps of solutions are those of kernel values in double, where that costs little
  /// (refine()): not of the many that choose C.
  bool certified = false;

  /// C of each sorted sample.
  std::vector<double> costs(double cost) const;
};

/// Solves all problems for each cost of the task, which sets the problems' costs, and passes the
/// solutions on. Each cost but the first starts from the solutions for the one before. With several
/// costs, solutions have their gradients, which are of no use after `take`.
void solve_path(const PathSetting& path, ClassProblems& problems,
                const std::function<void(std::size_t cost, const Solutions&)>& take);

/// Solves some problems of one of the costs again, from other starting points, for other costs of
/// some samples; `known` are the solutions of the others.
Solutions solve_again(const PathSetting& path, const ClassProblems& problems, InitialStates states,
                      Solutions known);

}  // namespace semblance::kernel
