// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "registry/discovery.hpp"

namespace semblance::cli {

/// `--data`, else $SEMBLANCE_DATA, else the user's data folder.
std::filesystem::path data_folder(const std::string& option);

/// `--cache`, else $SEMBLANCE_CACHE, else the user's cache folder.
std::filesystem::path cache_folder(const std::string& option);

/// The user's data folder, whatever `--data` and $SEMBLANCE_DATA say.
std::filesystem::path user_data_folder();

/// The folder of plugins that comes with the program.
std::filesystem::path installed_plugins();

/// The folder share/semblance that comes with the program.
std::filesystem::path shared_folder();

/// The plugins of --plugin-path, $SEMBLANCE_PLUGIN_PATH and the installed folder. Unusable ones
/// in a folder cause a warning.
Discovery discover(const std::vector<std::string>& plugin_paths);

/// "512M", "4G", "1.5GiB", "800000000" in bytes; throws UsageError.
std::size_t parse_size(const std::string& text);

}  // namespace semblance::cli
