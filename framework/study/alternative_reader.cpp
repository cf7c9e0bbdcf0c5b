// SPDX-License-Identifier: MIT
#include "study/alternative_reader.hpp"

#include <algorithm>

#include "support/did_you_mean.hpp"

namespace semblance {
namespace {

/// The name of a value in a table: 0.1, null, 1+2, index for basis/index; empty for a mapping.
std::string name_of_value(const YamlNode& value) {
  if (value.is_scalar() || value.kind == YamlNode::Kind::nothing)
    return value.text.substr(value.text.rfind('/') + 1);
  std::string name;
  for (const YamlNode& item : value.items) name += (name.empty() ? "" : "+") + name_of_value(item);
  return name;
}

}  // namespace

bool is_plain_name(const std::string& name) {
  return !name.empty() && name.size() <= 60 && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.' || c == '+';
  });
}

void AlternativeReader::check_keys(const YamlNode& mapping, const Names& known,
                                   const std::string& what) {
  for (const YamlEntry& entry : mapping.entries) {
    if (std::ranges::find(known, entry.key.text) != known.end()) continue;
    std::string help = did_you_mean(entry.key.text, known);
    if (help.empty()) help = "its keys are " + enumerate(known);
    problems_.error(entry.key.place, what + " has no " + quote(entry.key.text), help);
  }
}

void AlternativeReader::wrong(const YamlNode& value, const std::string& what,
                              const std::string& help) {
  if (!value.is_invalid()) problems_.error(value.place, what + ", got " + value.describe(), help);
}

bool AlternativeReader::refuse(const YamlNode& name, const std::string& what, const Names& known) {
  if (name.is_invalid()) return false;
  const std::string text = name.is_scalar() ? name.text : name.describe();
  std::string help = did_you_mean(text, known);
  if (help.empty() && !known.empty() && known.size() <= 20)
    help = "choose from " + enumerate(known);
  problems_.error(name.place, "unknown " + what + " " + quote(text), help);
  return false;
}

void AlternativeReader::refuse_name(const YamlNode& name, const std::string& what) {
  problems_.error(name.place, quote(name.text) + " is not a valid name for " + what,
                  "use only letters, digits, _, -, + and .");
}

Alternative AlternativeReader::read_alternative(const YamlEntry& entry) {
  Alternative result{entry.key.text, {}, {}, {}};
  if (!is_plain_name(result.name)) refuse_name(entry.key, "an alternative");
  if (entry.value.kind == YamlNode::Kind::nothing) return result;
  if (!entry.value.is_mapping()) {
    wrong(entry.value, "alternative " + quote(result.name) + " must be a mapping of changes",
          "write {} for the pipeline unchanged, otherwise {nodes.NODE.KEY: VALUE}, {bypass: NODE} "
          "or {drop: NODE}");
    return result;
  }
  for (const YamlEntry& change : entry.value.entries) read_change(change, result);
  return result;
}

void AlternativeReader::read_change(const YamlEntry& change, Alternative& result) {
  if (change.key.text == "bypass")
    result.bypass = read_names(change);
  else if (change.key.text == "drop")
    result.drop = read_names(change);
  else if (auto path = read_path(change.key); !path.empty())
    result.changes.push_back({change.key.place.source, std::move(path), change.value});
}

std::vector<YamlNode> AlternativeReader::read_names(const YamlEntry& entry) {
  const YamlNode& value = entry.value;
  if (value.is_scalar()) return {value};
  if (value.is_list() && !value.items.empty() &&
      std::ranges::all_of(value.items, &YamlNode::is_scalar))
    return value.items;
  wrong(value, quote(entry.key.text) + " must name a node, or be a list of nodes");
  return {};
}

std::vector<YamlNode> AlternativeReader::read_path(const YamlNode& text) {
  std::vector<YamlNode> path;
  for (std::size_t start = 0; start <= text.text.size();) {
    const std::size_t dot = std::min(text.text.find('.', start), text.text.size());
    YamlNode part = text;
    part.text = text.text.substr(start, dot - start);
    if (!text.quoted) {
      part.place.position.column += static_cast<int>(start);
      part.place.length = static_cast<int>(dot - start);
    }
    if (part.text.empty()) {
      problems_.error(text.place, quote(text.text) + " is not a path",
                      "write nodes.NODE.KEY, for example nodes.svm.C");
      return {};
    }
    path.push_back(std::move(part));
    start = dot + 1;
  }
  if (path.size() > 1 && path[0].text == "nodes") return path;
  // A study may also vary the candidates of its variants' cross-validation, or whether there is
  // one.
  if (path[0].text == "select" && name_ == "study") return path;
  problems_.error(text.place, quote(text.text) + " is not a path to a part of a node",
                  "write nodes.NODE.KEY; the other possible changes are bypass and drop");
  return {};
}

std::vector<Alternative> AlternativeReader::read_values(const YamlNode& body,
                                                        const std::string& what) {
  check_keys(body, {"path", "values"}, what);
  const YamlEntry* path = body.find("path");
  const YamlEntry* values = body.find("values");
  if (!path || !values) {
    problems_.error(body.place, what + " needs both 'path' and 'values'",
                    "for example {path: nodes.svm.C, values: [0.1, 1, 10]}");
    return {};
  }
  std::vector<std::vector<YamlNode>> paths;
  for (const YamlNode& one : read_names(*path)) paths.push_back(read_path(one));
  if (!values->value.is_list() || values->value.items.empty()) {
    wrong(values->value, "'values' must be a list");
    return {};
  }
  std::vector<Alternative> result;
  for (const YamlNode& value : values->value.items) {
    Alternative alternative{name_of_value(value), {}, {}, {}};
    if (!is_plain_name(alternative.name)) {
      problems_.error(value.place, "this value is not a valid name for an alternative",
                      "name the alternatives: NAME: {PATH: VALUE}");
      continue;
    }
    if (std::ranges::find(result, alternative.name, &Alternative::name) != result.end())
      problems_.error(value.place, quote(alternative.name) + " is given twice");
    for (const auto& p : paths)
      if (!p.empty()) alternative.changes.push_back({value.place.source, p, value});
    result.push_back(std::move(alternative));
  }
  return result;
}

}  // namespace semblance
