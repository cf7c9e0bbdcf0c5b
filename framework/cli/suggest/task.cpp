// SPDX-License-Identifier: MIT
#include "cli/suggest/task.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "registry/places.hpp"
#include "runtime/session/session.hpp"

namespace semblance::cli {
namespace {

namespace fs = std::filesystem;

/// A column with fewer samples per class than this hardly contains classes.
constexpr std::size_t fewest_rows_of_a_class = 4;

std::size_t number(const options::variables_map& values, const char* name, std::size_t least,
                   std::size_t otherwise) {
  if (!values.count(name)) return otherwise;
  const auto value = values[name].as<long long>();
  if (value < static_cast<long long>(least))
    throw UsageError(fmt::format("--{} must be at least {}, got {}", name, least, value));
  return static_cast<std::size_t>(value);
}

/// DATA as a path here, or below the data folder.
fs::path found_data(const std::string& data, const CheckOptions& checking) {
  std::error_code ignored;
  for (const fs::path& path : {fs::path(data), checking.data / data})
    if (fs::exists(path, ignored)) return fs::absolute(path).lexically_normal();
  throw UsageError("'" + data + "' was found neither here nor in the data folder '" +
                   checking.data.string() + "'");
}

/// --set nodes.data.KEY=VALUE
void change_source(DataNode& node, const std::vector<std::string>& changes) {
  constexpr std::string_view path = "nodes.data.";
  for (const std::string& change : changes) {
    const std::size_t equals = change.find('=');
    const std::string key = change.substr(0, equals);
    if (equals == change.npos || !key.starts_with(path) || key.size() == path.size())
      throw UsageError(
          "--set of suggest only changes the source, as in nodes.data.ignore=[1]; got '" + change +
          "'; use your own pipelines with --candidates");
    node.set(key.substr(path.size()), change.substr(equals + 1));
  }
}

void check_classes(const SuggestTask& task, const DataFacts& facts) {
  const std::size_t classes = facts.classes.size();
  if (classes < 2)
    throw Error(fmt::format("'{}' has {}; name the class column with --label", task.data.string(),
                            classes == 0 ? "no labels" : "a single class"));
  if (classes * fewest_rows_of_a_class > facts.rows)
    throw Error(
        fmt::format("'{}' has {} classes for {} rows, which looks like a column of numbers rather "
                    "than classes; name the class column with --label",
                    task.data.string(), classes, facts.rows));
}

}  // namespace

void add_suggest_options(options::options_description& described) {
  described.add_options()(
      "label", options::value<std::string>()->value_name("COLUMN"),
      "for a table, the class column: its name, or its number from 1 (default: "
      "the last); for an array, the .npy file with its labels; in an HDF5 file, the path of "
      "the labels (default: /y)")(
      "rows", options::value<long long>()->value_name("N"),
      "maximum number of training rows: larger data get only a first look (default: 2000)")(
      "splits", options::value<long long>()->value_name("N"),
      "number of random splits into training and test rows (default: 5)")(
      "candidates", options::value<std::string>()->value_name("DIR"),
      "a folder of pipelines to try instead of those that come with the program; in each, a line ' "
      " data: {is: source/...}' is replaced, and 'test' must report the error_rate");
}

SuggestTask suggest_task(const options::variables_map& values, const Verb& verb) {
  SuggestTask task;
  task.checking = check_options(values);
  task.data = found_data(required_argument(values, verb), task.checking);
  task.reading = reading_of(data_form(task.data), task.data, option_text(values, "label"),
                            shared_folder() / "pipelines" / "suggest");
  task.reading.node.set("test_fraction", fmt::format("{}", usual_test_fraction));
  change_source(task.reading.node, std::exchange(task.checking.overrides, {}));
  if (values.count("candidates")) task.reading.candidates = option_text(values, "candidates");
  task.rows = number(values, "rows", 10, task.rows);
  task.splits = number(values, "splits", 2, task.splits);
  return task;
}

double DataFacts::largest_share() const {
  std::size_t largest = 0;
  for (const auto& [name, count] : classes) largest = std::max(largest, count);
  return static_cast<double>(largest) / static_cast<double>(rows);
}

DataFacts data_facts(const SuggestTask& task, const Pipeline& pipeline, const Catalogue& catalogue,
                     RunOptions settings) {
  settings.out.clear();
  Session session(pipeline, catalogue, settings);
  DataFacts facts;
  session.execute([&] {
    const std::size_t source = pipeline.nodes.front().origin;
    const Dataset& data = session.data().dataset(source);
    facts.rows = data.outline().rows();
    facts.values = data.outline().layout.size();
    for (const std::int32_t label : data.labels())
      if (label >= 0) ++facts.classes[data.outline().classes[static_cast<std::size_t>(label)]];
  });
  check_classes(task, facts);
  return facts;
}

double test_fraction(const SuggestTask& task, const DataFacts& facts) {
  const auto rows = static_cast<double>(facts.rows);
  return std::max(usual_test_fraction, 1 - static_cast<double>(task.rows) / rows);
}

}  // namespace semblance::cli
