// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace semblance {

/// The file of an artifact's folder that tells the sizes and checksums of all others and its own.
inline constexpr const char* artifact_index_name = "artifact.json";

/// Writes it, with `note` in it, once all other files are written. Throws Error.
void write_artifact_index(const std::filesystem::path& folder, const nlohmann::ordered_json& note);

/// What is wrong with an artifact; or nothing, and its note in `note`.
std::optional<std::string> artifact_damage(const std::filesystem::path& folder,
                                           nlohmann::ordered_json& note);

/// Those that are found: others may be removing them.
std::vector<std::filesystem::path> files_below(const std::filesystem::path& folder);

/// Links all files of a folder into a new one. False where they cannot be linked; what vanishes
/// meanwhile is left out.
bool link_files(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace semblance
