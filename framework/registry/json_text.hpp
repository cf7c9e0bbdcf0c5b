// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace semblance {

/// The nesting that is accepted: far more than any file of this program has, far less than a stack.
inline constexpr std::size_t deepest_json = 64;

/// Parses a JSON file that may be damaged or made by anybody. Throws nlohmann::json::exception
/// where it is no JSON or nested too deeply.
nlohmann::ordered_json parse_json(std::string_view text);

/// Whether a file name in an index leads to a file of the folder that the index is of.
bool leads_inside(const std::filesystem::path& name);

/// What a message quotes from such a file: control characters become question marks.
std::string one_line(std::string text);

}  // namespace semblance
