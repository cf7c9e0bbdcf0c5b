// SPDX-License-Identifier: MIT
#include "text/text_table.hpp"

#include <algorithm>

#include "memory_limit.hpp"
#include "semblance/error.hpp"
#include "text/line_reader.hpp"
#include "text/text_values.hpp"

namespace semblance {
namespace {

constexpr std::size_t no_column = ColumnRoles::none;

/// Reads one file; knows its columns once it has seen the first line.
class TableReader {
 public:
  TableReader(const std::string& file, const TableFormat& format, TextTable& table)
      : lines_(file), format_(format), table_(table), first_row_(table.rows()) {}

  void read(Context& context) {
    std::string_view line;
    while (lines_.next(line)) {
      if (lines_.number() % 4096 == 0) context.check_stop();
      if (trimmed(line).empty()) continue;
      const bool first = fields_in_line_ == 0;
      if (first) choose_separator(line);
      if (!split_fields(line, separator_, fields_, owned_))
        fail("a quoted field is not closed, or text follows it; correct the quotes");
      if (first && starts_with_header()) continue;
      append_row();
      check_fits(table_.bytes(), "the rows so far", lines_.path(), lines_.place(), context);
    }
    if (!doubtful_.empty()) settle_first_line(context);
    if (!table_.wanted.all()) drop_unwanted();
    if (table_.rows() == first_row_)
      throw DataError(lines_.path(), "", "holds no rows; check that it is the right file");
    // New rows may be close together; those that a model was trained on were not.
    if (!table_.expected.of_model) check_precision(context);
    record_columns(context);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw DataError(lines_.path(), lines_.place(), what);
  }

  void check_precision(Context& context) const {
    table_.precision.check(
        lines_.path(), [&](std::size_t k) { return "column " + roles_.describe(roles_.values[k]); },
        context);
  }

  void choose_separator(std::string_view line) {
    const std::string& s = format_.separator;
    const auto has = [&](char c) { return line.find(c) != line.npos; };
    if (s == "comma" || (s == "auto" && has(',')))
      separator_ = ',';
    else if (s == "semicolon" || (s == "auto" && has(';')))
      separator_ = ';';
    else if (s == "tab" || (s == "auto" && has('\t')))
      separator_ = '\t';
    else
      separator_ = 0;
  }

  ColumnRoles roles(bool header) const {
    std::vector<std::string> names;
    if (header) names.assign(fields_.begin(), fields_.end());
    return find_roles(fields_.size(), std::move(names), format_, table_.expected,
                      [this](const std::string& what) { fail(what); });
  }

  /// Looks at the first line; afterwards the roles of all columns are known.
  bool starts_with_header() {
    fields_in_line_ = fields_.size();
    first_line_ = lines_.number();
    const bool header = is_header();
    roles_ = roles(header);
    table_.cols = roles_.values.size();
    table_.precision.resize(table_.cols);
    return header;
  }

  bool is_header() {
    if (format_.header != "auto") return format_.header == "present";
    if (!table_.expected.names.empty()) return names_what_is_expected();
    return names_a_column() || looks_like_header();
  }

  /// Where names are known, a header is a line that has all of them, or some and no row's numbers.
  bool names_what_is_expected() const {
    const auto& wanted = table_.expected.names;
    const auto found = std::count_if(wanted.begin(), wanted.end(), [&](const std::string& name) {
      return std::find(fields_.begin(), fields_.end(), name) != fields_.end();
    });
    const auto numbers = std::count_if(fields_.begin(), fields_.end(), is_number);
    return found == std::ssize(wanted) || numbers == 0 ||
           (found > 0 && numbers < std::ssize(fields_) - 1);
  }

  static bool is_number(std::string_view text) {
    float ignored;
    return !parse_float(text, ignored);
  }

