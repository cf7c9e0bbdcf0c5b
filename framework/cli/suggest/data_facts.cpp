// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>

#include "cli/suggest/suggest.hpp"
#include "pipeline/pipeline.hpp"
#include "registry/catalogue.hpp"
#include "runtime/services/node_error.hpp"
#include "runtime/services/run_context.hpp"
#include "runtime/services/run_options.hpp"
#include "runtime/session/session.hpp"

namespace semblance::cli {
namespace {

/// A column with fewer samples per class than this hardly contains classes.
constexpr std::size_t fewest_rows_of_a_class = 4;

void check_classes(const SuggestTask& task, const DataFacts& facts) {
  const std::size_t classes = facts.classes.size();
  if (classes < 2)
    throw Error(
        fmt::format("'{}' has {}; name the class column with --label, or try novelty detectors "
                    "with --label none",
                    task.data.string(), classes == 0 ? "no labels" : "a single class"));
  if (classes * fewest_rows_of_a_class > facts.rows)
    throw Error(fmt::format(
        "'{}' has {} classes for {} rows, but splits and folds need {} rows per class; "
        "give more rows, name another column of classes with --label (none: novelty), or a "
        "number to predict with --target",
        task.data.string(), classes, facts.rows, fewest_rows_of_a_class));
}

/// Some rows of each split's test must be novel.
void check_novel_rows(const SuggestTask& task, const DataFacts& facts) {
  const auto usual = facts.classes.find(task.reading.normal);
  const std::size_t novel = facts.rows - (usual == facts.classes.end() ? 0 : usual->second);
  if (novel < fewest_rows_of_a_class)
    throw Error(
        fmt::format("'{}' has {} row{} of other classes than '{}', too few to test "
                    "detectors on; try them without classes, with --label none",
                    task.data.string(), novel, novel == 1 ? "" : "s", task.reading.normal));
}

/// The standard deviation of the known numbers to predict.
double deviation_of(const Dataset& data) {
  if (data.outline().targets.size() != 1)
    throw Error("the methods are compared by the error of one number; name one with --target");
  double sum = 0, squares = 0, count = 0;
  for (const double target : data.targets())
    if (!std::isnan(target)) sum += target, ++count;
  for (const double target : data.targets())
    if (!std::isnan(target)) squares += (target - sum / count) * (target - sum / count);
  return std::sqrt(squares / count);
}

}  // namespace

double DataFacts::trivial_error() const {
  if (classes.empty()) return deviation;
  std::size_t largest = 0;
  for (const auto& [name, count] : classes) largest = std::max(largest, count);
  return 1 - static_cast<double>(largest) / static_cast<double>(rows);
}

DataFacts data_facts(const SuggestTask& task, const Pipeline& pipeline, const Catalogue& catalogue,
                     RunOptions settings) {
  settings.out.clear();
  settings.deadline.reset();  // what there is no time for is named by its methods
  DataFacts facts;
  const RunOptions console = settings;
  std::mutex guard;
  settings.on_log = [&](LogLevel level, const std::string& line) {
    const std::lock_guard lock(guard);
    const std::size_t file = line.find(task.data.string() + ": ");
    if (level == LogLevel::info && file != line.npos)
      facts.remarks.insert(line.substr(file));
    else if (level >= console.log.console)
      tell(console, level, line);
  };
  const std::size_t source = pipeline.nodes.front().origin;
  try {
    Session session(pipeline, catalogue, settings);
    session.execute([&] {
      const Dataset& data = session.data().dataset(source);
      facts.rows = data.outline().rows();
      facts.layout = data.outline().layout;
      for (const std::int32_t label : data.labels())
        if (label >= 0) ++facts.classes[data.outline().classes[static_cast<std::size_t>(label)]];
      if (task.numbers) facts.deviation = deviation_of(data);
    });
  } catch (const NodeError& error) {  // its place is in a pipeline that the user has not seen
    throw Error(error.problem() + "\n(parameters of " + pipeline.nodes[source].component.id +
                " are set with --set nodes.data.NAME=VALUE)");
  }
  const bool classes = !task.numbers && (!task.reading.novelty || !task.reading.normal.empty());
  if (classes) check_classes(task, facts);
  if (!task.reading.normal.empty()) check_novel_rows(task, facts);
  return facts;
}

}  // namespace semblance::cli
