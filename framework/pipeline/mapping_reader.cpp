// SPDX-License-Identifier: MIT
#include "pipeline/mapping_reader.hpp"

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pipeline/numerals.hpp"
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

}  // namespace

std::optional<NamedValues> read_mapping(const ParameterInfo& info, const YamlNode& node,
                                        Problems& problems) {
  if (node.is_mapping()) return MappingReader(info, problems).read(node);
  problems.error(node.place, "'" + info.name + "' must be a mapping, got " + node.describe(),
                 "write {NAME: VALUE}, one for each name");
  return std::nullopt;
}

}  // namespace semblance
