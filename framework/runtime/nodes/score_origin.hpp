// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "runtime/session/run_data.hpp"
#include "semblance/evaluator.hpp"

namespace semblance {

/// The trained node before a node that scores; a calibrator may stand between it and the evaluator.
std::size_t trained_before(const Compilation& graph, std::size_t scoring);

/// The origin of the scores that an evaluator judges.
Lineage lineage_of(const RunProgress& progress, std::size_t evaluator);

/// The number of the first test sample in the source's data: new data that name no test samples are
/// tested completely.
std::size_t first_test_row(const Outline& outline);

/// Queries the maps before the solver; in the order of Lineage::maps.
std::function<std::vector<NearBasis>(std::size_t, std::size_t)> nearest_bases_of_tests(
    RunProgress& progress, RunData& data, std::size_t evaluator);

/// What an evaluator judges of these outputs of the node before it, without their lineage and what
/// lies behind them.
Results results_of(const RunProgress& progress, std::size_t evaluator, MatrixView outputs,
                   std::span<const std::int32_t> labels, std::span<const double> targets,
                   std::span<const std::int32_t> groups);

/// Results::compared of an evaluator: the support vectors of the solver, or the bases of the maps
/// before it.
std::vector<ComparedSample> compared_samples(const RunProgress& progress, std::size_t evaluator);

/// Whether all nodes before this one have learned. Scores may come from the store before that; the
/// solver's report, and its scores of other rows, may not.
bool all_before_have_learned(const RunProgress& progress, const NodeFacts& node);

}  // namespace semblance
