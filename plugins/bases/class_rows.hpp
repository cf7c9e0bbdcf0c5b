// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "semblance/samples.hpp"

namespace semblance::bases {

/// The training samples of each class, ascending. Throws Error if the data have no classes, or if
/// classes have fewer than `per_class` samples, naming them with their counts.
std::vector<std::vector<std::int64_t>> rows_by_class(const TrainingSet& training,
                                                     std::int64_t per_class);

}  // namespace semblance::bases
