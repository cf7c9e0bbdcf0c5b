// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace semblance::evaluators {

/// The index of the class named by `parameter`. Throws Error if there is none of that name.
std::size_t class_named(const std::string& parameter, const std::string& name,
                        std::span<const std::string> classes);

}  // namespace semblance::evaluators
