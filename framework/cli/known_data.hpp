// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "data/data_folder.hpp"
#include "data/data_set.hpp"

namespace semblance::cli {

/// The data sets of the program's catalogue, of data_sets.yaml in the data folder and of `more`, if
/// that is not empty. Throws Error.
std::vector<DataSet> known_data_sets(const std::filesystem::path& data_folder,
                                     const std::string& more);

/// "semblance data get NAME" for the data set that contains a missing path of the data folder, or
/// "". Never throws: it completes another message.
std::string fetching_command(const std::filesystem::path& data_folder, const std::string& path);

/// "there", "partly", "missing".
const char* presence_word(Presence presence);

}  // namespace semblance::cli
