// SPDX-License-Identifier: MIT
#include "scored_samples.hpp"

#include <algorithm>

#include "semblance/error.hpp"
#include "semblance/label_evaluator.hpp"

namespace semblance::evaluators {

std::vector<std::size_t> known_rows(const Scored& test, Report& report, Context& context) {
  std::vector<std::size_t> rows = labelled_rows(test);
  const std::size_t unlabelled = test.labels.size() - rows.size();
  report.integer("rows", static_cast<std::int64_t>(rows.size()));
  report.integer("unlabelled", static_cast<std::int64_t>(unlabelled));
  if (unlabelled > 0)
    context.log(LogLevel::warning, std::to_string(unlabelled) + " of " +
                                       std::to_string(test.labels.size()) +
                                       " test rows have no label and are excluded");
  return rows;
}

std::vector<FigureInfo> known_rows_figures() {
  return {
      {"rows", "number of evaluated rows", FigureUnit::count},
      {"unlabelled", "number of test rows excluded, as their class is unknown", FigureUnit::count}};
}

std::size_t class_named(const std::string& parameter, const std::string& name,
                        std::span<const std::string> classes) {
  const auto found = std::ranges::find(classes, name);
  if (found != classes.end()) return static_cast<std::size_t>(found - classes.begin());
  constexpr std::size_t most_named = 10;
  std::string all;
  for (std::size_t c = 0; c < std::min(classes.size(), most_named); ++c) {
    all += c > 0 ? ", '" : "'";
    all += classes[c] + "'";
  }
  if (classes.size() > most_named) all += ", ...";
  throw Error("'" + parameter + "' names the class '" + name + "', but the classes are " + all);
}

}  // namespace semblance::evaluators
