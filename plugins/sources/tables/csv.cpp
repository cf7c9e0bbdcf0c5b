// SPDX-License-Identifier: MIT
#include <algorithm>
#include <optional>

#include "files/line_reader.hpp"
#include "rows/memory_limit.hpp"
#include "semblance/error.hpp"
#include "semblance_tables/table_lines.hpp"
#include "semblance_tables/text_values.hpp"
#include "tables/category_columns.hpp"
#include "tables/csv_records.hpp"
#include "tables/first_line.hpp"
#include "tables/text_table.hpp"
#include "tables/text_table_source.hpp"
#include "tables/understood_columns.hpp"

namespace semblance::sources {
namespace {

/// Reads one file: determines its columns' roles and whether its first line names them.
class CsvReader {
 public:
  CsvReader(const std::string& file, const FileFormat& format, TextTable& table)
      : lines_(file),
        format_(format),
        table_(table),
        records_(lines_, format),
        rows_(lines_, format, table) {}

  void read(Context& context) {
    const bool first_file = !table_.model && table_.expected.count == 0;
    if ((format_.understands || !format_.dates.empty()) && first_file)
      survey_.emplace(survey_columns(lines_.path(), format_, context));
    if (format_.finds_categorical() && first_file)
      types_ = column_types(lines_.path(), format_, context);
    while (records_.next(fields_)) {
      if (lines_.number() % 4096 == 0) context.check_stop();
      const bool first = first_line_ == 0;
      if (first && header_lacks_row_names(lines_.path(), format_)) {
        fields_.insert(fields_.begin(), std::string_view());
        context.log(LogLevel::info, lines_.path() +
                                        ": the first field of each row, which has no name in the "
                                        "header, is taken as the row's name");
      }
      if (first) {
        const bool header = starts_with_header(context);
        report_left_out(lines_.path(), rows_.roles(), left_out_, context);
        if (header) continue;
      }
      rows_.check_fields(fields_.size(), first_line_);
      rows_.append(fields_);
      if (format_.understands && survey_ && format_.groups.empty())
        copies_.look(fields_, rows_.roles().values);
      check_fits(table_.bytes(), "the rows so far", lines_.path(), lines_.place(), context);
    }
    rows_.finish(context);
    copies_.tell(lines_.path(), context);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw DataError(lines_.path(), lines_.place(), what);
  }

  ColumnRoles roles(bool header) {
    std::vector<std::string> names;
    if (header) names.assign(fields_.begin(), fields_.end());
    const auto failure = [this](const std::string& what) { fail(what); };
    ColumnRoles roles = rows_.find(fields_, std::move(names), failure);
    if (survey_) {
      const auto refuse = [&](const std::string& what) {
        throw DataError(lines_.path(), "", what);
      };
      survey_->find_date_forms(roles, refuse);
      if (format_.understands) left_out_ = survey_->understand(roles, refuse);
    }
    if (types_.empty()) return roles;
    for (std::size_t k = 0; k < roles.values.size(); ++k) {
      const std::size_t c = roles.values[k];
      if (roles.dates.contains(c)) continue;
      const auto refuse = [&](const std::string& what) {
        throw DataError(lines_.path(), "", what);
      };
      roles.categorical[k] = holds_categories(types_[c], roles.describe(c), format_, refuse);
    }
    return roles;
  }

  /// Examines the first line; afterwards the roles of all columns are known.
  bool starts_with_header(Context& context) {
    first_line_ = lines_.number();
    const bool header = is_header(context);
    rows_.begin(roles(header));
    return header;
  }

  bool is_header(Context& context) {
    if (format_.header != "auto") return format_.header == "present";
    if (const auto header = rows_.names_known_columns(fields_)) return *header;
    const auto as_row = [this] { return roles(false); };
    return names_columns({fields_, lines_.path(), lines_.number()}, format_, table_, as_row,
                         context);
  }

  LineReader lines_;
  const FileFormat& format_;
  TextTable& table_;
  CsvRecords records_;
  TableRows rows_;
  std::vector<ColumnType> types_;       ///< if they say which columns are categorical
  std::optional<ColumnSurvey> survey_;  ///< for `columns: [auto]`
  std::vector<LeftOut> left_out_;
  CopiedRows copies_;
  std::size_t first_line_ = 0;
  std::vector<std::string_view> fields_;
};

/// Tables of numbers and categories in text files, one row per line.
class Csv final : public TextTableSource {
 public:
  void apply_model(const NewData& data) override {
    refuse_fixed(data, {"categorical", "dates"});
    TextTableSource::apply_model(data);
  }
  std::unique_ptr<Dataset> open(Context& context) const override {
    return open_table<CsvReader>(format(), context);
  }
  std::unique_ptr<RowLines> lines(const NewData& model) const override {
    return std::make_unique<TableLines>(format(), model,
                                        ModelRowRules{accepts_unknown_categories()});
  }

