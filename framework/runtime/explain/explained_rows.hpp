// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "runtime/explain/explainer.hpp"

namespace semblance {

/// Explains the samples at these positions of the data that a machine is applied to. Shares compare
/// with at most `background` samples, drawn by the machine's seed, or with `own`. Examples have
/// their number, name and class where the data are those of training. Throws Error.
std::vector<Explanation> explained_rows(RunProgress& progress, RunData& data, std::size_t machine,
                                        const ExplainOptions& options,
                                        std::span<const std::size_t> positions,
                                        std::size_t background, const FloatMatrix* own = nullptr);

}  // namespace semblance
