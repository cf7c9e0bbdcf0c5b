// SPDX-License-Identifier: MIT
#include "figures/scored_samples.hpp"

#include <utility>

#include "semblance/label_evaluator.hpp"
#include "semblance/samples.hpp"

namespace semblance::evaluators {
namespace {

std::string name_of(const Dataset& data, std::size_t row) {
  std::string name = data.name(row);
  return name.empty() ? "row " + std::to_string(data.number(row)) : name;
}

}  // namespace

std::vector<std::size_t> known_rows(const Results& test, Report& report, Context& context) {
  std::vector<std::size_t> rows = labelled_rows(test);
  report_known_rows(rows.size(), test.labels.size(), "have no label", report, context);
  return rows;
}

void report_known_rows(std::size_t known, std::size_t all, const std::string& lack, Report& report,
                       Context& context) {
  report.integer("rows", static_cast<std::int64_t>(known));
  report.integer("unlabelled", static_cast<std::int64_t>(all - known));
  if (known < all)
    context.log(LogLevel::warning, std::to_string(all - known) + " of " + std::to_string(all) +
                                       " test rows " + lack + " and are excluded");
}

std::vector<FigureInfo> known_rows_figures() {
  return {{"rows", "number of evaluated rows", FigureUnit::count},
          {"unlabelled", "number of test rows excluded, as their target is unknown",
           FigureUnit::count}};
}

SampleList::Sample drawn_sample(const Dataset& data, std::size_t row, const std::string& label) {
  const std::size_t size = data.values(row);
  FloatMatrix values = room_for(data.outline().layout, {&size, 1});
  data.read(row, values.view());
  return {name_of(data, row), label, std::move(values.values), std::move(values.columns)};
}

std::vector<std::string> column_names(const Outline& outline) {
  const LayoutKind kind = outline.layout.kind;
  const bool named = (kind == LayoutKind::vector || kind == LayoutKind::sparse) &&
                     outline.columns.size() == outline.layout.size();
  return named ? outline.columns : std::vector<std::string>();
}

}  // namespace semblance::evaluators
