// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "registry/catalogue.hpp"

namespace semblance {

/// The places to look for plugins, in this order.
struct PluginSearch {
  std::vector<std::filesystem::path> explicit_paths;  ///< --plugin-path: folders or libraries
  std::string environment;          ///< $SEMBLANCE_PLUGIN_PATH: the same, separated by ':'
  std::filesystem::path installed;  ///< the folder that comes with the program
  std::filesystem::path manifests;  ///< storage for declarations between runs
};

/// One searched place, and the outcome.
struct PluginTrial {
  std::filesystem::path path;
  bool found = false;
  std::string note;  ///< "12 components", or why it cannot be used
};

struct Discovery {
  Catalogue catalogue;
  std::vector<PluginTrial> trials;
  std::vector<std::string> warnings;  ///< unusable libraries in a searched folder
};

/// Finds plugins and fills the catalogue. A library whose declarations are known from an earlier
/// run, by its place and its last change, is not loaded. A library or folder that was named
/// explicitly but cannot be used is an Error; an unusable one found in a folder is a warning.
Discovery discover_plugins(const PluginSearch& search);

/// For messages: every path tried, with found / not found and the note.
std::string describe(const std::vector<PluginTrial>& trials);

}  // namespace semblance
