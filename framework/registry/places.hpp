// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "registry/discovery.hpp"

/// The locations of data, cached results, plugins and shared files.
namespace semblance {

/// `--data`, or $SEMBLANCE_DATA, or the user's data folder.
std::filesystem::path data_folder(const std::string& option);

/// `--cache`, or $SEMBLANCE_CACHE, or the user's cache folder.
std::filesystem::path cache_folder(const std::string& option);

/// The user's data folder, independent of `--data` and $SEMBLANCE_DATA.
std::filesystem::path user_data_folder();

/// The folder of plugins that comes with the program, or with the Python package.
std::filesystem::path installed_plugins();

/// The folder share/semblance that comes with them.
std::filesystem::path shared_folder();

/// The plugins of `plugin_paths`, $SEMBLANCE_PLUGIN_PATH and the installed folder. Throws Error
/// where there are no components.
Discovery discover(const std::vector<std::string>& plugin_paths);

}  // namespace semblance
