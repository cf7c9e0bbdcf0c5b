// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "cli/suggest/suggest.hpp"
#include "cli/verb.hpp"
#include "pipeline/pipeline_file.hpp"
#include "report/tables/result_table_json.hpp"

namespace semblance::cli {

namespace {

namespace fs = std::filesystem;

using Json = nlohmann::ordered_json;

/// The candidates' source in their files, on a separate line.
constexpr const char* source_line = "\n  data:";

std::string quoted_text(const std::string& text) { return Json(text).dump(); }

std::string quoted_path(const fs::path& path) {
  return quoted_text(fs::absolute(path).lexically_normal().string());
}

void replace_all(std::string& text, const std::string& old, const std::string& by) {
  for (std::size_t at = text.find(old); at != text.npos; at = text.find(old, at + by.size()))
    text.replace(at, old.size(), by);
}

/// Puts a calibrator before `test`, so that it judges probabilities.
void calibrate(std::string& text) {
  const std::size_t test = text.find("\n  test:"), from = text.find("from: ", test),
                    end = text.find_first_of(",}", from);
  if (test == text.npos || from == text.npos || end == text.npos) return;
  const std::string solver = text.substr(from, end - from);
  text.replace(from, end - from, "from: p");
  text.insert(test, "\n  p: {is: calibrator/probabilities, method: temperature, " + solver + "}");
}

/// The pipelines select and report by error_rate or rmse.
void judge_by(const std::string& metric, std::string& text) {
  for (const char* usual : {"metric: test.error_rate", "metric: test.rmse"})
    replace_all(text, usual, "metric: test." + metric);
  if (metric == "auc" || metric == "average_precision")
    replace_all(text, "is: evaluator/classification", "is: evaluator/ranking, bootstrap: 0");
  if (metric == "log_loss" || metric == "brier_score") calibrate(text);
}

/// Without a usual class, detectors learn from all rows, and artificial ones test them.
void learn_from(const std::string& normal, std::string& text) {
  if (normal.empty()) return;
  replace_all(text, "normal: \"\"", "normal: " + quoted_text(normal));
  replace_all(text, "artificial: true, ", "");
}

std::string with_data(const fs::path& file, const std::string& node) {
  const PipelineFile content = read_pipeline_file(file);
  if (content.problem) throw Error("'" + file.string() + "': " + content.problem->message);
  std::string text = content.text;
  const std::size_t start = text.find(source_line);
  if (start == text.npos || text.find(source_line, start + 1) != text.npos)
    throw Error("'" + file.string() +
                "' must have exactly one line '  data: {is: source/...}', which is replaced");
  const std::size_t end = std::min(text.find('\n', start + 1), text.size());
  return text.replace(start, end - start, std::string(source_line) + " " + node);
}

std::string name_of(const fs::path& file) {
  std::string name = file.stem().string();
  const std::size_t digits = name.find_first_not_of("0123456789");
  if (digits > 0 && digits != name.npos && name[digits] == '_') name.erase(0, digits + 1);
  return name;
}

Json known_sources(const fs::path& shipped) {
  const fs::path file = shipped / "sources.json";
  if (!fs::exists(file)) throw Error("'" + file.string() + "' is missing; reinstall the program");
  return read_json(file);
}

void set_target(const Json& reading, const std::string& target, const std::string& what,
                DataNode& node) {
  if (reading.contains("target_file"))
    node.set(reading.at("target_file").get<std::string>(), quoted_path(target));
  else if (reading.contains("target"))
    node.set(reading.at("target").get<std::string>(), quoted_text(target));
  else
    throw UsageError(what + " is only compared by classes; omit --target");
}

}  // namespace

void DataNode::set(const std::string& key, const std::string& value) {
  const auto found = std::ranges::find(keys_, key, &std::pair<std::string, std::string>::first);
  if (found != keys_.end())
    found->second = value;
  else
    keys_.emplace_back(key, value);
}

void DataNode::remove(const std::string& key) {
  std::erase_if(keys_, [&](const auto& known) { return known.first == key; });
}

std::string DataNode::text() const {
  std::string text;
  for (const auto& [key, value] : keys_)
    text += fmt::format("{}{}: {}", text.empty() ? "{" : ", ", key, value);
  return text + "}";
}

DataReading reading_of(const std::string& form, const fs::path& data, const WantedTarget& wanted,
                       const fs::path& shipped) {
  const std::string& label = wanted.label;
  const Json reading = known_sources(shipped).at(form);
  DataReading result;
  result.candidates = shipped / reading.at("candidates").get<std::string>();
  for (const auto& [key, value] : reading.at("source").items()) result.node.set(key, value.dump());
  result.node.set("path", quoted_path(data));
  const std::string what = "'" + data.string() + "', as " + form + ",";
  if (!wanted.target.empty()) {
    set_target(reading, wanted.target, what, result.node);
    result.candidates = shipped / reading.value("numbers", "numbers");
    return result;
  }
  if (wanted.novelty()) {
    if (!reading.contains("unlabelled"))
      throw UsageError(what + " is only compared by classes; detectors are tried on tables");
    result.candidates = shipped / "novelty";
    result.novelty = true;
    result.normal = wanted.normal;
    for (const auto& [key, value] : reading.at("unlabelled").items())
      if (wanted.unlabelled() && value.is_null())
        result.node.remove(key);
      else if (wanted.unlabelled())
        result.node.set(key, value.dump());
    if (wanted.unlabelled()) return result;
  }
  if (label.empty() && reading.contains("needs"))
    throw UsageError(what + " has no classes of its own; give " +
                     reading.at("needs").get<std::string>());
  if (reading.contains("label_file")) {
    if (label.empty())
      throw UsageError(
          what +
          " has no labels of its own; name the array of its labels with --label FILE.npy, or "
          "try novelty detectors with --label none");
    result.node.set(reading.at("label_file").get<std::string>(), quoted_path(label));
  } else if (reading.contains("label")) {
    if (!label.empty()) result.node.set(reading.at("label").get<std::string>(), quoted_text(label));
  } else if (!label.empty()) {
    throw UsageError(what + " contains its own classes; omit --label");
  }
  return result;
}

void prefer_attributes(DataReading& reading) {
  fs::path folder = reading.candidates;
  folder += "_with_attributes";
  if (fs::is_directory(folder)) reading.candidates = folder;
}

std::vector<Candidate> candidates(const DataReading& reading, const DataNode& data) {
  std::vector<Candidate> all;
  for (const fs::path& folder : {reading.candidates, reading.beside}) {
    if (folder.empty()) continue;
    std::vector<fs::path> files;
    std::error_code problem;
    for (const auto& item : fs::directory_iterator(folder, problem))
      if (item.path().extension() == ".yaml") files.push_back(item.path());
    if (files.empty())
      throw Error("there are no pipelines (.yaml) to try in '" + folder.string() + "'");
    std::ranges::sort(files);
    for (const auto& file : files) {
      all.push_back({name_of(file), file, with_data(file, data.text())});
      judge_by(reading.metric, all.back().text);
      learn_from(reading.normal, all.back().text);
    }
  }
  return all;
}

}  // namespace semblance::cli
