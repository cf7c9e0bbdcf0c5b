// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <filesystem>
#include <string>
#include <vector>

#include "pipeline/source_text.hpp"
#include "pipeline/yaml_tree.hpp"
#include "registry/catalogue.hpp"

namespace semblance::cli {

/// A word that may follow on a command line, and what it means.
struct Completion {
  std::string text;
  std::string meaning;
};

/// A pipeline or study while its command line is typed: everything that can be read, whether or not
/// it is correct.
class WrittenPipeline {
 public:
  /// `changes` are the earlier --set of the command line.
  WrittenPipeline(const std::filesystem::path& file, const std::vector<std::string>& changes,
                  const Catalogue& catalogue);

  /// The ways to extend the beginning of a PATH=VALUE by one part: "nodes.svm." or "nodes.svm.C="
  /// or, after the '=', whole values.
  std::vector<Completion> changes(const std::string& typed) const;

  /// Its nodes; `scoring`: only those that give scores.
  std::vector<Completion> nodes(bool scoring) const;

  /// NODE.FIGURE for each figure that a node declares.
  std::vector<Completion> figures() const;

 private:
  /// A component at a path: a node, or a parameter of a component.
  struct Slot {
    const YamlNode* written = nullptr;    ///< its mapping; none: it is the default
    const ComponentInfo* info = nullptr;  ///< none: unknown
    std::string kind;
    bool is_node = false;
  };

  bool read(const std::filesystem::path& file, YamlNode& root);
  const YamlNode* node(const std::string& name) const;
  const ComponentInfo* component(const YamlNode* written) const;
  Slot slot(const std::vector<std::string>& parts) const;
  std::vector<Completion> keys(const std::vector<std::string>& parts) const;
  std::vector<Completion> keys(const Slot& slot) const;
  std::vector<Completion> values(const std::vector<std::string>& parts) const;
  std::vector<Completion> values(const Slot& slot, const std::string& key) const;

  const Catalogue& catalogue_;
  std::deque<SourceText> files_;
  std::vector<SourceText> changes_;
  YamlNode root_;
};

}  // namespace semblance::cli
