// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "semblance/samples.hpp"

namespace semblance {

/// The training rows of each class, ascending. Throws Error when the data have no classes, or when
/// a class has fewer than `per_class` rows, naming these classes and their counts.
std::vector<std::vector<std::int64_t>> rows_by_class(const TrainingSet& training,
                                                     std::int64_t per_class);

}  // namespace semblance
