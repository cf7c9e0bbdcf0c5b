// SPDX-License-Identifier: MIT
#pragma once

#include <linear.h>

#include <memory>

#include "library_output.hpp"
#include "semblance/solver.hpp"

namespace semblance::libraries {

struct DestroyLiblinearModel {
  void operator()(model* m) const { free_and_destroy_model(&m); }
};
using LiblinearModel = std::unique_ptr<model, DestroyLiblinearModel>;

/// Trains with the library. Its print function and random numbers are global: one training at a
/// time. Throws Error with the library's complaint about a parameter.
LiblinearModel run_liblinear(const problem& data, const parameter& settings, unsigned seed,
                             LibraryOutput& output);

/// Its dual solvers stop by violations. If less than half of the objective is proved then, this
/// proves nothing.
inline constexpr double largest_liblinear_gap = 0.5;

/// Iteration limit if the library has warned or made as many iterations as its limit.
Certificate liblinear_certificate(const LibraryOutput& output);

}  // namespace semblance::libraries