  bool names_a_column() const {
    const auto is_name = [](const std::string& s) {
      return !s.empty() && s != "none" && !parse_integer(s);
    };
    return is_name(format_.label) || is_name(format_.id) ||
           std::any_of(format_.ignore.begin(), format_.ignore.end(), is_name);
  }

  /// Without a word about the header, a first line of numbers is a row and one of texts is a
  /// header; a mixture is as likely a damaged row. Numbers may be names too, as those that pandas
  /// gives: that is seen at the end.
  bool looks_like_header() {
    const ColumnRoles as_row = roles(false);
    std::vector<std::string_view> values;
    for (const std::size_t c : as_row.values) values.push_back(fields_[c]);
    if (values.size() > 2 && values[0].empty() && as_row.values[0] == 0 &&
        counts_from_zero(std::span(values).subspan(1)))
      return true;  // behind an index without a name
    const auto texts = std::count_if(values.begin(), values.end(),
                                     [](std::string_view v) { return !is_number(v); });
    if (texts > 0 && texts < std::ssize(values)) {
      const auto at = std::find_if_not(values.begin(), values.end(), is_number);
      fail("column " + std::to_string(as_row.values[std::size_t(at - values.begin())] + 1) +
           " is " + in_quotes(*at) +
           ", not a number, though other columns are; correct it, name its column in 'label', 'id' "
           "or 'ignore', or set 'header: present'");
    }
    if (texts == 0) doubtful_.assign(fields_.begin(), fields_.end());
    return texts > 0;
  }

  void append_row() {
    if (fields_.size() != fields_in_line_)
      fail("has " + std::to_string(fields_.size()) + " fields, but line " +
           std::to_string(first_line_) + " has " + std::to_string(fields_in_line_) +
           "; every row needs the same number");
    for (std::size_t k = 0; k < roles_.values.size(); ++k) append_value(k);
    if (in_doubt())
      first_values_.assign(table_.values.end() - std::ssize(roles_.values), table_.values.end());
    if (!table_.wanted.all()) keep_if_wanted();
    append_label();
    append_id();
  }

  /// Whether the row whose values were just read is one of those wanted. While the first line may
  /// turn out to be a header, its number is one of two.
  void keep_if_wanted() {
    const std::size_t row = table_.rows();
    const auto number = static_cast<std::int64_t>(row);
    const bool maybe = !doubtful_.empty() && row > first_row_ && table_.wanted.contains(number - 1);
    if (maybe || table_.wanted.contains(number))
      table_.kept.push_back(row);
    else
      table_.values.resize(table_.values.size() - table_.cols);
  }

  /// Now that the numbers are known.
  void drop_unwanted() {
    std::size_t count = 0;
    for (std::size_t k = 0; k < table_.kept.size(); ++k) {
      const std::size_t row = table_.kept[k];
      if (!table_.wanted.contains(static_cast<std::int64_t>(row))) continue;
      if (count < k)
        std::copy_n(table_.values.begin() + static_cast<std::ptrdiff_t>(k * table_.cols),
                    table_.cols,
                    table_.values.begin() + static_cast<std::ptrdiff_t>(count * table_.cols));
      table_.kept[count++] = row;
    }
    table_.kept.resize(count);
    table_.values.resize(count * table_.cols);
  }

  void append_value(std::size_t k) {
    const std::size_t c = roles_.values[k];
    float value = 0;
    if (const char* problem = parse_float(fields_[c], value)) {
      if (fields_[c].empty() || fields_[c] == "?")
        fail("column " + roles_.describe(c) +
             " has no value; fill in or remove rows with missing values");
      fail("column " + roles_.describe(c) + " is " + in_quotes(fields_[c]) + ", which " + problem +
           "; correct it, or name the column in 'label', 'id' or 'ignore'");
    }
    table_.values.push_back(value);
    if (in_doubt() || !table_.precision.wants(k, value)) return;
    const ExactNumber exact = exact_number(fields_[c]);
    table_.precision.note(k, value, exact.value, exact.whole);
  }

