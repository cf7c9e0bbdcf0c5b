// SPDX-License-Identifier: MIT
#include "report/tables/result_table_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>

#include "registry/figures.hpp"
#include "report/tables/slot_effects.hpp"
#include "report/tables/table_layout.hpp"
#include "semblance/error.hpp"
#include "support/json_text.hpp"

namespace semblance {
namespace {

using Json = nlohmann::ordered_json;

/// A value in a file, with its place for messages.
class Field {
 public:
  Field(const Json& value, const std::string& file, std::string place)
      : value_(value), file_(file), place_(std::move(place)) {}

  [[noreturn]] void wrong(const std::string& expected) const {
    throw Error(fmt::format("{}: {} must be {}, but is {}", file_,
                            place_.empty() ? "the whole" : place_, expected, value_.type_name()));
  }

  Field at(const char* key) const {
    if (!value_.is_object()) wrong("an object");
    const auto found = value_.find(key);
    if (found == value_.end())
      throw Error(
          fmt::format("{}: {}{}{} is missing", file_, place_, place_.empty() ? "" : ".", key));
    return {*found, file_, place_ + (place_.empty() ? "" : ".") + key};
  }

  std::vector<Field> items() const {
    if (!value_.is_array()) wrong("an array");
    std::vector<Field> result;
    for (std::size_t i = 0; i < value_.size(); ++i)
      result.emplace_back(value_[i], file_, fmt::format("{}[{}]", place_, i));
    return result;
  }

  std::string text() const {
    if (!value_.is_string()) wrong("text");
    return value_.get<std::string>();
  }

  std::vector<std::string> texts() const {
    std::vector<std::string> result;
    for (const Field& item : items()) result.push_back(item.text());
    return result;
  }

  bool has(const char* key) const { return value_.is_object() && value_.contains(key); }

  std::size_t count() const {
    if (!value_.is_number_unsigned()) wrong("a number of rows");
    return value_.get<std::size_t>();
  }

  bool truth() const {
    if (!value_.is_boolean()) wrong("true or false");
    return value_.get<bool>();
  }

  FigureUnit unit() const {
    try {
      return figure_unit_named(text());
    } catch (const Error&) {
      wrong("plain, share, count, seconds or bytes");
    }
  }

  double number_or_nan() const {
    if (value_.is_null()) return std::numeric_limits<double>::quiet_NaN();
    if (!value_.is_number()) wrong("a number or null");
    return value_.get<double>();
  }

  std::optional<std::size_t> index_or_nothing(std::size_t below) const {
    if (value_.is_null()) return std::nullopt;
    if (!value_.is_number_unsigned() || value_.get<std::size_t>() >= below)
      throw Error(fmt::format("{}: {} must be null or an index below {}, but is {}", file_, place_,
                              below, value_.dump()));
    return value_.get<std::size_t>();
  }

  /// "0110..." as bytes.
  std::vector<std::uint8_t> flags() const {
    const std::string digits = text();
    if (digits.find_first_not_of("01") != std::string::npos) wrong("text of 0 and 1 only");
    std::vector<std::uint8_t> result;
    for (const char c : digits) result.push_back(c == '1' ? 1 : 0);
    return result;
  }

  std::map<std::string, std::vector<std::string>> lists() const {
    if (!value_.is_object()) wrong("an object");
    std::map<std::string, std::vector<std::string>> result;
    for (const auto& [key, list] : value_.items()) result[key] = at(key.c_str()).texts();
    return result;
  }

  Better better() const {
    try {
      return better_named(text());
    } catch (const Error&) {
      wrong("lower, higher or none");
    }
  }

  std::vector<double> numbers() const {
    if (!value_.is_array()) wrong("a list of numbers");
    std::vector<double> result;
    for (const Json& number : value_) {
      if (!number.is_number()) wrong("a list of numbers");
      result.push_back(number.get<double>());
    }
    return result;
  }

  void require(bool right, const std::string& what) const {
    if (!right) throw Error(fmt::format("{}: {} {}", file_, place_, what));
  }

