// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace semblance {

/// The file of an artifact's folder that tells the sizes and checksums of all others and its own.
inline constexpr const char* artifact_index_name = "artifact.json";

/// What is known of a file that several processes have written: its checksums, each of so many
/// bytes from where the one before it ends.
struct PieceChecksum {
  std::size_t bytes = 0;
  std::string checksum;
};
using KnownChecksums = std::map<std::string, std::vector<PieceChecksum>>;

/// Writes it, with `note` in it, once all other files are written; those that are `known` are not
/// read. Throws Error.
void write_artifact_index(const std::filesystem::path& folder, const nlohmann::ordered_json& note,
                          const KnownChecksums& known = {});

/// Sends what was written to a file through a mapping to a file server: closing it does. Throws
/// Error.
void send_to_server(const std::filesystem::path& file);

/// What is wrong with an artifact; or nothing, and its note in `note`.
std::optional<std::string> artifact_damage(const std::filesystem::path& folder,
                                           nlohmann::ordered_json& note);

/// Those that are found: others may be removing them.
std::vector<std::filesystem::path> files_below(const std::filesystem::path& folder);

/// Links all files of a folder into a new one. False where they cannot be linked; what vanishes
/// meanwhile is left out.
bool link_files(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace semblance
