// SPDX-License-Identifier: MIT
#include "runtime/graph/node_files.hpp"

#include "support/files/hash.hpp"

namespace semblance {
namespace {

void add_files(const Component& component, const ComponentConfig& config,
               const Catalogue& catalogue, std::vector<std::string>& files) {
  for (std::string& file : component.files()) files.push_back(std::move(file));
  for (const auto& [name, part] : config.parts)
    add_files(*catalogue.create(part), part, catalogue, files);
}

std::vector<std::string> files_of(const Node& node, const Catalogue& catalogue) {
  std::vector<std::string> files;
  add_files(*node.parts.front(), node.facts().spec->component, catalogue, files);
  return files;
}

/// Hashes the names: a folder may have very many, which every fold would list again.
std::string names_hash(const std::vector<std::string>& files) {
  if (files.empty()) return "";
  PiecewiseHash hash;
  for (const std::string& file : files) {
    hash.add(file);
    hash.add(std::string_view("\0", 1));
  }
  return hash.text();
}

}  // namespace

void note_files(Node& node, const Catalogue& catalogue, InputFiles& files) {
  const auto named = files_of(node, catalogue);
  node.facts().files = names_hash(named);
  files.note(named);
}

void check_files(const Node& node, const Catalogue& catalogue, InputFiles& files) {
  if (node.facts().files.empty() || node.parts.empty()) return;
  const auto named = files_of(node, catalogue);
  files.check(named);
  if (names_hash(named) != node.facts().files)
    throw Error(
        "files were added or removed while the run read them; start again when its files stay as "
        "they are");
}

}  // namespace semblance
