// SPDX-License-Identifier: MIT
#pragma once

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/mark.h>

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "pipeline/yaml/yaml_tree.hpp"

namespace semblance {

/// Builds the positioned tree from yaml-cpp's events. Unlike YAML::Node, events give an alias's own
/// place, retain duplicate keys, and allow limiting the nesting while parsing.
class TreeBuilder final : public YAML::EventHandler {
 public:
  struct Abandoned {};  ///< thrown after the reason has been reported

  /// A bracket or block that has not ended yet.
  struct Open {
    YamlNode node;
    std::size_t offset = 0;
    std::optional<YamlNode> key;                     ///< of a mapping: the next value's
    std::unordered_map<std::string, int> key_lines;  ///< of the keys seen
  };

  TreeBuilder(const SourceText& source, Problems& problems)
      : source_(source), problems_(problems) {}

  YamlNode take() { return std::move(root_); }
  const std::vector<Open>& open() const noexcept { return open_; }

  /// The place of the last event: the error comes after it.
  std::size_t reached() const noexcept { return reached_; }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override;
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override;
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override;
  void OnMapEnd() override { close(); }
  void OnAnchor(const YAML::Mark& mark, const std::string& name) override;

 private:
  void start(const YAML::Mark& mark, const std::string& tag, YamlNode::Kind kind);
  void close();
  void put(YamlNode node);
  void put_key(YamlNode node, Open& mapping);
  Place place(const YAML::Mark& mark, std::size_t length = 1);
  void refuse_tag(const YAML::Mark& mark, const std::string& tag);

  const SourceText& source_;
  Problems& problems_;
  std::vector<Open> open_;
  YamlNode root_;
  std::size_t reached_ = 0;
};

/// Throws Found at the start of a document.
class SecondDocument final : public YAML::EventHandler {
 public:
  struct Found {
    std::size_t offset;
  };
  void OnDocumentStart(const YAML::Mark& mark) override {
    throw Found{static_cast<std::size_t>(mark.pos)};
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t,
                const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}
};

}  // namespace semblance
