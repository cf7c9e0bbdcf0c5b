// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "semblance/samples.hpp"

namespace semblance::evaluators {

/// Throws Error unless the samples are the rows of a similarity map with one column per basis.
void check_has_bases(const TrainingSet& training);

/// The similarities of some bases, given by their columns, to each other: row i has those of the
/// i-th, as a sample. Throws RowError if one is not finite.
std::vector<double> similarities_of_bases(const TrainingSet& training,
                                          const std::vector<std::size_t>& columns);

/// Replaces the matrix by its symmetric part; returns |K - K^T| / |K|.
double symmetrise(std::vector<double>& values, std::size_t n);

}  // namespace semblance::evaluators
