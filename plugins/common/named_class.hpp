// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace semblance::common {

/// The index of a class that the parameter names. Throws Error with the classes if there is none of
/// this name.
std::int32_t class_named(std::span<const std::string> classes, const std::string& name,
                         const std::string& parameter);

}  // namespace semblance::common
