// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "semblance/samples.hpp"

namespace semblance::common {

/// The index of a class that the parameter names. Throws Error with the classes if there is none of
/// this name.
std::size_t class_named(const std::string& parameter, const std::string& name,
                        std::span<const std::string> classes);

/// The training samples of the class that the parameter names, or all if the name is empty. Throws
/// Error if there are none.
std::vector<std::uint32_t> rows_of_class(const TrainingSet& training, const std::string& name,
                                         const std::string& parameter);

}  // namespace semblance::common
