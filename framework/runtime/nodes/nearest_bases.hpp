// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "runtime/session/run_data.hpp"
#include "semblance/evaluator.hpp"

namespace semblance {

/// For each of these maps, which are nodes before a solver, the `count` bases most similar to a
/// sample, in descending order; ties go to the first. The sample passes through the pipeline once
/// more. Empty where a model is applied to new data, which lack the bases' samples.
std::vector<NearBasis> nearest_bases(RunProgress& progress, RunData& data,
                                     const std::vector<std::size_t>& maps, std::size_t row,
                                     std::size_t count);

}  // namespace semblance
