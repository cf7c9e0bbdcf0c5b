// SPDX-License-Identifier: MIT
#include "text/text_table_source.hpp"

#include "text/one_hot.hpp"
#include "text/text_values.hpp"

namespace semblance::sources {

void TextTableSource::check_parameters() const {
  TableSource::check_parameters();
  if (missing_ == "refuse" || missing_ == "keep") return;
  // Filling in values requires learning, and a source does not know the training samples of a fold.
  const bool mean = missing_ == "mean" || missing_ == "median";
  if (mean || missing_ == "indicator")
    throw Error(
        "'missing' keeps or refuses values and does not fill them in, which is learned from the "
        "training rows alone; write 'missing: keep' and add after it a node {is: "
        "normalizer/impute, " +
        (mean ? "strategy: " + missing_ : std::string("indicator: true")) + ", from: ...}");
  throw Error("'missing' must be refuse or keep, got " + in_quotes(missing_));
}

void TextTableSource::fill(TableFormat& format) const {
  format.ignore = ignore_;
  format.id = id_;
  format.weight = weight_;
  format.groups = groups_;
  format.columns = columns_;
  format.keeps_missing = keeps_missing();
  format.labels = label_rule(format.declares_types);
}

std::unique_ptr<Dataset> TextTableSource::open_table(const TableFormat& format, Read& read,
                                                     Context& context) const {
  TextTable table;
  table.wanted = wanted();
  if (model()) table.expected = {model()->layout.size(), model()->columns, {}, {}, true};
  read(train_file(), format, table, context);
  const std::size_t first = table.rows();
  if (!test_file().empty()) read(test_file(), format, table, context);
  check_labels(table.labels, table.classes);
  return finish_table(std::move(table), first, format.finds_categorical(), context);
}

std::unique_ptr<Dataset> TextTableSource::finish_table(TextTable table, std::size_t first,
                                                       bool found_categorical,
                                                       Context& context) const {
  if (!table.ids.empty()) table.ids.resize(table.rows());
  HeldRows held = table.held();
  Split parts = finish_labels(table.classes, table.labels, table.groups, first, context);
  const CategoryRules rules{accepts_unknown_categories(), found_categorical};
  OneHotTable rows = one_hot(table, parts, rules, train_file(), context);
  if (model() && !table.categorical.empty()) {
    // A model of a file without a header has only the order of columns, no names.
    if (!table.columns.empty() && table.expected.names.empty())
      context.log(LogLevel::warning, train_file() +
                                         ": columns are matched by position: the model has no "
                                         "column names");
    rows.columns = model()->columns;
  }
  return make_dataset(
      Layout::vector(rows.cols), table.classes.names(), std::move(rows.values),
      std::move(table.labels), std::move(parts),
      RowOrigins{{}, std::move(table.ids), std::move(table.weights), std::move(table.groups)},
      std::move(rows.columns), std::move(held));
}

}  // namespace semblance::sources
