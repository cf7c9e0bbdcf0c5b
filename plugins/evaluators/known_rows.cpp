// SPDX-License-Identifier: MIT
#include "known_rows.hpp"

#include <string>

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

}  // namespace semblance::evaluators
