// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "report/drawn_sample.hpp"
#include "runtime/rows/row_tags.hpp"
#include "semblance/source.hpp"

namespace semblance {

/// Some of the samples [first, first + predicted.size()), for the page: for each class the first
/// that are right and the first that are wrong. `predicted` has one class per sample. Empty where
/// samples are not sequences, strings or sets.
std::vector<DrawnSample> drawn_samples(const Dataset& data, std::size_t first,
                                       std::span<const std::int32_t> predicted,
                                       const RowTags& tags);

}  // namespace semblance
