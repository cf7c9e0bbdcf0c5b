// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "registry/catalogue.hpp"
#include "registry/python_door.hpp"
#include "semblance/plugin.hpp"

namespace semblance {

/// A loaded plugin that has passed the handshake: a library, or a file of Python components. Both
/// stay loaded for the life of the process: objects and exceptions of a plugin need its code.
class PluginLibrary {
 public:
  /// Loads with all symbols resolved, checks API and fingerprint, then takes the component table.
  /// Throws Error that names the file and the difference.
  explicit PluginLibrary(const std::filesystem::path& file);

  const PluginDescriptor& descriptor() const noexcept { return *descriptor_; }
  const ComponentTable& table() const noexcept { return table_; }
  /// The plugin if it is written in Python; otherwise nullptr.
  const PythonPlugin* python() const noexcept { return python_; }

  /// Throws Error when the plugin has no such component.
  const ComponentEntry& entry(const std::string& id) const;

 private:
  void load_library();
  void read_python();

  std::filesystem::path file_;
  const PythonPlugin* python_ = nullptr;
  const PluginDescriptor* descriptor_ = nullptr;
  ComponentTable table_;
};

/// Creates the component, sets its parameters (nested components come from `catalogue`), and lets
/// it check them.
std::unique_ptr<Component> create_component(const ComponentEntry& entry,
                                            const ComponentConfig& config,
                                            const Catalogue& catalogue);

}  // namespace semblance
