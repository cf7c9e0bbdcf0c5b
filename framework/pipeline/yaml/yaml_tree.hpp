// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/yaml/problems.hpp"
#include "pipeline/yaml/source_text.hpp"

namespace semblance {

struct YamlEntry;

/// YAML as written: no value is converted, every node has its place, keys are unique text.
struct YamlNode {
  enum class Kind {
    nothing,  ///< no value, or `null`
    scalar,
    list,
    mapping,
    invalid  ///< already reported: later steps are silent about it
  };
  Kind kind = Kind::nothing;
  std::string text;     ///< of a scalar; "null" where that is written
  bool quoted = false;  ///< a scalar in quotes (or a block scalar) is always text
  bool told = false;    ///< it was reported as a former name
  Place place;
  std::vector<YamlNode> items;     ///< of a list
  std::vector<YamlEntry> entries;  ///< of a mapping, in the order written

  /// A node without content.
  static YamlNode empty(Kind kind, const Place& place);

  bool is_scalar() const noexcept { return kind == Kind::scalar; }
  bool is_list() const noexcept { return kind == Kind::list; }
  bool is_mapping() const noexcept { return kind == Kind::mapping; }
  bool is_invalid() const noexcept { return kind == Kind::invalid; }

  const YamlEntry* find(std::string_view key) const noexcept;
  YamlEntry* find(std::string_view key) noexcept;

  /// For messages: "a list", "a mapping", "'text'", "nothing".
  std::string describe() const;
};

struct YamlEntry {
  YamlNode key;
  YamlNode value;
};

/// Reads one document from `source`, ignoring its first `skip` bytes. Reports everything other than
/// plain YAML 1.2 without anchors, aliases, tags and merge keys; returns nothing if the text cannot
/// be read at all.
std::optional<YamlNode> parse_yaml(const SourceText& source, Problems& problems,
                                   std::size_t skip = 0);

/// The deepest nesting accepted: far more than any pipeline needs, far less than any stack allows.
inline constexpr std::size_t deepest_nesting = 64;

}  // namespace semblance
