// SPDX-License-Identifier: MIT
#include "text/table_lines.hpp"
#include "text/text_table_source.hpp"

namespace semblance::sources {
namespace {

/// Tables of numbers and categories in text files, one row per line.
class Csv final : public TextTableSource {
 public:
  void apply_model(const NewData& data) override;
  std::unique_ptr<Dataset> open(Context& context) const override;
  std::unique_ptr<RowLines> lines(const NewData& model) const override;
  static Declaration<Csv> declare();

 private:
  TableFormat format() const;

  std::string separator_ = "auto";
  std::string decimal_ = "point";
  std::string header_ = "auto";
  std::string label_ = "-1";
  std::vector<std::string> categorical_;
};

void Csv::apply_model(const NewData& data) {
  refuse_fixed(data, {"categorical"});
  TextTableSource::apply_model(data);
}

TableFormat Csv::format() const {
  TableFormat format;
  fill(format);
  format.separator = separator_;
  format.header = header_;
  format.label = label_;
  format.categorical = categorical_;
  format.decimal_comma = decimal_ == "comma";
  return format;
}

std::unique_ptr<Dataset> Csv::open(Context& context) const {
  return open_table(format(), read_text_table, context);
}

std::unique_ptr<RowLines> Csv::lines(const NewData& model) const {
  return std::make_unique<TableLines>(format(), accepts_unknown_categories(), model);
}

Declaration<Csv> Csv::declare() {
  Declaration<Csv> declaration(
      "source/csv", "A table of numbers and categories in a text file, one row per line");
  declaration
      .parameter("path", &Csv::path_, "text file, plain or as .gz, .xz, .bz2 or .zst", required())
      .parameter("separator", &Csv::separator_,
                 "field separator; auto looks in the first line for a comma, a semicolon or a tab, "
                 "and otherwise uses runs of blanks",
                 choices({"auto", "comma", "semicolon", "tab", "blank"}))
      .parameter("decimal", &Csv::decimal_,
                 "how numbers are written: 1.5 or 1,5; with comma, auto finds no commas between "
                 "fields",
                 choices({"point", "comma"}))
      .parameter("header", &Csv::header_,
                 "whether the first line names the columns; auto: yes if it holds no number, or 0, "
                 "1, 2, ... and a label that no row has",
                 choices({"auto", "present", "absent"}))
      .parameter("label", &Csv::label_,
                 "the class column: its name, or its number, counted from 1 or, if negative, from "
                 "the end; none: the rows have no labels and are all for testing")
      .parameter("categorical", &Csv::categorical_,
                 "columns that hold categories, by name or number; [auto]: those without any "
                 "number; empty: none, and every value must be a number");
  declare_columns(declaration);
  declare_split(declaration);
  declare_classes(declaration);
  return declaration.gives(LayoutKind::vector)
      .random()
      .documentation(
          "Labels may be numbers or text; classes are ordered by value if all labels are integers, "
          "else by name. `1`, `+1`, `1.0` and `1.00e+00` are one class; `01`, `1,0` and `12e4` are "
          "others. Fields may be quoted. Lines end with LF or CRLF; empty lines are skipped. "
          "Non-finite values are errors, and so are columns whose values float32 cannot tell "
          "apart; integers beyond 16,777,216 that get rounded are reported.\n\nA column of "
          "categories becomes one value per category, 1 in rows that have it and else 0: "
          "`color=blue`, `color=red`. The categories are those of the training rows, ordered and "
          "spelled as classes are; a model carries them, so that new data have the same values. "
          "Folds of a cross-validation have the categories of all training rows: these say which "
          "values there are, as the classes do, and nothing about any row.\n\nA value is missing "
          "if the field is empty, `?`, `NA`, `N/A`, `NaN`, `null`, `None`, `#N/A` or `<NA>`; such "
          "a "
          "label is missing, too. Kept, a value is filled in by "
          "normalizer/impute, which must take the rows; in a column of categories it is a category "
          "of its own, `color=`.\n\nIf the files of `path` and `test_path`, or a model and the "
          "file it is applied to, both name their columns, these are matched by name: their order "
          "does not matter, and a missing or new column is an error. Otherwise they are matched by "
          "position; only new data with categories need the header that the training file had. "
          "Column names must be unique. A first column without a name, as pandas and R write it, "
          "names the rows.")
      .complexity(
          "memory: 4 bytes per value; a column of categories has one for each, and [auto] reads "
          "the file twice")
      .example(R"(
        table: {is: source/csv, path: table.csv, label: class, test_fraction: 0.3}
        x:     {is: normalizer/zscore, from: table}
        svm:   {is: solver/linear_svm, from: x}
        test:  {is: evaluator/classification, from: svm})");
}

}  // namespace

ComponentEntry declare_csv() { return Csv::declare().entry(); }

}  // namespace semblance::sources
