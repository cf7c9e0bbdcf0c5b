// SPDX-License-Identifier: MIT
#include "pipeline/yaml/yaml_builder.hpp"

#include "pipeline/yaml/yaml_syntax.hpp"

namespace semblance {

Place TreeBuilder::place(const YAML::Mark& mark, std::size_t length) {
  const auto offset = static_cast<std::size_t>(std::max(mark.pos, 0));
  reached_ = std::max(reached_, offset + length);
  return source_.place(offset, length);
}

void TreeBuilder::OnNull(const YAML::Mark& mark, YAML::anchor_t) {
  YamlNode node;
  node.kind = YamlNode::Kind::nothing;
  // For an empty value, yaml-cpp's mark is that of the next token; the key is meant.
  const auto offset = static_cast<std::size_t>(std::max(mark.pos, 0));
  const std::string_view rest =
      std::string_view(source_.text()).substr(std::min(offset, source_.text().size()), 4);
  const bool word = rest == "null" || rest == "Null" || rest == "NULL";
  const bool written = word || rest.starts_with('~');
  if (written) node.text = "null";
  if (!written && !open_.empty() && open_.back().key)
    node.place = open_.back().key->place;
  else
    node.place = place(mark, word ? 4 : 1);
  put(std::move(node));
}

void TreeBuilder::OnAlias(const YAML::Mark& mark, YAML::anchor_t) {
  YamlNode node;
  node.kind = YamlNode::Kind::invalid;
  node.place = place(mark);
  problems_.error(node.place, "aliases (*name) are not supported in pipelines",
                  "write out the value");
  put(std::move(node));
}

void TreeBuilder::OnAnchor(const YAML::Mark& mark, const std::string& name) {
  problems_.error(place(mark, name.size() + 1), "anchors (&name) are not supported in pipelines",
                  "remove '&" + name + "'");
}

void TreeBuilder::OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                           const std::string& value) {
  refuse_tag(mark, tag);
  YamlNode node;
  node.kind = YamlNode::Kind::scalar;
  node.text = value;
  node.quoted = tag == "!";
  const auto offset = static_cast<std::size_t>(std::max(mark.pos, 0));
  const std::string& text = source_.text();
  const bool quote = offset < text.size() && (text[offset] == '\'' || text[offset] == '"');
  if (node.quoted && quote && find_closing_quote(text, offset) == std::string::npos) {
    // yaml-cpp silently takes the remaining file for the text.
    problems_.error(place(mark), unclosed_quote);
    throw Abandoned();
  }
  if (!node.quoted)
    node.place = place(mark, value.size());
  else if (offset < text.size() && text.compare(offset + 1, value.size(), value) == 0)
    node.place = place(mark, value.size() + 2);
  else
    node.place = place(mark);
  put(std::move(node));
}

void TreeBuilder::OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                                  YAML::EmitterStyle::value) {
  start(mark, tag, YamlNode::Kind::list);
}

void TreeBuilder::OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                             YAML::EmitterStyle::value) {
  start(mark, tag, YamlNode::Kind::mapping);
}

void TreeBuilder::refuse_tag(const YAML::Mark& mark, const std::string& tag) {
  if (tag.empty() || tag == "?" || tag == "!") return;
  problems_.error(place(mark), "tags (!!type) are not supported in pipelines",
                  "remove it; to make a value text, put it in quotes");
}

void TreeBuilder::start(const YAML::Mark& mark, const std::string& tag, YamlNode::Kind kind) {
  refuse_tag(mark, tag);
  if (open_.size() >= deepest_nesting) {
    problems_.error(place(mark), "nested deeper than " + std::to_string(deepest_nesting) +
                                     " levels; no pipeline needs that");
    throw Abandoned();
  }
  Open open;
  open.node.kind = kind;
  open.node.place = place(mark);
  open.offset = static_cast<std::size_t>(std::max(mark.pos, 0));
  open_.push_back(std::move(open));
}

void TreeBuilder::close() {
  YamlNode done = std::move(open_.back().node);
  open_.pop_back();
  put(std::move(done));
}

void TreeBuilder::put(YamlNode node) {
  if (open_.empty()) {
    root_ = std::move(node);
    return;
  }
  Open& top = open_.back();
  if (top.node.is_list()) {
    top.node.items.push_back(std::move(node));
  } else if (!top.key) {
    put_key(std::move(node), top);
  } else {
    if (!top.key->is_invalid()) top.node.entries.push_back({std::move(*top.key), std::move(node)});
    top.key.reset();
  }
}

/// Stores an invalid key until its value has been seen; both are then dropped.
void TreeBuilder::put_key(YamlNode key, Open& mapping) {
  if (key.is_invalid()) {
    // reported
  } else if (!key.is_scalar()) {
    problems_.error(key.place, "a key must be a word, not " + key.describe());
    key.kind = YamlNode::Kind::invalid;
  } else if (key.text == "<<" && !key.quoted) {
    problems_.error(key.place, "merge keys (<<) are not supported in pipelines",
                    "write out the entries");
    key.kind = YamlNode::Kind::invalid;
  } else {
    const auto [seen, fresh] = mapping.key_lines.emplace(key.text, key.place.position.line);
    if (!fresh) {
      problems_.error(
          key.place, quote(key.text) + " is given twice",
          "it was first given on line " + std::to_string(seen->second) + "; remove one of them");
      key.kind = YamlNode::Kind::invalid;
    }
  }
  mapping.key = std::move(key);
}

}  // namespace semblance
