// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "registry/component_config.hpp"
#include "semblance/component.hpp"
#include "semblance/component_info.hpp"

namespace semblance {

/// The plugin a component comes from.
struct PluginOrigin {
  std::string name;
  std::string version;
  std::string licence;
  std::filesystem::path library;
  std::string hash;     ///< of the library's content
  bool of_file = true;  ///< else a program has declared it: the hash says nothing
  /// Says which libraries it is linked with, as they are loaded, by their content; loads the
  /// plugin.
  std::function<std::string()> linked = {};
};

/// All components that are known, by id; told from their declarations, without loading libraries.
class Catalogue {
 public:
  struct Entry {
    ComponentInfo info;
    std::shared_ptr<const PluginOrigin> plugin;
  };
  /// Given the catalogue as well, where the components nested in the configuration come from.
  using Creator =
      std::function<std::unique_ptr<Component>(const ComponentConfig&, const Catalogue&)>;

  /// The declaration gains the figures that the runtime reports of such nodes. Throws Error when
  /// the id is taken, naming both plugins.
  void add(Entry entry, Creator creator);

  /// Nothing when unknown.
  const Entry* find(std::string_view id) const;

  /// Sorted by id.
  std::vector<const Entry*> entries() const;

  /// A component with its parameters assigned and checked; loads its plugin when needed.
  /// Throws Error.
  std::unique_ptr<Component> create(const ComponentConfig& config) const;

  /// The same, with the components nested in the configuration out of another catalogue.
  std::unique_ptr<Component> create(const ComponentConfig& config, const Catalogue& nested) const;

 private:
  struct Item {
    Entry entry;
    Creator creator;
  };
  std::map<std::string, Item, std::less<>> items_;
};

}  // namespace semblance
