// SPDX-License-Identifier: MIT
#include "text/text_table.hpp"

#include <algorithm>
#include <optional>

#include "memory_limit.hpp"
#include "semblance/error.hpp"
#include "text/line_reader.hpp"
#include "text/number_text.hpp"

namespace semblance {
namespace {

constexpr std::size_t none = static_cast<std::size_t>(-1);

/// Reads one file; knows its columns once it has seen the first line.
class TableReader {
 public:
  TableReader(const std::string& file, const TableFormat& format, TextTable& table)
      : lines_(file), format_(format), table_(table) {}

  void read(Context& context) {
    std::string_view line;
    std::size_t rows = 0;
    while (lines_.next(line)) {
      if (lines_.number() % 4096 == 0) context.check_stop();
      if (trimmed(line).empty()) continue;
      const bool first = fields_in_line_ == 0;
      if (first) choose_separator(line);
      if (!split_fields(line, separator_, fields_, owned_))
        fail("a quoted field is not closed, or text follows it; correct the quotes");
      if (first && starts_with_header()) continue;
      append_row();
      ++rows;
      check_fits(table_.bytes(), "the rows so far", lines_.path(), lines_.place(), context);
    }
    if (rows == 0)
      throw DataError(lines_.path(), "", "holds no rows; check that this is the right file");
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw DataError(lines_.path(), lines_.place(), what);
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

  /// Looks at the first line; afterwards the roles of all columns are known.
  bool starts_with_header() {
    fields_in_line_ = fields_.size();
    first_line_ = lines_.number();
    const bool by_name = names_a_column();
    const bool header = format_.header == "present" || (format_.header == "auto" && by_name);
    if (header) names_.assign(fields_.begin(), fields_.end());
    find_columns();
    if (header || format_.header == "absent") return header;
    if (!looks_like_header()) return false;
    names_.assign(fields_.begin(), fields_.end());
    return true;
  }

  bool names_a_column() const {
    const auto is_name = [](const std::string& s) { return s != "none" && !parse_integer(s); };
    return is_name(format_.label) ||
           std::any_of(format_.ignore.begin(), format_.ignore.end(), is_name);
  }

  /// Without a word about the header, a first line of numbers is data and one of texts is a
  /// header; a mixture is as likely a damaged row.
  bool looks_like_header() const {
    std::size_t texts = 0, text_at = none;
    for (const std::size_t c : values_) {
      float ignored;
      if (!parse_float(fields_[c], ignored)) continue;
      if (texts++ == 0) text_at = c;
    }
    if (texts > 0 && texts < values_.size())
      fail("column " + std::to_string(text_at + 1) + " is " + quoted(fields_[text_at]) +
           ", not a number, though other columns are; correct it, name its column in 'label' or "
           "'ignore', or say 'header: present'");
    return texts > 0;
  }

  void find_columns() {
    label_ = format_.label == "none" ? none : column(format_.label, "label");
    std::vector<bool> used(fields_in_line_, false);
    if (label_ != none) used[label_] = true;
    for (const auto& name : format_.ignore) used[column(name, "ignore")] = true;
    for (std::size_t c = 0; c < fields_in_line_; ++c)
      if (!used[c]) values_.push_back(c);
    if (values_.empty())
      fail("no column with values is left; check 'separator', 'label' and 'ignore'");
    if (table_.cols != 0 && table_.cols != values_.size())
      fail("has " + std::to_string(values_.size()) + " columns of values, but the training file " +
           std::to_string(table_.cols) + "; both files must have the same columns");
    table_.cols = values_.size();
  }

  std::size_t column(const std::string& wanted, const char* parameter) const {
    const auto found = std::find(names_.begin(), names_.end(), wanted);
    if (found != names_.end()) {
      if (std::find(found + 1, names_.end(), wanted) != names_.end())
        fail("two columns are named " + quoted(wanted) + "; give the number of the one meant");
      return static_cast<std::size_t>(found - names_.begin());
    }
    const auto number = parse_integer(wanted);
    if (!number && names_.empty())
      fail("column " + quoted(wanted) + " of '" + parameter +
           "' is a name, but the file is read without a header; give its number");
    if (!number) {
      std::string all;
      for (const auto& name : names_) all += (all.empty() ? "" : ", ") + name;
      if (all.size() > 200) all = all.substr(0, 200) + "...";
      fail("there is no column " + quoted(wanted) + " for '" + parameter +
           "'; columns are: " + all);
    }
    const auto count = static_cast<std::int64_t>(fields_in_line_);
    if (*number == 0 || *number > count || *number < -count)
      fail("there is no column " + wanted + " for '" + parameter + "': the line has " +
           std::to_string(count) + " fields; columns count from 1, or from -1 at the end");
    return static_cast<std::size_t>(*number > 0 ? *number - 1 : count + *number);
  }

  void append_row() {
    if (fields_.size() != fields_in_line_)
      fail("has " + std::to_string(fields_.size()) + " fields, but line " +
           std::to_string(first_line_) + " has " + std::to_string(fields_in_line_) +
           "; every row needs the same number");
    for (const std::size_t c : values_) {
      float value = 0;
      if (const char* problem = parse_float(fields_[c], value)) {
        const std::string name =
            names_.empty() ? std::to_string(c + 1) : std::to_string(c + 1) + " (" + names_[c] + ")";
        if (fields_[c].empty() || fields_[c] == "?")
          fail("column " + name + " has no value; fill in or remove rows with missing values");
        fail("column " + name + " is " + quoted(fields_[c]) + ", which " + problem +
             "; correct it, or name the column in 'label' or 'ignore'");
      }
      table_.values.push_back(value);
    }
    if (label_ != none && fields_[label_].empty())
      fail("the label in column " + std::to_string(label_ + 1) + " is empty; fill it in");
    if (label_ != none && !is_utf8(fields_[label_]))
      fail("the label in column " + std::to_string(label_ + 1) +
           " is not UTF-8 text; save the file as UTF-8");
    table_.labels.push_back(label_ == none ? -1 : table_.classes.add(fields_[label_]));
  }

  LineReader lines_;
  const TableFormat& format_;
  TextTable& table_;
  char separator_ = 0;
  std::size_t fields_in_line_ = 0;
  std::size_t first_line_ = 0;
  std::size_t label_ = none;
  std::vector<std::size_t> values_;  ///< columns with values
  std::vector<std::string> names_;   ///< of the columns, where there is a header
  std::vector<std::string_view> fields_;
  std::vector<std::string> owned_;
};

}  // namespace

void read_text_table(const std::string& file, const TableFormat& format, TextTable& table,
                     Context& context) {
  TableReader(file, format, table).read(context);
}

}  // namespace semblance
