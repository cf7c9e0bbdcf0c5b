// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "data/data_set.hpp"

namespace semblance {

/// Whether the file, or an equivalent one, exists: plain or compressed, as sources read it.
bool is_present(const DataFile& file, const std::filesystem::path& folder);

/// Whether all files of a download exist.
bool is_present(const Download& download, const std::filesystem::path& folder);

enum class Presence { none, part, all };
Presence presence(const DataSet& set, const std::filesystem::path& folder);

/// The set that contains a path of a data folder, compressed or not, or a folder with some of its
/// files; nullptr: none.
const DataSet* set_of(const std::string& path, const std::vector<DataSet>& sets);

/// The missing paths of a data set in a data folder.
std::vector<std::string> missing_files(const DataSet& set, const std::filesystem::path& folder);

}  // namespace semblance
