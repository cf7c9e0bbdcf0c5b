// SPDX-License-Identifier: MIT
#include "tables/first_line.hpp"

#include <algorithm>
#include <functional>
#include <vector>

#include "files/line_reader.hpp"
#include "semblance/error.hpp"
#include "semblance_tables/text_values.hpp"
#include "tables/category_columns.hpp"
#include "tables/csv_records.hpp"

namespace semblance::sources {
namespace {

constexpr std::size_t no_column = ColumnRoles::none;

class LineInDoubt {
 public:
  LineInDoubt(const FirstLine& line, const FileFormat& format, const TextTable& table)
      : line_(line), format_(format), table_(table), numbers_(format.decimal_comma) {}

  bool names_columns(const std::function<ColumnRoles()>& as_row, Context& context) {
    const auto is_name = [](const std::string& wanted) { return !parse_integer(wanted); };
    return std::ranges::any_of(wanted_columns(), is_name) || looks_like_header(as_row(), context);
  }

 private:
  /// All columns that parameters name or number.
  std::vector<std::string> wanted_columns() const {
    std::vector<std::string> wanted = format_.ignore;
    wanted.insert(wanted.end(), format_.columns.begin(), format_.columns.end());
    wanted.insert(wanted.end(), format_.dates.begin(), format_.dates.end());
    if (!format_.finds_categorical())
      wanted.insert(wanted.end(), format_.categorical.begin(), format_.categorical.end());
    for (const auto& [name, parameter] : format_.all()) wanted.push_back(name);
    return wanted;
  }

