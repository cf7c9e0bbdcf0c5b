// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "semblance/report.hpp"
#include "semblance/source.hpp"

/// Samples of the source's data for lists of samples.
namespace semblance::evaluators {

/// A sample with the name that the data give it, or its number.
SampleList::Sample drawn_sample(const Dataset& data, std::size_t row, const std::string& label);

/// Names of a vector's columns; values of other layouts have no names.
std::vector<std::string> column_names(const Outline& outline);

}  // namespace semblance::evaluators
