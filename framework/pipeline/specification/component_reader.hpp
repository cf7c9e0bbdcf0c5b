// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/yaml/problems.hpp"
#include "pipeline/yaml/yaml_tree.hpp"
#include "registry/catalogue.hpp"
#include "semblance/parameters.hpp"

namespace semblance {

/// A component as far as it could be read, and where its parameters were written.
struct ReadComponent {
  const Catalogue::Entry* entry = nullptr;  ///< none: unknown, reported
  ComponentConfig config;
  Place place;
  std::vector<std::pair<std::string, Place>> written;  ///< places of given values, and of names in
                                                       ///< mappings: "options.depth"
  std::vector<ReadComponent> parts;                    ///< one for each of config.parts
  bool complete = false;                               ///< all its parameters are sound
};

/// Fills in and checks the parameters of components.
class ComponentReader {
 public:
  /// Paths are made relative to `data`.
  ComponentReader(const Catalogue& catalogue, const std::filesystem::path& data,
                  Problems& problems);

  /// `body` may hold other keys, which are ignored. `meant` are the parameters that misspelt keys
  /// stand for; these are not reported as missing. `place`: where to report a missing one.
  ReadComponent read(const Catalogue::Entry& entry, const YamlNode& body, const Place& place,
                     const std::set<std::string>& meant, int depth = 0);

  /// The data folder, absolute.
  const std::filesystem::path& data() const noexcept { return data_; }

 private:
  /// The value given or the default; nothing: reported.
  std::optional<Value> parameter_value(const ParameterInfo& info, const YamlNode& body,
                                       const std::set<std::string>& meant,
                                       ReadComponent& component);
  void read_part(const ParameterInfo& info, const YamlEntry* given, ReadComponent& component,
                 int depth);
  const Catalogue::Entry* part_entry(const ParameterInfo& info, const YamlNode& body,
                                     const Place& place, const std::string& owner);
  std::set<std::string> check_part_keys(const ComponentInfo& info, const YamlNode& body);
  std::string resolve(const std::string& path) const;

  const Catalogue& catalogue_;
  std::filesystem::path data_;
  Problems& problems_;
};

/// Names of the parameters, for suggestions.
std::vector<std::string> parameter_names(const ComponentInfo& info);

/// The value of a parameter of any type except component, converted and checked against the
/// declaration. A path is returned as written. Nothing: reported.
std::optional<Value> read_value(const ParameterInfo& info, const YamlNode& node,
                                Problems& problems);

}  // namespace semblance
