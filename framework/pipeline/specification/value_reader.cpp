// SPDX-License-Identifier: MIT
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pipeline/specification/component_reader.hpp"
#include "pipeline/yaml/numerals.hpp"
#include "pipeline/yaml/problems.hpp"
#include "pipeline/yaml/yaml_tree.hpp"
#include "semblance/number_or_word.hpp"
#include "semblance/parameters.hpp"
#include "support/did_you_mean.hpp"

namespace semblance {

namespace {

/// A word that may be meant as something other than text.
struct Ambiguous {
  std::string_view word;   ///< in lower case
  std::string_view meant;  ///< what to write then; empty: there is no such value
};

constexpr std::array ambiguous_words = {
    Ambiguous{"true", "true"},   Ambiguous{"yes", "true"}, Ambiguous{"on", "true"},
    Ambiguous{"false", "false"}, Ambiguous{"no", "false"}, Ambiguous{"off", "false"},
    Ambiguous{"null", "null"},   Ambiguous{"nan", ""},     Ambiguous{".nan", ""},
    Ambiguous{"inf", ""},        Ambiguous{".inf", ""},    Ambiguous{"infinity", ""}};

const Ambiguous* ambiguous(std::string_view text) {
  static constexpr Ambiguous none{"None", "null"};  // the text none is also a value in libraries
  if (text == none.word) return &none;
  std::string small;
  for (const char c : text) small += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  const bool sign = small.starts_with('-') || small.starts_with('+');
  for (const Ambiguous& known : ambiguous_words)
    if (small == known.word || (sign && known.meant.empty() && small.substr(1) == known.word))
      return &known;
  return nullptr;
}

class MappingReader {
 public:
  MappingReader(const ParameterInfo& info, Problems& problems) : info_(info), problems_(problems) {}

  std::optional<NamedValues> read(const YamlNode& node) {
    NamedValues mapping;
    bool sound = true;
    for (const YamlEntry& entry : node.entries) {
      path_ = quote(info_.name + "." + entry.key.text) + " ";
      sound = check_name(entry.key) && sound;
      sound = read_value(entry.value, mapping[entry.key.text]) && sound;
    }
    if (!sound) return std::nullopt;
    return mapping;
  }

 private:
  bool refuse(const Place& place, const std::string& problem, const std::string& help) {
    problems_.error(place, problem, help);
    return false;
  }

  bool check_name(const YamlNode& key) {
    if (key.text.empty()) return refuse(key.place, "a name in '" + info_.name + "' is empty", "");
    if (key.text != "is") return true;
    return refuse(key.place, "'" + info_.name + "' takes values by name, not a component",
                  "remove 'is'");
  }

  bool read_value(const YamlNode& node, NamedValues::mapped_type& value) {
    if (node.is_list()) {
      std::vector<Scalar> list;
      bool sound = true;
      for (const YamlNode& item : node.items) sound = read_scalar(item, list) && sound;
      value = std::move(list);
      return sound;
    }
    std::vector<Scalar> one;
    if (!read_scalar(node, one)) return false;
    std::visit([&](auto& x) { value = std::move(x); }, one.front());
    return true;
  }

  /// Appends it to `values`.
  bool read_scalar(const YamlNode& node, std::vector<Scalar>& values) {
    switch (node.kind) {
      case YamlNode::Kind::invalid:
        return false;
      case YamlNode::Kind::list:
      case YamlNode::Kind::mapping:
        return refuse(node.place,
                      path_ +
                          "must be a number, a text, true, false, null or a list of these, got " +
                          std::string(node.is_list() ? "a list in a list" : "a mapping"),
                      "");
      case YamlNode::Kind::nothing:
        if (node.text.empty())
          return refuse(node.place, path_ + "has no value", "write one, such as null or ''");
        values.emplace_back(std::monostate{});
        return true;
      case YamlNode::Kind::scalar:
        break;
    }
    if (!node.quoted) return read_plain(node, values);
    values.emplace_back(node.text);
    return true;
  }

