// SPDX-License-Identifier: MIT
#include "text/csv.hpp"

namespace semblance {

std::unique_ptr<Dataset> Csv::open(Context& context) const {
  const TableFormat format{separator_, header_, label_, ignore_};
  TextTable table;
  read_text_table(train_file(), format, table, context);
  const std::size_t first = table.rows();
  if (!test_file().empty()) read_text_table(test_file(), format, table, context);
  return finish(Layout::vector(table.cols), std::move(table.classes), std::move(table.values),
                std::move(table.labels), first, context);
}

Declaration<Csv> Csv::declare() {
  Declaration<Csv> declaration("source/csv", "A table of numbers in a text file, one row a line");
  declaration
      .parameter("path", &Csv::path_, "text file, plain or as .gz, .xz, .bz2, .zst", required())
      .parameter("separator", &Csv::separator_,
                 "what stands between the fields; auto looks at the first line for a comma, a "
                 "semicolon, a tab, and takes runs of blanks otherwise",
                 choices({"auto", "comma", "semicolon", "tab", "blank"}))
      .parameter("header", &Csv::header_,
                 "whether the first line names the columns; auto: yes where it holds no number",
                 choices({"auto", "present", "absent"}))
      .parameter("label", &Csv::label_,
                 "the class column: its name, or its number from 1 or, negative, from the end; "
                 "none: the rows have no labels and are all for testing")
      .parameter("ignore", &Csv::ignore_, "columns to leave out, by name or number");
  declare_split(declaration);
  return declaration.gives(LayoutKind::vector)
      .random()
      .documentation(
          "Labels may be numbers or texts; classes are ordered by value where all labels are whole "
          "numbers, else by name. Fields may be quoted. LF and CRLF end lines; empty lines are "
          "skipped. Missing and non-finite values are errors.")
      .complexity("memory: 4 bytes a value")
      .example(R"(
        table: {is: source/csv, path: table.csv, label: class, test_fraction: 0.3}
        x:     {is: normalizer/zscore, from: table}
        svm:   {is: solver/linear_svm, from: x}
        test:  {is: evaluator/classification, from: svm})");
}

}  // namespace semblance
