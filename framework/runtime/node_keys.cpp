// SPDX-License-Identifier: MIT
#include "runtime/node_keys.hpp"

#include <map>

#include "pipeline/resolved.hpp"
#include "registry/hash.hpp"
#include "semblance/plugin.hpp"

namespace semblance {
namespace {

/// Raised when the meaning of stored artifacts changes.
constexpr int format_version = 3;

/// The code of the component and of the components nested in it, and whether any is random.
void add_code(const ComponentConfig& config, const Catalogue& catalogue, nlohmann::json& code,
              bool& random) {
  const auto* entry = catalogue.find(config.id);
  if (!entry) throw Error("unknown component '" + config.id + "'");
  code.push_back(entry->plugin->hash);
  random = random || entry->info.random;
  for (const auto& [name, part] : config.parts) add_code(part, catalogue, code, random);
}

}  // namespace

FileHashes assign_keys(Compilation& compilation, const Catalogue& catalogue) {
  std::map<std::string, std::string> hashes;
  for (auto& node : compilation.nodes) {
    in_node(*compilation.pipeline, *node.spec, "reading its files", [&] {
      nlohmann::json content = {{"format", format_version}, {"api", sdk_api}};
      content["component"] = canonical_json(node.spec->component, catalogue, PathValues::leave_out);
      bool random = false;
      add_code(node.spec->component, catalogue, content["code"], random);
      if (random) content["seed"] = node.spec->seed;
      if (const Fold& fold = node.spec->fold; fold.count > 0)
        content["fold"] = {fold.index, fold.count, fold.seed};
      if (!node.set_aside.empty()) content["set_aside"] = node.set_aside;
      for (const auto& file : node.parts.front()->files()) {
        auto& hash = hashes[file];
        if (hash.empty()) hash = hash_of_file(file);
        content["files"].push_back(hash);
      }
      for (const auto& input : node.spec->inputs)
        for (const std::size_t from : input.nodes)
          content["inputs"][input.port].push_back(compilation.nodes[from].key);
      node.key = hash_of(content.dump());
    });
  }
  return {hashes.begin(), hashes.end()};
}

}  // namespace semblance
