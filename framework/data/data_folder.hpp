// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "data/data_set.hpp"

namespace semblance {

/// Whether the file, or what serves as well, is there: plain or compressed, as sources read it.
bool is_present(const DataFile& file, const std::filesystem::path& folder);

/// Whether all that a download gives is there.
bool is_present(const Download& download, const std::filesystem::path& folder);

enum class Presence { none, part, all };
Presence presence(const DataSet& set, const std::filesystem::path& folder);

/// The set that a path of a data folder belongs to, packed or not, or a folder of whose files;
/// none: nullptr.
const DataSet* set_of(const std::string& path, const std::vector<DataSet>& sets);

/// What of a data set is missing in a data folder, as paths.
std::vector<std::string> missing_files(const DataSet& set, const std::filesystem::path& folder);

}  // namespace semblance
