// SPDX-License-Identifier: MIT
#include "catalogue.hpp"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "declared.hpp"
#include "errors.hpp"
#include "registry/component_info_json.hpp"
#include "registry/places.hpp"
#include "registry/python_door.hpp"

namespace semblance::python {
namespace {

struct Known {
  std::vector<std::string> paths;
  std::shared_ptr<const Catalogue> of_plugins;
  std::shared_ptr<const Catalogue> catalogue;  ///< with what was declared in Python
  long declared = 0;                           ///< when that was looked at
};
Known known;  // under the GIL

std::shared_ptr<const Catalogue> found_with(const std::vector<std::string>& paths) {
  Discovery found = discover(paths);
  for (const std::string& warning : found.warnings) warn(warning);
  return std::make_shared<const Catalogue>(std::move(found.catalogue));
}

}  // namespace

std::shared_ptr<const Catalogue> catalogue() {
  if (!known.of_plugins) known.of_plugins = found_with(known.paths);
  const long declared = declared_changes();
  if (known.catalogue && known.declared == declared) return known.catalogue;
  const auto all = std::make_shared<Catalogue>(*known.of_plugins);
  add_declared(*all);
  known.catalogue = all;
  known.declared = declared;
  return all;
}

void add_plugins(const std::vector<std::string>& paths) {
  std::vector<std::string> all = known.paths;
  for (const std::string& path : paths) {
    const std::filesystem::path python = find_python_file(path);
    std::string absolute =
        std::filesystem::absolute(python.empty() ? std::filesystem::path(path) : python)
            .lexically_normal()
            .string();
    if (std::ranges::find(all, absolute) == all.end()) all.push_back(std::move(absolute));
  }
  if (all.size() == known.paths.size()) return;
  known.of_plugins = found_with(all);
  known.catalogue = nullptr;
  known.paths = std::move(all);
}

std::string catalogue_json() {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const auto* entry : catalogue()->entries()) all.push_back(to_json(entry->info));
  return all.dump();
}

}  // namespace semblance::python