  bool read_plain(const YamlNode& node, std::vector<Scalar>& values) {
    const std::string& text = node.text;
    if (text == "true" || text == "false") {
      values.emplace_back(text == "true");
      return true;
    }
    const bool whole = text.find_first_not_of("+-0123456789") == std::string::npos;
    Refusal refusal;
    if (const auto number = read_number(node, refusal)) {
      const auto integer = whole ? read_integer(node, refusal) : std::nullopt;
      if (whole && !integer) return refuse(node.place, path_ + refusal.problem, quotes(node));
      if (integer)
        values.emplace_back(*integer);
      else
        values.emplace_back(*number);
      return true;
    }
    if (!refusal.help.empty() || refusal.problem.starts_with("is out of range"))
      return refuse(node.place, path_ + refusal.problem, either(refusal.help, node));
    if (const Ambiguous* word = ambiguous(text)) return refuse_word(node, *word);
    values.emplace_back(text);
    return true;
  }

  bool refuse_word(const YamlNode& node, const Ambiguous& word) {
    if (word.meant.empty())
      return refuse(node.place, path_ + "must be a finite number, got " + node.describe(),
                    quotes(node));
    const std::string meant(word.meant);
    return refuse(node.place, path_ + "could be " + meant + " or a text, got " + node.describe(),
                  either("write " + meant, node));
  }

  static std::string quotes(const YamlNode& node) {
    return "for the text, put it in quotes: '" + node.text + "'";
  }
  static std::string either(const std::string& help, const YamlNode& node) {
    return help.empty() ? quotes(node) : help + "; " + quotes(node);
  }

  const ParameterInfo& info_;
  Problems& problems_;
  std::string path_;  ///< of the value being read, for messages
};

/// The values by name of a parameter of type mapping. An unquoted value is a number, true, false,
/// null or otherwise text. Words that some YAML readers, or Python, take for one of the former are
/// refused. Nothing: errors were reported, each at its value's place.
std::optional<NamedValues> read_mapping(const ParameterInfo& info, const YamlNode& node,
                                        Problems& problems) {
  if (node.is_mapping()) return MappingReader(info, problems).read(node);
  problems.error(node.place, "'" + info.name + "' must be a mapping, got " + node.describe(),
                 "write {NAME: VALUE}, one for each name");
  return std::nullopt;
}

class ValueReader {
 public:
  ValueReader(const ParameterInfo& info, Problems& problems) : info_(info), problems_(problems) {}

  std::optional<Value> read(const YamlNode& node) {
    if (node.is_invalid()) return std::nullopt;
    if (node.kind == YamlNode::Kind::nothing) return refuse_nothing(node);
    if (is_number_or_word(info_)) return number_or_word(node);
    switch (info_.type) {
      case ParameterType::boolean:
        return checked(node, boolean(node));
      case ParameterType::integer:
        return checked(node, integer(node));
      case ParameterType::number:
        return checked(node, number(node));
      case ParameterType::text:
      case ParameterType::path:
        return checked(node, text(node));
      case ParameterType::integers:
        return list<std::int64_t>(node, &ValueReader::integer);
      case ParameterType::numbers:
        return list<double>(node, &ValueReader::number);
      case ParameterType::texts:
        // A single text is a list of one: `target: price`.
        if (node.is_scalar()) return single_text(node);
        return list<std::string>(node, &ValueReader::text);
      case ParameterType::mapping:
        return read_mapping(info_, node, problems_);
      case ParameterType::component:
        break;
    }
    return std::nullopt;
  }

 private:
  std::string prefix() const { return "'" + info_.name + "' "; }

  std::optional<Value> refuse_nothing(const YamlNode& node) {
    const bool text = info_.type == ParameterType::text || info_.type == ParameterType::path;
    problems_.error(
        node.place, prefix() + "has no value",
        text ? "for empty text, write ''" : "write one, or omit the key to use the default");
    return std::nullopt;
  }

