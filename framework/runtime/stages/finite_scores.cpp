// SPDX-License-Identifier: MIT
#include "runtime/stages/finite_scores.hpp"

#include <cmath>
#include <string>

#include "runtime/graph/scoring_node.hpp"
#include "semblance/row_error.hpp"
#include "support/float_text.hpp"

namespace semblance {
namespace {

PortType type_of(const Node& node) { return node.facts().spec->info().output->type; }

/// "the score of class 'a' of ", "the estimate of 'price' of "
std::string name_of_value(const Node& node, std::size_t column, std::size_t columns) {
  const Outline& outline = *node.facts().outline;
  const PortType type = type_of(node);
  if (type == PortType::intervals && columns == 3 * outline.targets.size()) {
    constexpr const char* parts[] = {"lower end of ", "estimate of ", "upper end of "};
    return std::string("the ") + parts[column % 3] + "'" + outline.targets[column / 3] + "' of ";
  }
  if (type == PortType::estimates && columns == outline.targets.size())
    return "the estimate of '" + outline.targets[column] + "' of ";
  if (type == PortType::scores && columns == outline.classes.size())
    return "the score of class '" + outline.classes[column] + "' of ";
  return "the score of ";
}

/// ": its largest value is -3e+38 in column 'height'"
std::string largest_input(const Compilation& graph, const Node& node, std::size_t row,
                          std::span<const MatrixView> inputs) {
  const auto& columns = node.facts().outline->columns;
  const bool named = inputs.size() == 1 && node.facts().inputs.size() == 1 &&
                     graph.facts(node.facts().inputs[0]).gives_columns_of_source &&
                     columns.size() == inputs[0].cols && !inputs[0].sparse();
  float largest = 0;
  std::string where;
  for (const MatrixView& input : inputs) {
    const std::span<const float> values = input.row_span(row);
    for (std::size_t j = 0; j < values.size(); ++j) {
      if (!(std::abs(values[j]) > std::abs(largest))) continue;
      largest = values[j];
      if (named) where = " in column '" + columns[j] + "'";
    }
  }
  if (largest == 0) return "";
  std::string text = ": the largest value it is computed from is ";
  append_float(text, largest);
  return text + where;
}

template <class Number>
std::size_t first_not_finite(std::span<const Number> values) {
  std::size_t k = 0;
  while (k < values.size() && std::isfinite(values[k])) ++k;
  return k;
}

RowError problem(const Compilation& graph, const Node& node, std::size_t row, const std::string& of,
                 double value, std::span<const MatrixView> inputs) {
  return RowError(RowError::Of::block, row, of,
                  std::string(" is ") + (std::isnan(value) ? "NaN" : "infinite") +
                      ", not a finite number" + largest_input(graph, node, row, inputs) +
                      "; scale the columns (normalizer/zscore), and give a value that marks a "
                      "missing one as missing");
}

}  // namespace

void check_scores(const Compilation& graph, const Node& node, MatrixView scores,
                  std::span<const MatrixView> inputs) {
  const bool intervals = type_of(node) == PortType::intervals;
  for (std::size_t i = 0; i < scores.rows; ++i) {
    const std::span<const float> row = scores.row_span(i);
    std::size_t k = first_not_finite(row);
    while (k < row.size() && intervals && k % 3 != 1 && std::isinf(row[k]))
      k += 1 + first_not_finite(row.subspan(k + 1));
    if (k == row.size()) continue;
    const RowError found =
        problem(graph, node, i, name_of_value(node, k, row.size()), row[k], inputs);
    if (type_of(node) != PortType::pair_scores) throw found;
    throw Error(found.named("pair " + std::to_string(i) + " (counted from 0)"));
  }
}

void check_decisions(const Compilation& graph, const Node& node, std::span<const double> values,
                     std::size_t count, MatrixView inputs) {
  const std::size_t k = first_not_finite(values);
  if (k == values.size()) return;
  const std::size_t row = k / count;
  throw Error(problem(graph, node, row, "decision value " + std::to_string(k % count) + " of ",
                      values[k], {&inputs, 1})
                  .named("row " + std::to_string(row) + " of the new data"));
}

}  // namespace semblance
