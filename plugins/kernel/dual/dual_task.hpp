// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <span>
#include <vector>

#include "expansion/kernel_expansion.hpp"
#include "matrix/kernel_matrix.hpp"
#include "semblance_numerics/dual_solver.hpp"

namespace semblance::kernel {

using Solutions = std::vector<numerics::DualSolution>;

/// The dual problems of a training, on one matrix of kernel values between the sorted samples.
class DualTask {
 public:
  /// What the solver knows of a variable b between 0 and y C (numerics::DualProblem).
  struct Variable {
    int label;      ///< y
    double cost;    ///< C
    double linear;  ///< p
  };
  /// Factors that turn figures of a solution into those that are reported.
  struct Units {
    double function = 1;
    double offset = 0;  ///< added to the function
    double objective = 1;
    double squared_norm = 1;
  };

  virtual ~DualTask() = default;
  virtual std::size_t count() const noexcept = 0;
  /// The places of a problem's samples: one range or two, of which the second may be empty. Two
  /// equal ones give each sample two variables.
  virtual std::array<numerics::Range, 2> parts(std::size_t problem) const = 0;
  /// The variables are those of the first part, then those of the second.
  virtual Variable variable(std::size_t problem, std::size_t i) const = 0;
  /// numerics::DualProblem::start
  virtual std::vector<double> start(std::size_t /*problem*/) const { return {}; }
  /// Tolerance and violations of a problem are multiples of this.
  virtual double unit(std::size_t /*problem*/) const { return 1; }
  virtual Units units(std::size_t /*problem*/) const { return {}; }
  /// Whether it is the only problem of a classifier, which large working sets suit.
  virtual bool two_classes() const noexcept { return false; }

  std::size_t variables(std::size_t problem) const;
  std::size_t place(std::size_t problem, std::size_t i) const;
  /// Whether samples have two variables.
  bool mirrored(std::size_t problem) const;
  /// The problem without its kernel rows.
  numerics::DualProblem outline(std::size_t problem) const;
  /// The coefficients of places that have one.
  std::vector<Term> terms(std::size_t problem, const numerics::DualSolution& solution) const;
  /// The coefficients of all `places`, of some consecutive problems.
  std::vector<std::vector<double>> coefficients(std::size_t first,
                                                std::span<const numerics::DualSolution> solutions,
                                                std::size_t places) const;
};

/// What solves problems.
struct DualSetting {
  const KernelTask& kernel;
  const SortedSamples& samples;
  const numerics::KernelSource& source;  ///< of the matrix
  const numerics::DualOptions& options;  ///< the tolerance is one of DualTask::unit()
  std::size_t bytes;                     ///< that it may use
  Context& context;
  /// Whether the gaps of solutions are those of kernel values in double, where that costs little
  /// (refine()): not of the many that choose C.
  bool certified = true;
};

/// The starting points of some problems, by problem number.
using InitialStates = std::map<std::size_t, numerics::DualState>;

/// Solves all problems, several at a time, and refines the solutions (refine()). Problems share
/// cached kernel rows: pairs of classes those restricted to the columns of their own class, others
/// whole rows. Throws Error with the arithmetic if not even a few kernel rows fit, and the
/// exception of the first problem that fails. The bits depend neither on the memory nor on the
/// number of threads. With `known`, the solutions of all problems, solves only those with a state,
/// from there.
Solutions solve(const DualSetting& setting, const DualTask& task, const InitialStates& states = {},
                Solutions known = {});

/// The same without the refinement.
Solutions solve_as_float32(const DualSetting& setting, const DualTask& task,
                           const InitialStates& states = {}, Solutions known = {});

/// Refines solutions by gradients that are more exact than float32 kernel values allow: those of
/// linear functions are computed from their weights, about the samples' centre, and, if certified,
/// those of other kernels by their definition (Similarity::compare_plainly()), where that is a
/// small part of the training and the kernel matrix was not repaired. Problems that are not optimal
/// by these gradients are solved further, and the figures of all are those of these gradients, so
/// that their sensitivity is 0.
void refine(const DualSetting& setting, const DualTask& task, Solutions& solutions);

/// The number of bytes with which solve() is not short of memory.
std::size_t comfortable_bytes(const DualTask& task);

/// The bytes of each problem's solution.
std::size_t solution_bytes(const DualTask& task);

}  // namespace semblance::kernel