  std::nullopt_t refuse(const YamlNode& node, const Refusal& refusal) {
    problems_.error(node.place, prefix() + refusal.problem, refusal.help);
    return std::nullopt;
  }

  std::optional<bool> boolean(const YamlNode& node) {
    if (node.is_scalar() && !node.quoted && (node.text == "true" || node.text == "false"))
      return node.text == "true";
    std::string help;
    if (node.is_scalar()) {
      for (const char* yes : {"yes", "on", "True", "TRUE", "Yes", "On", "1", "true"})
        if (node.text == yes) help = "write true";
      for (const char* no : {"no", "off", "False", "FALSE", "No", "Off", "0", "false"})
        if (node.text == no) help = "write false";
    }
    return refuse(node, {"must be true or false, got " +
                             std::string(node.quoted ? "the text " : "") + node.describe(),
                         help});
  }

  std::optional<std::int64_t> integer(const YamlNode& node) {
    Refusal refusal;
    const auto value = read_integer(node, refusal);
    return value ? value : refuse(node, refusal);
  }

  std::optional<double> number(const YamlNode& node) {
    Refusal refusal;
    const auto value = read_number(node, refusal);
    return value ? value : refuse(node, refusal);
  }

  std::optional<std::string> text(const YamlNode& node) {
    if (node.is_scalar()) return node.text;
    const std::string wanted = info_.type == ParameterType::path ? "a path" : "text";
    return refuse(node, {"must be " + wanted + ", got " + node.describe(), ""});
  }

  std::optional<Value> number_or_word(const YamlNode& node) {
    Refusal refusal;
    if (const auto value = read_number(node, refusal)) return checked(node, value);
    if (!node.is_scalar())
      return refuse(
          node, {"must be one of " + to_text(Value(info_.choices)) + " or a number in the range " +
                     info_.interval.text() + ", got " + node.describe(),
                 refusal.help});
    const auto problem = info_.check(node.text);
    if (!problem) return node.text;
    if (refusal.help.empty()) refusal.help = did_you_mean(node.text, info_.choices);
    problems_.error(node.place, *problem, refusal.help);
    return std::nullopt;
  }

  /// Checks the declaration's range and choices.
  template <class T>
  std::optional<Value> checked(const YamlNode& node, std::optional<T> value) {
    if (!value) return std::nullopt;
    Value result(*std::move(value));
    if (const auto problem = info_.check(result)) {
      problems_.error(node.place, *problem, did_you_mean(node.text, info_.choices));
      return std::nullopt;
    }
    return result;
  }

  std::optional<Value> single_text(const YamlNode& node) {
    const auto one = text(node);
    if (!checked(node, one)) return std::nullopt;
    return Value(std::vector<std::string>{*one});
  }

  template <class T>
  std::optional<Value> list(const YamlNode& node,
                            std::optional<T> (ValueReader::*element)(const YamlNode&)) {
    if (!node.is_list()) {
      problems_.error(node.place,
                      prefix() + "must be a " + name(info_.type) + ", got " + node.describe(),
                      node.is_scalar() ? "write [" + node.text + "]" : "");
      return std::nullopt;
    }
    std::vector<T> values;
    bool sound = true;
    for (const YamlNode& item : node.items) {
      const auto value = item.is_invalid() ? std::nullopt : (this->*element)(item);
      sound = checked(item, value).has_value() && sound;
      if (value) values.push_back(*value);
    }
    if (!sound) return std::nullopt;
    return Value(std::move(values));
  }

  const ParameterInfo& info_;
  Problems& problems_;
};

}  // namespace

std::optional<Value> read_value(const ParameterInfo& info, const YamlNode& node,
                                Problems& problems) {
  return ValueReader(info, problems).read(node);
}

}  // namespace semblance
