// SPDX-License-Identifier: MIT
#include "text/arff_table.hpp"
#include "text/text_table_source.hpp"

namespace semblance::sources {
namespace {

/// Tables in Weka's .arff: numeric and nominal attributes.
class Arff final : public TextTableSource {
 public:
  std::unique_ptr<Dataset> open(Context& context) const override;
  static Declaration<Arff> declare();

 private:
  std::string label_ = "-1";
};

std::unique_ptr<Dataset> Arff::open(Context& context) const {
  TableFormat format;
  format.separator.clear();
  format.header = "present";
  format.label = label_;
  format.declares_types = true;
  fill(format);
  format.row_weights = weight_ == "{}";
  if (format.row_weights) format.weight.clear();
  return open_table(format, read_arff_table, context);
}

Declaration<Arff> Arff::declare() {
  Declaration<Arff> declaration("source/arff", "A table in Weka's .arff format");
  declaration
      .parameter("path", &Arff::path_, ".arff file, plain or as .gz, .xz, .bz2 or .zst", required())
      .parameter("label", &Arff::label_,
                 "the class attribute: its name, or its number, counted from 1 or, if negative, "
                 "from the end; none: the rows have no labels and are all for testing");
  declare_columns(declaration);
  declare_split(declaration);
  declare_classes(declaration);
  return declaration.gives(LayoutKind::vector)
      .random()
      .documentation(
          "A nominal attribute becomes one value per declared value, in the order of the "
          "declaration: 1 in rows that have it, else 0. The class attribute may be of any type; "
          "classes are ordered by value if all are integers, else by name. Attributes of other "
          "types (string, date) cannot be values: name them in `ignore`. Sparse rows, `{1 0.5, 3 "
          "red}`, count attributes from 0; those they omit are 0, or the first declared value. "
          "Fields end at commas or tabs, and `%` after them begins a remark. With `weight: \"{}\"` "
          "the number in braces after a row's values is its weight, or 1 if it has none. `?` is a "
          "missing value. Kept, it is filled in by normalizer/impute, which must take the rows; of "
          "a nominal attribute it is a value of its own, `color=`.\n\nThe attributes of the files "
          "of `path` and `test_path`, or of a model and the file it is applied to, are matched by "
          "name. Time series in .arff files are read by source/ucr.")
      .complexity("memory: 4 bytes per value; a nominal attribute has one for each of its values")
      .example(R"(
        table: {is: source/arff, path: table.arff, label: class, test_fraction: 0.3}
        x:     {is: normalizer/zscore, from: table}
        svm:   {is: solver/linear_svm, from: x}
        test:  {is: evaluator/classification, from: svm})");
}

}  // namespace

ComponentEntry declare_arff() { return Arff::declare().entry(); }

}  // namespace semblance::sources
