// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "expansion/machine_vectors.hpp"
#include "ridge/ridge_problem.hpp"
#include "semblance/samples.hpp"

namespace semblance::kernel {

/// Functions that the intervals of a fit of kernel ridge regression are made of.
struct IntervalFunctions {
  std::vector<double> biases = {};
  Terms terms = {};                 ///< by place
  std::vector<double> errors = {};  ///< of left_out_functions()
  std::vector<double> scales = {};  ///< of variance_functions()
};

/// What a fit was made of.
struct IntervalSetting {
  MatrixView kernel;                     ///< K of all samples
  const std::vector<std::size_t>& used;  ///< those with a weight
  const TrainingSet& training;
  bool intercept;
};

/// For each target, the fits to all samples but one, for each that is used; `errors` are those of
/// the samples left out, not negative. None for a single sample. Throws Error if the penalty is
/// below the rounding of K, Cancelled on a stop request.
IntervalFunctions left_out_functions(const KernelRidgeFit& fit, const IntervalSetting& setting,
                                     Context& context);

/// Functions g and, with an intercept, a last one h: the variance of the Gaussian process at x,
/// given the samples, is s^2 (k(x, x) - sum_i g_i(x)^2 + h(x)^2), where s are the `scales` of the
/// targets. Throws as above, and if there are too few samples.
IntervalFunctions variance_functions(const KernelRidgeFit& fit, const IntervalSetting& setting,
                                     Context& context);

/// The deviations of the targets from a fit of constants.
std::vector<double> constant_scales(const KernelRidgeFit& constant, const TrainingSet& training);

}  // namespace semblance::kernel
