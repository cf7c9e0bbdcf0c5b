// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "expansion/kernel_expansion.hpp"
#include "matrix/sorted_samples.hpp"
#include "semblance_numerics/dual_solver.hpp"

namespace semblance::kernel {

/// The kernel part of a trained machine, as check_rows() needs it.
struct CheckedMachine {
  const Similarity& kernel;                ///< whose bases are the vectors
  const std::vector<std::size_t>& places;  ///< of the vectors among the sorted rows
  /// Whether the machine's coefficients give the values of the training samples: not if the kernel
  /// matrix was repaired.
  bool optimal;
};

/// A training sample's violation of the optimality conditions.
struct RowViolation {
  double size = 0;    ///< the largest in any problem
  double excess = 0;  ///< the most by which it exceeds that reported by a converged problem
  double seen = 0;    ///< the violation reported by that problem
  /// The largest difference between a function's values by definition and as trained, in the unit
  /// of the tolerance.
  double apart = 0;

  /// Adds the violation in a problem whose solver reported `reported`.
  void add(double violation, double reported, bool converged) noexcept;
};

/// A sample's kernel values with all vectors.
struct KernelValues {
  std::vector<double> exact;    ///< by definition, if the kernel has one
  std::span<const float> fast;  ///< as the measure gives them

  /// The sum of the terms by definition; `row` learns how far the fast one is from it.
  double sum(const std::vector<Term>& terms, double unit, RowViolation& row) const;
};

/// The violation of the sample at a place, in a unit in which numerics::largest_excess is too much.
using RowJudge = std::function<RowViolation(std::size_t place, const KernelValues& values)>;

/// The result of checking a machine on a random subset of the training samples: kernel values by
/// their definition, in double, and decision values from these and the coefficients.
struct MachineCheck {
  /// The error of kernel values relative to the largest; nothing if the kernel does not compute
  /// them by definition.
  std::optional<double> error = {};
  /// The violation of the optimality conditions; nothing if the terms do not give the decision
  /// values.
  std::optional<double> violation = {};
  /// The largest RowViolation::apart: numerics::allow_error() adds to the gaps what errors as large
  /// in all samples may add.
  double apart = 0;
};

/// Checks a machine. Throws Error if rounding has lost kernel values, or if a converged problem
/// violates its optimality conditions by numerics::largest_excess more than in training.
/// `judge` is called from several threads.
MachineCheck check_rows(const CheckedMachine& machine, const SortedSamples& rows,
                        const RowJudge& judge, Context& context);

}  // namespace semblance::kernel
