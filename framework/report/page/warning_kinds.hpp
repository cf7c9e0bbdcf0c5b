// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace semblance {

/// What a warning has in common with others of its kind: its text without the node it comes from,
/// numbers, and quoted or bracketed names.
std::string kind_of_warning(std::string_view warning);

/// The warnings by kind, in the order of their first ones.
std::vector<std::vector<std::string>> warning_kinds(const std::vector<std::string>& warnings);

}  // namespace semblance