 private:
  const Json& value_;
  const std::string& file_;
  std::string place_;
};

Json measurement_json(const Measurement& measurement) {
  std::string correct;
  for (const std::uint8_t right : measurement.correct) correct += right ? '1' : '0';
  Json json = {
      {"value", std::isfinite(measurement.value) ? Json(measurement.value) : Json(nullptr)},
      {"error", measurement.error},
      {"correct", std::move(correct)},
      {"test_rows", measurement.test_rows},
      {"trained", measurement.trained},
      {"tested", measurement.tested},
      {"drawn_from", measurement.drawn_from}};
  if (!measurement.losses.empty()) json["losses"] = measurement.losses;
  if (!measurement.groups.empty() && !(measurement.correct.empty() && measurement.losses.empty()))
    json["groups"] = measurement.groups;
  if (!measurement.chosen.empty()) json["chosen"] = measurement.chosen;
  if (!measurement.folders.empty()) json["folders"] = measurement.folders;
  for (const double value : measurement.further)
    json["further"].push_back(std::isfinite(value) ? Json(value) : Json(nullptr));
  return json;
}

Json slot_json(const ResultTable& table, std::size_t slot) {
  Json alternatives = Json::array();
  for (const Method& method : table.methods)
    if (slot < method.choices.size() && !method.choices[slot].empty() &&
        std::ranges::find(alternatives, Json(method.choices[slot])) == alternatives.end())
      alternatives.push_back(method.choices[slot]);
  Json json = {{"name", table.slots[slot]}, {"alternatives", alternatives}};
  const auto numbers = table.numbers.find(table.slots[slot]);
  if (numbers == table.numbers.end()) return json;
  for (const Json& name : alternatives) {
    const auto text = name.get<std::string>();
    const auto number = numbers->second.find(text);
    json["values"].push_back(Json::parse(number == numbers->second.end() ? text : number->second));
  }
  return json;
}

Measurement measurement_from(const Field& item) {
  Measurement measurement;
  measurement.value = item.at("value").number_or_nan();
  measurement.error = item.at("error").text();
  measurement.correct = item.at("correct").flags();
  measurement.test_rows = item.at("test_rows").text();
  if (item.has("losses")) measurement.losses = item.at("losses").numbers();
  if (item.has("groups"))
    for (const double group : item.at("groups").numbers())
      measurement.groups.push_back(static_cast<std::int32_t>(group));
  if (item.has("folders")) measurement.folders = item.at("folders").texts();
  if (item.has("chosen")) measurement.chosen = item.at("chosen").lists();
  if (item.has("further"))
    for (const Field& value : item.at("further").items())
      measurement.further.push_back(value.number_or_nan());
  // An older study has a name of its test samples that other samples may share.
  if (!item.has("drawn_from")) {
    measurement.test_rows.clear();
    return measurement;
  }
  measurement.trained = item.at("trained").count();
  measurement.tested = item.at("tested").count();
  measurement.drawn_from = item.at("drawn_from").texts();
  return measurement;
}

Method method_from(const Field& field, const ResultTable& table) {
  Method method;
  method.name = field.at("name").text();
  const Field choices = field.at("choices");
  method.choices = choices.texts();
  choices.require(method.choices.empty() || method.choices.size() == table.slots.size(),
                  fmt::format("must have one entry per slot, {}, but has {}", table.slots.size(),
                              method.choices.size()));
  const Field measurements = field.at("measurements");
  for (const Field& item : measurements.items())
    method.measurements.push_back(measurement_from(item));
  if (field.has("pooled")) method.pooled = field.at("pooled").number_or_nan();
  measurements.require(method.measurements.size() == table.blocks.size(),
                       fmt::format("must have one entry per block, {}, but has {}",
                                   table.blocks.size(), method.measurements.size()));
  return method;
}

Json number_json(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? Json(*value) : Json(nullptr);
}

Json tests_json(const Standing& standing) {
  Json tests = Json::object();
  for (const NamedTest& named : named_tests) {
    const PairedTest& test = standing.*named.test;
    if (test.p)
      tests[named.key] = {{"p", *test.p}, {"p_holm", number_json(test.p_holm)}};
    else if (!test.remark.empty())
      tests[named.key] = {{"remark", test.remark}};
  }
  return tests;
}

Json cell_json(const TableColumn& column, std::size_t method) {
  const TableCell& cell = column.cells[method];
  if (column.holds == Holds::flag) return cell.value != 0;
  return column.holds == Holds::text ? Json(cell.text) : number_json(cell.value);
}

const char* relation_name(BlockRelation relation) {
  switch (relation) {
    case BlockRelation::independent:
      return "independent";
    case BlockRelation::overlapping:
      return "overlapping";
    case BlockRelation::same_rows:
      return "same_rows";
    case BlockRelation::unknown:
      break;
  }
  return "unknown";
}

}  // namespace

nlohmann::ordered_json result_table_json(const ResultTable& table, const std::string& study_name) {
  Json slots = Json::array();
  for (std::size_t slot = 0; slot < table.slots.size(); ++slot)
    slots.push_back(slot_json(table, slot));
  Json methods = Json::array();
  for (const Method& method : table.methods) {
    Json measurements = Json::array();
    for (const Measurement& measurement : method.measurements)
      measurements.push_back(measurement_json(measurement));
    methods.push_back({{"name", method.name},
                       {"choices", method.choices},
                       {"measurements", std::move(measurements)}});
    if (method.pooled) methods.back()["pooled"] = *method.pooled;
  }
  Json further = Json::array();
  for (const FurtherFigure& one : table.further)
    further.push_back({{"node", one.node},
                       {"figure", one.figure},
                       {"unit", name(one.unit)},
                       {"better", name(one.better)}});
  Json json = {{"study", study_name},
               {"node", table.node},
               {"metric", table.metric},
               {"unit", name(table.unit)},
               {"higher_is_better", table.higher_is_better},
               {"slots", std::move(slots)},
               {"blocks", table.blocks},
               {"over", table.over},
               {"repeats", table.repeats},
               {"baseline", table.baseline ? Json(*table.baseline) : Json(nullptr)}};
  if (table.node.empty()) json.erase("node");
  if (!further.empty()) json["further"] = std::move(further);
  json["methods"] = std::move(methods);
  return json;
}

nlohmann::ordered_json comparison_json(const ResultTable& table, const Comparison& comparison) {
  const TableLayout layout = table_layout(table, comparison);
  Json methods = Json::array();
  for (std::size_t i = 0; i < table.methods.size(); ++i) {
    Json method = {{"name", table.methods[i].name}};
    for (const TableColumn& column : layout.columns)
      if (column.compared) method[column.key] = cell_json(column, i);
    method["tests"] = tests_json(comparison.standings[i]);
    methods.push_back(std::move(method));
  }
  Json json = {{"blocks_are", relation_name(comparison.relation)}};
  if (comparison.groups > 0) json["independent_groups"] = comparison.groups;
  if (comparison.row_groups > 0) json["row_groups"] = comparison.row_groups;
  json["friedman_p"] = number_json(comparison.friedman_p);
  json["critical_difference"] = number_json(comparison.critical_difference);
  json["methods"] = std::move(methods);
  return json;
}

nlohmann::ordered_json study_json(const ResultTable& table, const Comparison& comparison,
                                  const std::string& study_name) {
  Json json = result_table_json(table, study_name);
  json["comparison"] = comparison_json(table, comparison);
  for (const SlotEffect& effect : comparison.effects)
    json["comparison"]["effects"].push_back(
        {{"slot", effect.slot},
         {"combinations", effect.combinations},
         {"choices", comparison_json(effect.table, effect.comparison).at("methods")}});
  return json;
}

StudyTable result_table_from_json(const nlohmann::ordered_json& stored, const std::string& file) {
  const Field root(stored, file, "");
  StudyTable result;
  result.study = root.at("study").text();
  ResultTable& table = result.table;
  table.metric = root.at("metric").text();
  if (root.has("node")) table.node = root.at("node").text();
  if (root.has("further"))
    for (const Field& one : root.at("further").items())
      table.further.push_back({one.at("node").text(), one.at("figure").text(),
                               one.at("unit").unit(), one.at("better").better()});
  if (stored.contains("unit")) table.unit = root.at("unit").unit();
  table.higher_is_better = root.at("higher_is_better").truth();
  for (const Field& slot : root.at("slots").items()) {
    table.slots.push_back(slot.at("name").text());
    static_cast<void>(slot.at("alternatives").texts());  // only to check it
  }
  const Field blocks = root.at("blocks");
  table.blocks = blocks.texts();
  blocks.require(!table.blocks.empty(), "must have at least one entry");
  if (root.has("over")) table.over = root.at("over").text();
  if (root.has("repeats")) table.repeats = root.at("repeats").count();
  for (const Field& method : root.at("methods").items())
    table.methods.push_back(method_from(method, table));
  table.baseline = root.at("baseline").index_or_nothing(table.methods.size());
  return result;
}

nlohmann::ordered_json read_json(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw Error("cannot read '" + file.string() + "'");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  if (in.bad()) throw Error("cannot read '" + file.string() + "'");
  try {
    return parse_json(text);
  } catch (const Json::exception& problem) {
    throw Error(fmt::format("{}: is damaged: {}", file.string(), json_problem(problem)));
  }
}

StudyTable read_study(const std::filesystem::path& file) {
  return result_table_from_json(read_json(file), file.string());
}

}  // namespace semblance
