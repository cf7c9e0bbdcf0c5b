// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "data/data_set.hpp"

namespace semblance {

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
