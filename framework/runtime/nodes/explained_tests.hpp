// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "runtime/explain/explain_options.hpp"
#include "runtime/session/run_data.hpp"
#include "semblance/explanation.hpp"

namespace semblance {

/// Explains the outputs of node `scoring` for these test samples; of a calibrator, those of the
/// solver before it. Throws Error.
std::vector<Explanation> explained_tests(RunProgress& progress, RunData& data, std::size_t scoring,
                                         const ExplainOptions& options,
                                         std::span<const std::size_t> test_rows,
                                         std::size_t background);

}  // namespace semblance
