// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace semblance {

/// The file in an artifact's folder with the sizes and checksums of all other files, and its own.
inline constexpr const char* artifact_index_name = "artifact.json";

/// The known checksums of a file that several processes have written: each covers a number of
/// bytes, from where the one before it ends.
struct PieceChecksum {
  std::size_t bytes = 0;
  std::string checksum;
};
using KnownChecksums = std::map<std::string, std::vector<PieceChecksum>>;

/// Writes it, with `note` in it, once all other files are written; files with `known` checksums are
/// not read. Throws Error.
void write_artifact_index(const std::filesystem::path& folder, const nlohmann::ordered_json& note,
                          const KnownChecksums& known = {});

/// Sends mapped writes of a file to a file server: closing the file does so. Throws Error.
void send_to_server(const std::filesystem::path& file);

/// The damage to an artifact; or nothing, with its note in `note`.
std::optional<std::string> artifact_damage(const std::filesystem::path& folder,
                                           nlohmann::ordered_json& note);

/// The files that are found: other processes may be removing some.
std::vector<std::filesystem::path> files_below(const std::filesystem::path& folder);

/// Links all files of a folder into a new one. Files that vanish meanwhile are omitted. False where
/// files cannot be linked.
bool link_files(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace semblance
