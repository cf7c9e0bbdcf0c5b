// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/yaml/diagnostic.hpp"
#include "study/study_specification.hpp"

namespace semblance {

/// One number of a range.
struct RangeValue {
  std::string name;  ///< short and rounded, different for every number: "0.316"
  std::string text;  ///< the number itself, with up to 15 significant digits: "0.316227766016838"
};

/// `steps` numbers from `from` to `to`, both included: equally spaced, or on a logarithmic scale
/// equal factors apart. The numbers between are rounded to 15 significant digits, so that 0.1 to
/// 0.5 in five steps has 0.3 and not 0.30000000000000004. Empty if two of them would be equal.
/// `steps` is at least 2, `from` is less than `to`; on a logarithmic scale `from` is positive.
std::vector<RangeValue> range_values(double from, double to, std::size_t steps, bool logarithmic);

/// Whether `name` is valid for an alternative, a slot or a step.
bool is_plain_name(const std::string& name);

/// Reads alternatives: changes of a pipeline, written one by one or as a path and its values.
/// Errors are reported with their place, and the faulty parts omitted.
class AlternativeReader {
 protected:
  using Names = std::vector<std::string>;

  /// `section`: "study" or "select".
  AlternativeReader(std::string section, Problems& problems)
      : name_(std::move(section)), problems_(problems) {}

  void check_keys(const YamlNode& mapping, const Names& known, const std::string& what);
  void wrong(const YamlNode& value, const std::string& what, const std::string& help = "");
  /// Reports that there is no `what` of this name; returns false.
  bool refuse(const YamlNode& name, const std::string& what, const Names& known);
  void refuse_name(const YamlNode& name, const std::string& what);

  /// Inside an alternative, a mapping of slots has the same name as outside: "slots" of a study,
  /// "parameters" of a selection.
  const char* slots_key() const { return name_ == "study" ? "slots" : "parameters"; }

  Alternative read_alternative(const YamlEntry& entry);
  void read_change(const YamlEntry& change, Alternative& result);
  std::vector<YamlNode> read_names(const YamlEntry& entry);
  /// nodes.svm.C as its parts; empty: reported.
  std::vector<YamlNode> read_path(const YamlNode& text);
  /// {path: nodes.svm.C, values: [0.1, 1]}, or a range {path: nodes.svm.C, from: 0.1, to: 10,
  /// steps: 3, scale: log}: one alternative per value.
  std::vector<Alternative> read_values(const YamlNode& body, const std::string& what);
  /// Whether the mapping is written in this form.
  static bool has_values(const YamlNode& body);

  /// A value as its alternative is made of it.
  struct Value {
    std::string name;
    YamlNode node;
    std::string exact;  ///< the number that the name rounds; empty: it rounds none
  };
  std::vector<Value> read_list(const YamlNode& list);
  std::vector<Value> read_range(const YamlNode& body, const std::string& what);
  std::optional<double> read_end(const YamlEntry& entry);

  const std::string name_;
  Problems& problems_;
};

}  // namespace semblance
