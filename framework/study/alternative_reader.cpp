// SPDX-License-Identifier: MIT
#include "study/alternative_reader.hpp"

#include <algorithm>

#include "pipeline/yaml/numerals.hpp"
#include "study/study_limits.hpp"
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
  Alternative result;
  result.name = entry.key.text;
  if (!is_plain_name(result.name)) refuse_name(entry.key, "an alternative");
  if (entry.value.kind == YamlNode::Kind::nothing) return result;
  if (!entry.value.is_mapping()) {
    wrong(entry.value, "alternative " + quote(result.name) + " must be a mapping of changes",
          "write {} for the pipeline unchanged, otherwise {nodes.NODE.KEY: VALUE}, {bypass: NODE} "
          "or {drop: NODE}");
    return result;
  }
  for (const YamlEntry& change : entry.value.entries)
    if (change.key.text != slots_key()) read_change(change, result);
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

bool AlternativeReader::has_values(const YamlNode& body) {
  const auto scalar = [&](const char* key) {
    const YamlEntry* entry = body.find(key);
    return entry && entry->value.is_scalar();
  };
  return body.find("path") || body.find("values") || scalar("from") || scalar("to") ||
         scalar("steps");
}

std::vector<Alternative> AlternativeReader::read_values(const YamlNode& body,
                                                        const std::string& what) {
  check_keys(body, {"path", "values", "from", "to", "steps", "scale"}, what);
  const YamlEntry* path = body.find("path");
  const YamlEntry* list = body.find("values");
  const bool range = body.find("from") || body.find("to") || body.find("steps");
  if (!path || (!list && !range)) {
    problems_.error(body.place, what + " needs both 'path' and 'values'",
                    "for example {path: nodes.svm.C, values: [0.1, 1, 10]}, or a range: {path: "
                    "nodes.svm.C, from: 0.1, to: 10, steps: 3, scale: log}");
    return {};
  }
  std::vector<std::vector<YamlNode>> paths;
  for (const YamlNode& one : read_names(*path)) paths.push_back(read_path(one));
  if (const YamlEntry* scale = body.find("scale"); list && (range || scale)) {
    problems_.error(list->key.place, what + " has both 'values' and a range",
                    "give either values: [...], or from, to and steps");
    return {};
  }
  std::vector<Alternative> result;
  for (const Value& value : range ? read_range(body, what) : read_list(list->value)) {
    Alternative alternative;
    alternative.name = value.name;
    alternative.value = value.exact;
    if (std::ranges::find(result, alternative.name, &Alternative::name) != result.end())
      problems_.error(value.node.place, quote(alternative.name) + " is given twice");
    for (const auto& p : paths)
      if (!p.empty()) alternative.changes.push_back({value.node.place.source, p, value.node});
    result.push_back(std::move(alternative));
  }
  return result;
}

std::vector<AlternativeReader::Value> AlternativeReader::read_list(const YamlNode& list) {
  if (!list.is_list() || list.items.empty()) {
    wrong(list, "'values' must be a list",
          list.is_mapping() ? "a range is written {path: nodes.svm.C, from: 0.1, to: 10, steps: 3}"
                            : "");
    return {};
  }
  std::vector<Value> values;
  for (const YamlNode& value : list.items) {
    if (std::string name = name_of_value(value); is_plain_name(name))
      values.push_back({std::move(name), value, ""});
    else
      problems_.error(value.place, "this value is not a valid name for an alternative",
                      "name the alternatives: NAME: {PATH: VALUE}");
  }
  return values;
}

std::optional<double> AlternativeReader::read_end(const YamlEntry& entry) {
  Refusal refusal{"must be a number, got " + entry.value.describe(), ""};
  const auto number = entry.value.is_scalar() ? read_number(entry.value, refusal) : std::nullopt;
  if (!number && !entry.value.is_invalid())
    problems_.error(entry.value.place, quote(entry.key.text) + " " + refusal.problem, refusal.help);
  return number;
}

std::vector<AlternativeReader::Value> AlternativeReader::read_range(const YamlNode& body,
                                                                    const std::string& what) {
  const YamlEntry* from = body.find("from");
  const YamlEntry* to = body.find("to");
  const YamlEntry* count = body.find("steps");
  if (!from || !to || !count) {
    problems_.error(body.place, "the range of " + what + " needs 'from', 'to' and 'steps'",
                    "for example {path: nodes.svm.C, from: 0.1, to: 100, steps: 7, scale: log}");
    return {};
  }
  bool logarithmic = false;
  if (const YamlEntry* scale = body.find("scale")) {
    logarithmic = scale->value.is_scalar() && scale->value.text == "log";
    if (!logarithmic && !(scale->value.is_scalar() && scale->value.text == "linear"))
      return wrong(scale->value, "'scale' must be linear or log"), std::vector<Value>();
  }
  const auto first = read_end(*from), last = read_end(*to);
  Refusal refusal;
  const auto steps = count->value.is_scalar() ? read_natural(count->value, refusal) : std::nullopt;
  if (!steps || *steps < 2 || *steps > most_steps)
    return wrong(count->value, "'steps' must be a number from 2 to " + std::to_string(most_steps),
                 "it is how many values there are, 'from' and 'to' included"),
           std::vector<Value>();
  if (!first || !last) return {};
  if (logarithmic && *first <= 0)
    return wrong(from->value, "with 'scale: log', 'from' must be greater than 0"),
           std::vector<Value>();
  if (*first >= *last)
    return wrong(to->value, "'to' must be greater than 'from', " + from->value.text),
           std::vector<Value>();
  const auto numbers = range_values(*first, *last, static_cast<std::size_t>(*steps), logarithmic);
  if (numbers.empty())
    problems_.error(count->value.place, "two values of this range would be equal",
                    "use fewer steps");
  std::vector<Value> values;
  for (const RangeValue& number : numbers) {
    YamlNode node = from->value;
    node.text = number.text;
    node.quoted = false;
    values.push_back({number.name, std::move(node), number.text == number.name ? "" : number.text});
  }
  return values;
}

}  // namespace semblance