  static Declaration<Csv> declare() {
    Declaration<Csv> declaration(
        "source/csv", "A table of numbers and categories in a text file, one row per line");
    declare_text_file(declaration, "text file");
    declaration
        .parameter("separator", &Csv::separator_,
                   "field separator; auto: the comma, semicolon or tab that the first line has "
                   "most of, else runs of blanks",
                   choices({"auto", "comma", "semicolon", "tab", "blank"}))
        .parameter(
            "decimal", &Csv::decimal_,
            "how numbers are written: 1.5 or 1,5; with comma, auto finds no commas between fields",
            choices({"point", "comma"}))
        .parameter("header", &Csv::header_,
                   "whether the first line names the columns; auto: yes if it holds no number, or "
                   "0, 1, 2, ... and a label that no row has",
                   choices({"auto", "present", "absent"}))
        .parameter("categorical", &Csv::categorical_,
                   "columns that hold categories, by name or number; [auto]: those without any "
                   "number; empty: none, and every value must be a number")
        .parameter("dates", &Csv::dates_,
                   "columns that hold dates, by name or number: each becomes the days since 1970, "
                   "the day of the year and the weekday; 'columns: [auto]' finds them")
        .parameter("number_categories", &Csv::number_categories_,
                   "with 'columns: [auto]', columns of 3 up to this many different whole numbers, "
                   "and no other values, hold categories; 0: they hold numbers",
                   at_least(0), at_most(30), unit("values"));
    declare_columns(declaration);
    return declaration.gives(LayoutKind::vector)
        .random()
        .documentation(
            "Labels may be numbers or text; classes are ordered by value if all labels are "
            "integers, else by name. `1`, `+1`, `1.0` and `1.00e+00` are one class; `01`, `1,0` "
            "and `12e4` are others. Fields may be quoted. Lines end with LF or CRLF; empty lines "
            "are skipped. Non-finite values are errors, and so are columns whose values float32 "
            "cannot distinguish; integers beyond 16,777,216 that get rounded are reported.\n\n"
            "A column of categories becomes one value per category, 1 in rows that have it and "
            "else 0: `color=blue`, `color=red`. The categories are those of the training rows, "
            "ordered and spelled as classes are; a model carries them, so that new data have the "
            "same values. Folds of a cross-validation have the categories of all training rows: "
            "these say which values there are, as the classes do, and nothing about any row.\n\n"
            "A value is missing if the field is empty, `?`, `NA`, `N/A`, `NaN`, `null`, `None`, "
            "`#N/A` or `<NA>`; such a label is missing, too. Kept, a value is filled in by "
            "normalizer/impute, which must take the rows; in a column of categories it is a "
            "category of its own, `color=`.\n\n"
            "If the files of `path` and `test_path`, or a model and the file it is applied to, "
            "both name their columns, these are matched by name: their order does not matter, and "
            "a missing or new column is an error. Otherwise they are matched by position; only new "
            "data with categories need the header that the training file had. Column names must be "
            "unique. A first column without a name, as pandas and R write it, names the rows.")
        .complexity(
            "memory: 4 bytes per value; a column of categories has one for each, and [auto] reads "
            "the file twice")
        .example(R"(
        table: {is: source/csv, path: table.csv, label: class, test_fraction: 0.3}
        x:     {is: normalizer/zscore, from: table}
        svm:   {is: solver/linear_svm, from: x}
        test:  {is: evaluator/classification, from: svm})");
  }

 private:
  bool understands_columns() const override { return true; }

  FileFormat format() const {
    FileFormat format;
    fill(format);
    format.separator = separator_;
    format.header = header_;
    format.categorical = categorical_;
    format.dates = dates_;
    format.decimal_comma = decimal_ == "comma";
    format.number_categories = static_cast<std::size_t>(number_categories_);
    return format;
  }

  std::string separator_ = "auto";
  std::string decimal_ = "point";
  std::string header_ = "auto";
  std::vector<std::string> categorical_, dates_;
  std::int64_t number_categories_ = 0;
};

}  // namespace

ComponentEntry declare_csv() { return Csv::declare().entry(); }

}  // namespace semblance::sources
