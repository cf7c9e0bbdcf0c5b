// SPDX-License-Identifier: MIT
#include "text/csv.hpp"

namespace semblance {

std::unique_ptr<Dataset> Csv::open(Context& context) const {
  const TableFormat format{separator_, header_, label_, ignore_, id_};
  TextTable table;
  table.wanted = wanted();
  if (model()) table.expected = {model()->layout.size(), model()->columns, {}, {}, true};
  read_text_table(train_file(), format, table, context);
  const std::size_t first = table.rows();
  if (!test_file().empty()) read_text_table(test_file(), format, table, context);
  check_labels(table.labels, table.classes);
  if (!table.ids.empty()) table.ids.resize(table.rows());
  HeldRows held = table.held();
  return finish(Layout::vector(table.cols), std::move(table.classes), std::move(table.values),
                std::move(table.labels), first, context, RowOrigins{{}, std::move(table.ids)},
                std::move(table.columns), std::move(held));
}

Declaration<Csv> Csv::declare() {
  Declaration<Csv> declaration("source/csv", "A table of numbers in a text file, one row per line");
  declaration
      .parameter("path", &Csv::path_, "text file, plain or as .gz, .xz, .bz2 or .zst", required())
      .parameter("separator", &Csv::separator_,
                 "field separator; auto looks in the first line for a comma, a semicolon or a tab, "
                 "and otherwise uses runs of blanks",
                 choices({"auto", "comma", "semicolon", "tab", "blank"}))
      .parameter("header", &Csv::header_,
                 "whether the first line names the columns; auto: yes if it holds no number, or 0, "
                 "1, 2, ... and a label that no row has",
                 choices({"auto", "present", "absent"}))
      .parameter("label", &Csv::label_,
                 "the class column: its name, or its number, counted from 1 or, if negative, from "
                 "the end; none: the rows have no labels and are all for testing")
      .parameter("id", &Csv::id_,
                 "the column that names the rows, by name or number: its values appear in the "
                 "predictions and are used for nothing else")
      .parameter("ignore", &Csv::ignore_, "columns to ignore, by name or number");
  declare_split(declaration);
  declare_classes(declaration);
  return declaration.gives(LayoutKind::vector)
      .random()
      .documentation(
          "Labels may be numbers or text; classes are ordered by value if all labels are integers, "
          "else by name. `1`, `+1`, `1.0` and `1.00e+00` are one class; `01`, `1,0` and `12e4` are "
          "others. Fields may be quoted. Lines end with LF or CRLF; empty lines are skipped. "
          "Missing and non-finite values are errors, and so are columns whose values float32 "
          "cannot tell apart; integers beyond 16,777,216 that get rounded are reported.\n\nIf the "
          "files of `path` and `test_path`, or a model and the file it is applied to, both name "
          "their columns, these are matched by name: their order does not matter, and a missing or "
          "new column is an error. Otherwise they are matched by position. Column names must be "
          "unique. A first column without a name, as pandas and R write it, names the rows.")
      .complexity("memory: 4 bytes per value")
      .example(R"(
        table: {is: source/csv, path: table.csv, label: class, test_fraction: 0.3}
        x:     {is: normalizer/zscore, from: table}
        svm:   {is: solver/linear_svm, from: x}
        test:  {is: evaluator/classification, from: svm})");
}

}  // namespace semblance
