// SPDX-License-Identifier: MIT
#include <algorithm>
#include <optional>
#include <unordered_set>

#include "files/line_reader.hpp"
#include "rows/memory_limit.hpp"
#include "semblance/error.hpp"
#include "semblance_tables/table_lines.hpp"
#include "semblance_tables/text_values.hpp"
#include "tables/category_columns.hpp"
#include "tables/csv_records.hpp"
#include "tables/text_table.hpp"
#include "tables/text_table_source.hpp"
#include "tables/understood_columns.hpp"

namespace semblance::sources {
namespace {

constexpr std::size_t no_column = ColumnRoles::none;

/// Reads one file: determines its columns' roles and whether its first line names them.
class CsvReader {
 public:
  CsvReader(const std::string& file, const FileFormat& format, TextTable& table)
      : lines_(file),
        format_(format),
        table_(table),
        numbers_(format.decimal_comma),
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
      const bool first = fields_in_line_ == 0;
      if (first && header_lacks_row_names(lines_.path(), format_)) {
        fields_.insert(fields_.begin(), std::string_view());
        context.log(LogLevel::info, lines_.path() +
                                        ": the first field of each row, which has no name in the "
                                        "header, is taken as the row's name");
      }
      if (first) {
        const bool header = starts_with_header(context);
        tell_left_out(lines_.path(), rows_.roles(), left_out_, context);
        if (header) continue;
      }
      check_fields();
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
    fields_in_line_ = fields_.size();
    first_line_ = lines_.number();
    const bool header = is_header(context);
    rows_.begin(roles(header));
    return header;
  }

  bool is_header(Context& context) {
    if (format_.header != "auto") return format_.header == "present";
    if (const auto header = rows_.names_known_columns(fields_)) return *header;
    return names_a_column() || looks_like_header(context);
  }

  bool names_a_column() const {
    const auto is_name = [](const std::string& s) { return !parse_integer(s); };
    return format_.any_is_name() || std::ranges::any_of(format_.ignore, is_name) ||
           std::ranges::any_of(format_.columns, is_name) ||
           std::ranges::any_of(format_.dates, is_name) ||
           (!format_.finds_categorical() && std::ranges::any_of(format_.categorical, is_name));
  }

  /// Without a setting for the header, a first line of numbers, targets among them, and of missing
  /// values is a row and one of texts is a header; a mixture may also be a damaged row. Numbers may
  /// also be names, as written by pandas. Categories are inconclusive.
  bool looks_like_header(Context& context) {
    const ColumnRoles as_row = roles(false);
    std::vector<std::size_t> columns;
    std::vector<std::string_view> values;
    for (std::size_t k = 0; k < as_row.values.size(); ++k) {
      if (as_row.categorical[k]) continue;
      columns.push_back(as_row.values[k]);
      values.push_back(fields_[columns.back()]);
    }
    const bool after_index = values.size() > 2 && values[0].empty() && columns[0] == 0 &&
                             counts_from_zero(std::span(values).subspan(1));
    if (after_index) return true;  // after an index without a name
    for (const std::size_t c : as_row.targets) {
      if (c == no_column) continue;
      columns.push_back(c);
      values.push_back(fields_[c]);
    }
    if (values.empty())
      fail(
          "names the columns or is a row, which categories alone do not show; set 'header: "
          "present' or 'header: absent'");
    std::size_t numbers = 0, texts = 0, first_text = 0;
    for (std::size_t k = values.size(); k-- > 0;)
      if (numbers_.is_number(values[k]))
        ++numbers;
      else if (!format_.is_missing(values[k]))
        ++texts, first_text = k;
    if (texts > 0 && numbers > 0) refuse_mixture(columns[first_text], values[first_text]);
    return texts > 0 || names_by_numbers(as_row, context);
  }

  [[noreturn]] void refuse_mixture(std::size_t column, std::string_view text) const {
    const std::string remedy = numbers_.remedy(text);
    fail("column " + std::to_string(column + 1) + " is " + in_quotes(text) +
         ", not a number, though other columns are; " +
         (remedy.empty() ? "correct it, name its column in 'categorical' if it holds categories, "
                           "or in 'label', 'id' or 'ignore', or set 'header: present'"
                         : remedy));
  }

  void check_fields() const {
    if (fields_.size() != fields_in_line_)
      fail("has " + std::to_string(fields_.size()) + " fields, but line " +
           std::to_string(first_line_) + " has " + std::to_string(fields_in_line_) +
           "; every row needs the same number");
  }

  /// What the rows behind the first line have in common with it.
  struct Echo {
    bool label = false;       ///< one has its label
    bool category = false;    ///< one has one of its categories
    std::size_t rows = 0;     ///< looked at
    std::size_t classes = 0;  ///< different labels, with those of a file before
  };

  /// Looks at the rows until one answers the question.
  Echo look_for_echo(const ColumnRoles& roles, Context& context) const {
    Echo echo;
    ClassNames seen = table_.classes;
    std::vector<std::string> wanted(fields_.size());
    for (std::size_t k = 0, next = 0; k < roles.values.size(); ++k) {
      if (!roles.categorical[k]) continue;
      wanted[roles.values[k]] = category_of(fields_[roles.values[k]]);
      if (next < table_.categorical.size())
        echo.category = echo.category || table_.categorical[next].knows(wanted[roles.values[k]]);
      ++next;
    }
    LineReader lines(lines_.path());
    CsvRecords records(lines, format_);
    std::vector<std::string_view> fields;
    records.next(fields);
    const bool labelled = roles.label != no_column;
    echo.label = labelled && seen.knows(fields_[roles.label]);
    while (!(labelled ? echo.label : echo.category) && records.next(fields)) {
      if (++echo.rows % 4096 == 0) context.check_stop();
      if (fields.size() != fields_.size()) continue;
      for (std::size_t k = 0; k < roles.values.size(); ++k)
        if (roles.categorical[k] && category_of(fields[roles.values[k]]) == wanted[roles.values[k]])
          echo.category = true;
      if (labelled && !format_.labels.is_missing(fields[roles.label]))
        seen.add(fields[roles.label]);
      echo.label = labelled && seen.knows(fields_[roles.label]);
    }
    echo.classes = seen.names().size();
    return echo;
  }