  /// Whether this is the first line, which may yet turn out to be a header.
  bool in_doubt() const { return !doubtful_.empty() && lines_.number() == first_line_; }

  void append_label() {
    const std::size_t c = roles_.label;
    if (c == no_column || in_doubt()) {
      table_.labels.push_back(-1);
      return;
    }
    if (fields_[c].empty())
      fail("the label in column " + std::to_string(c + 1) + " is empty; fill it in");
    if (!is_utf8(fields_[c]))
      fail("the label in column " + std::to_string(c + 1) +
           " is not UTF-8 text; save the file as UTF-8");
    table_.labels.push_back(table_.classes.add(fields_[c]));
  }

  void append_id() {
    if (roles_.id == no_column) {
      if (!table_.ids.empty()) table_.ids.emplace_back();
      return;
    }
    const std::string_view id = fields_[roles_.id];
    if (!is_utf8(id))
      fail("column " + roles_.describe(roles_.id) + " is not UTF-8 text; save the file as UTF-8");
    table_.ids.resize(table_.rows() - 1);
    table_.ids.emplace_back(id);
    table_.id_bytes += double(id.size());
  }

  /// The first line was read as a row of numbers; now it is known which labels the others have.
  void settle_first_line(Context& context) {
    const bool labelled = roles_.label != no_column;
    const std::string label = labelled ? doubtful_[roles_.label] : "";
    const bool fresh = labelled && !table_.classes.knows(label);
    const bool whole_line_counts = doubtful_.size() > 2 && counts(all_columns());
    const bool values_count = roles_.values.size() > 1 && counts(roles_.values);
    const bool text = labelled && !is_number(label);
    const std::size_t others = table_.rows() - first_row_ - 1;
    const std::size_t classes = table_.classes.names().size();
    const bool classes_repeat = classes >= 2 && others >= 2 * classes;
    if (fresh && (whole_line_counts || (text && values_count))) return make_header(context);
    if (whole_line_counts) ask("counts 0, 1, 2, ..., like the column names that pandas generates");
    if (fresh && text && classes_repeat)
      ask("has the label " + in_quotes(label) +
          ", which no other row has, as if it named the columns");
    if (labelled) {
      if (!is_utf8(label))
        throw DataError(lines_.path(), "line " + std::to_string(first_line_),
                        "its label is not UTF-8 text; save the file as UTF-8");
      if (label.empty())
        throw DataError(
            lines_.path(), "line " + std::to_string(first_line_),
            "the label in column " + std::to_string(roles_.label + 1) + " is empty; fill it in");
      table_.labels[first_row_] = table_.classes.add(label);
    }
    note_first_row();
  }

  std::vector<std::size_t> all_columns() const {
    std::vector<std::size_t> all(doubtful_.size());
    for (std::size_t c = 0; c < all.size(); ++c) all[c] = c;
    return all;
  }

  bool counts(const std::vector<std::size_t>& columns) const {
    std::vector<std::string_view> texts;
    for (const std::size_t c : columns) texts.push_back(doubtful_[c]);
    return counts_from_zero(texts);
  }

  [[noreturn]] void ask(const std::string& what) const {
    throw DataError(
        lines_.path(), "line " + std::to_string(first_line_),
        what + "; set 'header: present' if it does name them, or 'header: absent' if it is a row");
  }

  void make_header(Context& context) {
    // A number among the parameters would now be a name first: it must mean the same column.
    std::vector<std::string> wanted = format_.ignore;
    if (format_.label != "none") wanted.push_back(format_.label);
    if (!format_.id.empty()) wanted.push_back(format_.id);
    for (const auto& number : wanted)
      if (column_of(number, doubtful_, doubtful_.size()) != column_of(number, {}, doubtful_.size()))
        ask("names a column " + in_quotes(number) + ", which is also the number of another");
    roles_.names = doubtful_;
    forget_values_of_first_row();
    const auto row = static_cast<std::ptrdiff_t>(first_row_);
    table_.labels.erase(table_.labels.begin() + row);
    if (!table_.ids.empty()) table_.ids.erase(table_.ids.begin() + row);
    context.log(LogLevel::warning,
                lines_.path() + ": line " + std::to_string(first_line_) +
                    " is taken as column names 0, 1, 2, ...; set 'header: absent' if it is a row");
  }

