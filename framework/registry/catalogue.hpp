// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "registry/component_config.hpp"
#include "semblance/component.hpp"
#include "semblance/component_info.hpp"

namespace semblance {

/// The plugin of a component.
struct PluginOrigin {
  std::string name;
  std::string version;
  std::string licence;
  std::filesystem::path library;
  std::string hash;     ///< of the library's content
  bool of_file = true;  ///< otherwise a program has declared it: the hash is meaningless
  /// Identifies its linked libraries, as loaded, by content; loads the plugin.
  std::function<std::string()> linked = {};
};

/// All known components, by id, from their declarations alone, without loading libraries.
class Catalogue {
 public:
  struct Entry {
    ComponentInfo info;
    std::shared_ptr<const PluginOrigin> plugin;
  };
  /// Also gets the catalogue that the components nested in the configuration come from.
  using Creator =
      std::function<std::unique_ptr<Component>(const ComponentConfig&, const Catalogue&)>;

  /// Adds a component; its declaration gains the figures that the runtime reports for such nodes.
  /// Throws Error when the id is taken, naming both plugins.
  void add(Entry entry, Creator creator);

  /// Nothing when unknown.
  const Entry* find(std::string_view id) const;

  /// The component that declares this id as a former name, and that name; or two nullptr.
  std::pair<const Entry*, const FormerName*> find_former_id(std::string_view id) const;

  /// Sorted by id.
  std::vector<const Entry*> entries() const;

  /// A component with its parameters assigned and checked; loads its plugin when needed.
  /// Throws Error.
  std::unique_ptr<Component> create(const ComponentConfig& config) const;

  /// The same, with nested components from another catalogue.
  std::unique_ptr<Component> create(const ComponentConfig& config, const Catalogue& nested) const;

 private:
  struct Item {
    Entry entry;
    Creator creator;
  };
  std::map<std::string, Item, std::less<>> items_;
};

}  // namespace semblance
