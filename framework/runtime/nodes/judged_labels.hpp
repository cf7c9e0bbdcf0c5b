// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "runtime/session/run_data.hpp"

namespace semblance {

/// The labels of some samples as classes of a model. New data may name other classes, fewer, or
/// none, so labels are matched by name. -1: no class of the model.
std::vector<std::int32_t> matched_labels(const Dataset& data, RowSpan rows,
                                         const std::vector<std::string>& classes);

/// The numbers to predict of some samples, row-major, in the order of these names. New data may
/// name other numbers, fewer, or none, so they are matched by name. NaN: unknown.
std::vector<double> matched_targets(const Dataset& data, RowSpan rows,
                                    const std::vector<std::string>& names);

/// Warns of labels in the new data that the model has no class for: they may be a mistake.
void tell_unknown_labels(RunProgress& progress, RunData& data, std::size_t solver, RowSpan rows,
                         std::span<const std::int32_t> matched);

}  // namespace semblance