  /// The rows behind it move up.
  void forget_values_of_first_row() {
    std::size_t place = first_row_;
    bool there = true;
    if (!table_.wanted.all()) {
      const auto found = std::ranges::lower_bound(table_.kept, first_row_);
      place = static_cast<std::size_t>(found - table_.kept.begin());
      there = found != table_.kept.end() && *found == first_row_;
      for (auto behind = there ? table_.kept.erase(found) : found; behind != table_.kept.end();
           ++behind)
        --*behind;
    }
    const auto begin = table_.values.begin() + static_cast<std::ptrdiff_t>(place * table_.cols);
    if (there) table_.values.erase(begin, begin + static_cast<std::ptrdiff_t>(table_.cols));
  }

  void note_first_row() {
    for (std::size_t k = 0; k < roles_.values.size(); ++k) {
      const float value = first_values_[k];
      const ExactNumber exact = exact_number(doubtful_[roles_.values[k]]);
      table_.precision.wants(k, value);
      table_.precision.note(k, value, exact.value, exact.whole);
    }
  }

  /// For the next file, and for whoever reads this one's rows.
  void record_columns(Context& context) {
    ExpectedColumns& expected = table_.expected;
    const bool named = !roles_.names.empty(), known = !expected.names.empty();
    if (expected.count == 0 || expected.of_model)
      table_.columns = expected.of_model && known && named ? expected.names : roles_.value_names();
    if (expected.count != 0) log_matching(named, known, context);
    if (expected.count != 0) return;
    expected.count = table_.cols;
    expected.names = roles_.value_names();
    if (!named) return;
    if (roles_.label != no_column) expected.label = roles_.names[roles_.label];
    for (std::size_t c = 0; c < roles_.names.size(); ++c)
      if (c != roles_.label &&
          std::find(roles_.values.begin(), roles_.values.end(), c) == roles_.values.end())
        expected.left_out.push_back(roles_.names[c]);
  }

  /// How columns were matched with those expected. What becomes of names that only a model or only
  /// its new data have is told by whoever knows both.
  void log_matching(bool named, bool known, Context& context) const {
    const std::string start = lines_.path() + ": columns are matched by ";
    if (named && known) return context.log(LogLevel::info, start + "name");
    if (named == known) return context.log(LogLevel::info, start + "position, without names");
    if (!table_.expected.of_model)
      context.log(LogLevel::warning,
                  start + "position, since only one of the two files has a header");
  }

  LineReader lines_;
  const TableFormat& format_;
  TextTable& table_;
  std::size_t first_row_;  ///< of this file's
  char separator_ = 0;
  std::size_t fields_in_line_ = 0;
  std::size_t first_line_ = 0;
  ColumnRoles roles_;
  std::vector<std::string> doubtful_;  ///< fields of a first line that may be a header or a row
  std::vector<float> first_values_;    ///< its numbers
  std::vector<std::string_view> fields_;
  std::vector<std::string> owned_;
};

}  // namespace

HeldRows TextTable::held() const {
  HeldRows held;
  if (wanted.all()) return held;
  std::size_t next = 0;
  for (std::size_t row = 0; row < rows(); ++row) {
    const bool here = next < kept.size() && kept[next] == row;
    held.add(here);
    if (here) ++next;
  }
  return held;
}

void read_text_table(const std::string& file, const TableFormat& format, TextTable& table,
                     Context& context) {
  TableReader(file, format, table).read(context);
}

}  // namespace semblance
