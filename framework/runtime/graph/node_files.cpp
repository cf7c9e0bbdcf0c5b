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

/// One hash of all, such as names: a folder may have very many, which every fold would list again.
std::string hash_of_texts(const std::vector<std::string>& texts) {
  if (texts.empty()) return "";
  PiecewiseHash hash;
  for (const std::string& text : texts) {
    hash.add(text);
    hash.add(std::string_view("\0", 1));
  }
  return hash.text();
}

}  // namespace

void note_files(Node& node, const Catalogue& catalogue, InputFiles& files) {
  const auto named = files_of(node, catalogue);
  node.facts().files = hash_of_texts(named);
  files.note(named);
}

void note_content(Node& node, const Catalogue& catalogue, InputFiles& files) {
  auto content = files_of(node, catalogue);
  for (std::string& file : content) file = files.checksum(file);
  node.facts().content = hash_of_texts(content);
}

void check_files(const Node& node, const Catalogue& catalogue, InputFiles& files) {
  if (node.facts().files.empty() || node.parts.empty()) return;
  const auto named = files_of(node, catalogue);
  files.check(named);
  if (hash_of_texts(named) != node.facts().files)
    throw Error(
        "files were added or removed while the run read them; start again when its files stay as "
        "they are");
}

}  // namespace semblance
