// SPDX-License-Identifier: MIT
#pragma once

#include <libsvm/svm.h>

#include <cstdint>
#include <memory>
#include <span>

#include "library_output.hpp"
#include "semblance/samples.hpp"

namespace semblance::libraries {

struct DestroyModel {
  void operator()(svm_model* m) const { svm_free_and_destroy_model(&m); }
};
using ModelPointer = std::unique_ptr<svm_model, DestroyModel>;

/// Trains, one model at a time: the library's print function and random numbers are global. Throws
/// Error with the library's complaint about the settings.
ModelPointer run_library(const svm_problem& data, const svm_parameter& settings,
                         LibraryOutput& output);

/// Whether the library ended a problem by its own limit of steps (Solver::Solve()), which it
/// reports only on stderr. Problems are solved in the order of pairs of its labels.
bool reached_limit(const svm_model& model, std::span<const std::int32_t> labels,
                   const LibraryOutput& output);

/// The duality gap of all problems relative to the primal, by the decision values of all rows, in
/// double.
double duality_gap(const svm_model& model, const svm_problem& data, const svm_parameter& settings,
                   double dual);

/// The possible error of the gradients in the library's stopping rule: sums of coefficients times
/// kernel values, none of which is larger than the largest on the diagonal.
double rounding(const svm_model& model, const svm_parameter& settings, const Rows& rows);

}  // namespace semblance::libraries