  /// Without a setting for the header, a first line of numbers, targets among them, and of missing
  /// values is a row and one of texts is a header; a mixture may also be a damaged row. Numbers may
  /// also be names, as written by pandas. Categories are inconclusive.
  bool looks_like_header(const ColumnRoles& as_row, Context& context) {
    std::vector<std::size_t> columns;
    std::vector<std::string_view> values;
    for (std::size_t k = 0; k < as_row.values.size(); ++k) {
      if (as_row.categorical[k]) continue;
      columns.push_back(as_row.values[k]);
      values.push_back(line_.fields[columns.back()]);
    }
    if (counts_after_index(line_.fields)) {
      check_numbers_stay();
      return true;
    }
    if (counts_after_index(values) && columns[0] == 0) return true;
    for (const std::size_t c : as_row.targets) {
      if (c == no_column) continue;
      columns.push_back(c);
      values.push_back(line_.fields[c]);
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

  /// Names as pandas generates them, after an index without a name.
  static bool counts_after_index(std::span<const std::string_view> values) {
    return values.size() > 2 && values[0].empty() && counts_from_zero(values.subspan(1));
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw DataError(line_.path, "line " + std::to_string(line_.number), what);
  }

  [[noreturn]] void refuse_mixture(std::size_t column, std::string_view text) const {
    const std::string remedy = numbers_.remedy(text);
    fail("column " + std::to_string(column + 1) + " is " + in_quotes(text) +
         ", not a number, though other columns are; " +
         (remedy.empty() ? "correct it, name its column in 'categorical' if it holds categories, "
                           "or in 'label', 'id' or 'ignore', or set 'header: present'"
                         : remedy));
  }

  /// What the rows behind the first line have in common with it.
  struct Echo {
    bool label = false;       ///< one has its label
    bool numbered = false;    ///< labels of rows looked at are numbers
    bool category = false;    ///< one has one of its categories
    std::size_t rows = 0;     ///< looked at
    std::size_t classes = 0;  ///< different labels, with those of a file before
  };

  /// Looks at the rows until one answers the question.
  Echo look_for_echo(const ColumnRoles& roles, Context& context) const {
    Echo echo;
    ClassNames seen = table_.classes;
    std::vector<std::string> wanted(line_.fields.size());
    const auto of_model = table_.model
                              ? model_columns(table_.model->columns, line_.fields).categories
                              : std::vector<std::optional<std::vector<std::string>>>();
    for (std::size_t k = 0, next = 0; k < roles.values.size(); ++k) {
      if (!roles.categorical[k]) continue;
      wanted[roles.values[k]] = category_of(line_.fields[roles.values[k]]);
      const std::string& category = wanted[roles.values[k]];
      if (next < table_.categorical.size() && table_.categorical[next].knows(category))
        echo.category = true;
      if (k < of_model.size() && of_model[k] && std::ranges::count(*of_model[k], category) > 0)
        echo.category = true;
      ++next;
    }
    LineReader lines(line_.path);
    CsvRecords records(lines, format_);
    std::vector<std::string_view> fields;
    records.next(fields);
    const bool labelled = roles.label != no_column;
    echo.label = labelled && seen.knows(line_.fields[roles.label]);
    while (!(labelled ? echo.label : echo.category) && records.next(fields)) {
      if (++echo.rows % 4096 == 0) context.check_stop();
      if (fields.size() != line_.fields.size()) continue;
      for (std::size_t k = 0; k < roles.values.size(); ++k)
        if (roles.categorical[k] && category_of(fields[roles.values[k]]) == wanted[roles.values[k]])
          echo.category = true;
      if (labelled && !format_.labels.is_missing(fields[roles.label]))
        seen.add(fields[roles.label]);
      echo.label = labelled && seen.knows(line_.fields[roles.label]);
    }
    echo.classes = seen.names().size();
    echo.numbered = std::ranges::any_of(seen.names(), [&](const std::string& name) {
      return NumberForm(format_.decimal_comma).is_number(name);
    });
    return echo;
  }

  std::string category_of(std::string_view field) const {
    return format_.is_missing(field) ? CategoryColumn::missing : canonical_label(field);
  }

  /// Whether a line without texts among its values names the columns, as the other rows show.
  bool names_by_numbers(const ColumnRoles& roles, Context& context) const {
    const bool labelled = roles.label != no_column;
    const std::string label(labelled ? line_.fields[roles.label] : std::string_view());
    const bool whole_line_counts = line_.fields.size() > 2 && counts(all_columns());
    const bool text = labelled && !NumberForm(format_.decimal_comma).is_number(label);
    const bool any_categories = std::ranges::count(roles.categorical, true) > 0;
    if (!labelled && !table_.model && line_.fields.size() > 3 && counts_up())
      ask("counts up, like names of columns");
    if (!whole_line_counts && !labelled && !any_categories) return false;
    const Echo echo = look_for_echo(roles, context);
    const bool fresh = labelled && !format_.labels.is_missing(label) && !echo.label;
    const bool values_count = roles.values.size() > 1 && counts(roles.values);
    if (fresh && (whole_line_counts || (text && values_count))) {
      check_numbers_stay();
      context.log(
          LogLevel::warning,
          line_.path + ": line " + std::to_string(line_.number) +
              " is taken as column names 0, 1, 2, ...; set 'header: absent' if it is a row");
      return true;
    }
    if (whole_line_counts) ask("counts 0, 1, 2, ..., like the column names that pandas generates");
    const bool like_names = text || !echo.numbered || line_.fields[0].empty() || counts_up();
    if (fresh && like_names && echo.classes >= 2 && echo.rows >= 2 * echo.classes)
      ask("has the label " + in_quotes(label) +
          ", which no other row has, as if it named the columns");
    if ((!labelled || (fresh && text)) && any_categories && !echo.category)
      ask(labelled ? "has a label and categories that no other row has, as if it named the columns"
                   : "has categories that no other row has, as if it named the columns");
    return false;
  }

  std::vector<std::size_t> all_columns() const {
    std::vector<std::size_t> all(line_.fields.size());
    for (std::size_t c = 0; c < all.size(); ++c) all[c] = c;
    return all;
  }

  bool counts(const std::vector<std::size_t>& columns) const {
    std::vector<std::string_view> texts;
    texts.reserve(columns.size());
    for (const std::size_t c : columns) texts.push_back(line_.fields[c]);
    return counts_from_zero(texts);
  }

  /// Whether the line is of three integers or more, each one more than the last, such as years;
  /// perhaps after an index without a name.
  bool counts_up() const {
    const auto names = line_.fields.subspan(line_.fields[0].empty() ? 1 : 0);
    const auto follows = [](std::string_view last, std::string_view next) {
      const auto one = parse_integer(last), other = parse_integer(next);
      return one && other && *other - 1 == *one;
    };
    return names.size() > 2 &&
           std::ranges::adjacent_find(names, std::not_fn(follows)) == names.end();
  }

  [[noreturn]] void ask(const std::string& what) const {
    fail(what + "; set 'header: present' if it does name them, or 'header: absent' if it is a row");
  }

  /// A number in a parameter now takes precedence as a name: it must mean the same column.
  void check_numbers_stay() const {
    const std::vector<std::string> names(line_.fields.begin(), line_.fields.end());
    for (const std::string& number : wanted_columns())
      if (column_of(number, names, names.size()) != column_of(number, {}, names.size()))
        ask("names a column " + in_quotes(number) + ", which is also the number of another");
  }

  const FirstLine& line_;
  const FileFormat& format_;
  const TextTable& table_;
  NumberForm numbers_;
};

}  // namespace

bool names_columns(const FirstLine& line, const FileFormat& format, const TextTable& table,
                   const std::function<ColumnRoles()>& as_row, Context& context) {
  return LineInDoubt(line, format, table).names_columns(as_row, context);
}

}  // namespace semblance::sources
