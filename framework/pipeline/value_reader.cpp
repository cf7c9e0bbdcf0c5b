// SPDX-License-Identifier: MIT
#include "pipeline/value_reader.hpp"

#include <string>
#include <vector>

#include "pipeline/mapping_reader.hpp"
#include "pipeline/numerals.hpp"
#include "support/did_you_mean.hpp"

namespace semblance {
namespace {

class ValueReader {
 public:
  ValueReader(const ParameterInfo& info, Problems& problems) : info_(info), problems_(problems) {}

  std::optional<Value> read(const YamlNode& node) {
    if (node.is_invalid()) return std::nullopt;
    if (node.kind == YamlNode::Kind::nothing) return refuse_nothing(node);
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
