// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "data/data_set.hpp"

namespace semblance {

/// Unpacks the members that `wanted` names, each to its path below `folder`; a member may be in
/// folders that its name omits. Throws Error when one is missing, occurs twice or is not a regular
/// file, or when together they have more than `at_most` bytes.
void unpack_members(const std::filesystem::path& archive, const std::vector<DataFile>& wanted,
                    const std::filesystem::path& folder, std::uint64_t at_most);

/// Unpacks a whole archive below `folder`, which must be new. Throws Error when it contains
/// anything but regular files and folders with plain paths inside: absolute paths, '..', links and
/// devices are refused. Also throws when it has more than `at_most` bytes or a million members.
void unpack_all(const std::filesystem::path& archive, const std::filesystem::path& folder,
                std::uint64_t at_most);

struct GetOptions {
  std::filesystem::path folder;  ///< the data folder
  std::string mirror;            ///< a folder or an address that has the files; may be empty
  bool unverified = false;       ///< accepts files without a known checksum
  std::function<void(const std::string&)> say;  ///< called with each step, in one line
  std::function<void(const std::string& file, std::uint64_t done, std::uint64_t total)> progress;
};

/// Puts a data set into the data folder: fetches missing files, or takes them from a mirror,
/// verifies them, unpacks them, and gives each file its name when it is complete. Existing files
/// are unchanged. After an interruption, the next call resumes downloads that have a checksum;
/// partial files are in FOLDER/.downloads/NAME. Returns the number of downloads that were needed.
/// Throws Error.
std::size_t get_data_set(const DataSet& set, const GetOptions& options);

/// Names, addresses, sizes and checksums.
std::string addresses(const std::vector<Download>& downloads);

/// Instructions for a machine without a network: files, addresses, checksums, the place and the
/// command.
std::string instructions(const DataSet& set, const std::filesystem::path& folder);

}  // namespace semblance