  std::string category_of(std::string_view field) const {
    return format_.is_missing(field) ? CategoryColumn::missing : canonical_label(field);
  }

  /// Whether a line without texts among its values names the columns, as the other rows show.
  bool names_by_numbers(const ColumnRoles& roles, Context& context) const {
    const bool labelled = roles.label != no_column;
    const std::string label(labelled ? fields_[roles.label] : std::string_view());
    const bool whole_line_counts = fields_.size() > 2 && counts(all_columns());
    const bool text = labelled && !NumberForm(format_.decimal_comma).is_number(label);
    const bool any_categories = std::ranges::count(roles.categorical, true) > 0;
    if (!whole_line_counts && !text && (labelled || !any_categories)) return false;
    const Echo echo = look_for_echo(roles, context);
    const bool fresh = labelled && !format_.labels.is_missing(label) && !echo.label;
    const bool values_count = roles.values.size() > 1 && counts(roles.values);
    if (fresh && (whole_line_counts || (text && values_count))) {
      check_numbers_stay(context);
      return true;
    }
    if (whole_line_counts) ask("counts 0, 1, 2, ..., like the column names that pandas generates");
    if (fresh && text && echo.classes >= 2 && echo.rows >= 2 * echo.classes)
      ask("has the label " + in_quotes(label) +
          ", which no other row has, as if it named the columns");
    if ((!labelled || (fresh && text)) && any_categories && !echo.category)
      ask(labelled ? "has a label and categories that no other row has, as if it named the columns"
                   : "has categories that no other row has, as if it named the columns");
    return false;
  }

  std::vector<std::size_t> all_columns() const {
    std::vector<std::size_t> all(fields_.size());
    for (std::size_t c = 0; c < all.size(); ++c) all[c] = c;
    return all;
  }

  bool counts(const std::vector<std::size_t>& columns) const {
    std::vector<std::string_view> texts;
    texts.reserve(columns.size());
    for (const std::size_t c : columns) texts.push_back(fields_[c]);
    return counts_from_zero(texts);
  }

  [[noreturn]] void ask(const std::string& what) const {
    throw DataError(
        lines_.path(), "line " + std::to_string(first_line_),
        what + "; set 'header: present' if it does name them, or 'header: absent' if it is a row");
  }

  /// A number in a parameter now takes precedence as a name: it must mean the same column.
  void check_numbers_stay(Context& context) const {
    const std::vector<std::string> names(fields_.begin(), fields_.end());
    std::vector<std::string> wanted = format_.ignore;
    wanted.insert(wanted.end(), format_.columns.begin(), format_.columns.end());
    wanted.insert(wanted.end(), format_.dates.begin(), format_.dates.end());
    if (!format_.finds_categorical())
      wanted.insert(wanted.end(), format_.categorical.begin(), format_.categorical.end());
    for (const auto& [name, parameter] : format_.all()) wanted.push_back(name);
    for (const auto& number : wanted)
      if (column_of(number, names, names.size()) != column_of(number, {}, names.size()))
        ask("names a column " + in_quotes(number) + ", which is also the number of another");
    context.log(LogLevel::warning,
                lines_.path() + ": line " + std::to_string(first_line_) +
                    " is taken as column names 0, 1, 2, ...; set 'header: absent' if it is a row");
  }

  LineReader lines_;
  const FileFormat& format_;
  TextTable& table_;
  NumberForm numbers_;
  CsvRecords records_;
  TableRows rows_;
  std::vector<ColumnType> types_;       ///< if they say which columns are categorical
  std::optional<ColumnSurvey> survey_;  ///< for `columns: [auto]`
  std::vector<LeftOut> left_out_;
  CopiedRows copies_;
  std::size_t fields_in_line_ = 0;
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
  static Declaration<Csv> declare();

 private:
  bool understands_columns() const override { return true; }
  FileFormat format() const;

  std::string separator_ = "auto";
  std::string decimal_ = "point";
  std::string header_ = "auto";
  std::vector<std::string> categorical_, dates_;
  std::int64_t number_categories_ = 0;
};

FileFormat Csv::format() const {
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

Declaration<Csv> Csv::declare() {
  Declaration<Csv> declaration(
      "source/csv", "A table of numbers and categories in a text file, one row per line");
  declare_text_file(declaration, "text file");
  declaration
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
      .parameter("categorical", &Csv::categorical_,
                 "columns that hold categories, by name or number; [auto]: those without any "
                 "number; empty: none, and every value must be a number")
      .parameter(
          "dates", &Csv::dates_,
          "columns that hold dates, by name or number: each becomes the days since 1970, the "
          "day of the year and the weekday; 'columns: [auto]' finds them")
      .parameter(
          "number_categories", &Csv::number_categories_,
          "with 'columns: [auto]', columns of 3 up to this many different whole numbers, and no "
          "other values, hold categories; 0: they hold numbers",
          at_least(0), at_most(30), unit("values"));
  declare_columns(declaration);
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
