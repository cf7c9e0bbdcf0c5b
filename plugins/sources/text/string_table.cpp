// SPDX-License-Identifier: MIT
#include <algorithm>

#include "semblance/error.hpp"
#include "text/column_roles.hpp"
#include "text/string_rows.hpp"
#include "text_values.hpp"

namespace semblance::sources {
namespace {

class StringTableReader {
 public:
  StringTableReader(const std::string& file, const StringFormat& format, StringRows& rows)
      : lines_(file), format_(format), builder_(lines_, format, rows) {}

  void read(Context& context) {
    std::string_view line;
    while (lines_.next(line)) {
      if (lines_.number() % 1024 == 0) context.check_stop();
      if (line.empty()) continue;
      split(line);
      const bool first = columns_ == 0;
      if (first) columns_ = fields_.size();
      if (fields_.size() != columns_) wrong_count();
      if (first && take_first_line()) continue;
      FactTexts facts;
      facts.label = field(label_);
      facts.id = field(id_);
      facts.weight = field(weight_);
      facts.group = field(group_);
      if (!builder_.leaves_out(facts.label)) builder_.add(fields_[text_]);
      builder_.end_string(std::move(facts), lines_.number(), context);
    }
    builder_.end_file();
  }

 private:
  std::optional<std::string_view> field(const std::optional<std::size_t>& column) const {
    return column ? std::optional(trimmed(fields_[*column])) : std::nullopt;
  }

  void split(std::string_view line) {
    fields_.clear();
    for (;;) {
      const std::size_t tab = line.find('\t');
      fields_.push_back(line.substr(0, tab));
      if (tab == line.npos) return;
      line.remove_prefix(tab + 1);
    }
  }

  [[noreturn]] void wrong_count() const {
    if (fields_.size() == 1)
      builder_.fail("has no tab between label and string; write the label, a tab and the string");
    builder_.fail("has " + std::to_string(fields_.size()) + " fields separated by tabs, but line " +
                  std::to_string(first_line_) + " has " + std::to_string(columns_) +
                  "; every row needs the same number");
  }

  /// Finds the columns; returns whether the line is a header.
  bool take_first_line() {
    first_line_ = lines_.number();
    const bool header = is_header();
    std::vector<std::string> names;
    if (header)
      for (const std::string_view field : fields_) names.emplace_back(trimmed(field));
    // New data, and data that are all for testing, may consist of only the strings.
    if (columns_ == 1 && format_.facts.may_lack_labels) {
      text_ = 0;
      return header;
    }
    if (format_.label != "none") label_ = column(format_.label, "label", names);
    text_ = !label_ && columns_ == 1 ? 0 : column(format_.text, "text", names);
    if (label_ == text_)
      builder_.fail("'label' and 'text' both name column " + std::to_string(text_ + 1) +
                    "; give each its own, or set 'label: none'");
    id_ = fact(format_.id, "id", names);
    weight_ = fact(format_.weight, "weight", names);
    group_ = fact(format_.groups, "groups", names);
    return header;
  }

  /// A column that rows that are not learned from may lack.
  std::optional<std::size_t> fact(const std::string& wanted, const std::string& parameter,
                                  const std::vector<std::string>& names) const {
    if (wanted.empty()) return std::nullopt;
    const auto found = column_of(wanted, names, columns_);
    if (!found && format_.facts.may_lack_labels) return std::nullopt;
    const std::size_t place = column(wanted, parameter, names);
    if (place == text_ || place == label_)
      builder_.fail("'" + parameter + "' names column " + std::to_string(place + 1) + ", which '" +
                    (place == text_ ? "text" : "label") + "' names as well; give each its own");
    return place;
  }

  std::size_t column(const std::string& wanted, const std::string& parameter,
                     const std::vector<std::string>& names) const {
    const auto found = column_of(wanted, names, columns_);
    if (found) return *found;
    if (columns_ == 1) wrong_count();
    if (!parse_integer(wanted))
      builder_.fail("no column " + in_quotes(wanted) + " for '" + parameter + "'" +
                    (names.empty() ? ", since the file is read without a header; give its number"
                                   : "; the header names no such column"));
    builder_.fail("no column " + wanted + " for '" + parameter + "': the line has " +
                  std::to_string(columns_) +
                  " fields separated by tabs; columns count from 1, or from -1 at the end");
  }

  /// Without a word about it: where columns are named, or where the line names label and text.
  bool is_header() const {
    if (format_.header != "auto") return format_.header == "present";
    const auto is_name = [](const std::string& s) {
      return !s.empty() && s != "none" && !parse_integer(s);
    };
    if (is_name(format_.label) || is_name(format_.text) || is_name(format_.id) ||
        is_name(format_.weight) || is_name(format_.groups))
      return true;
    const auto any_of = [&](std::initializer_list<std::string_view> words) {
      return std::any_of(fields_.begin(), fields_.end(), [&](std::string_view field) {
        const std::string word = lower_case(trimmed(field));
        return std::find(words.begin(), words.end(), word) != words.end();
      });
    };
    return any_of({"label", "class", "category", "target"}) &&
           any_of({"text", "string", "sequence", "sentence", "message", "name"});
  }

  LineReader lines_;
  const StringFormat& format_;
  StringBuilder builder_;
  std::vector<std::string_view> fields_;
  std::size_t columns_ = 0;
  std::size_t first_line_ = 0;
  std::size_t text_ = 1;
  std::optional<std::size_t> label_, id_, weight_, group_;
};

}  // namespace

void read_string_table(const std::string& file, const StringFormat& format, StringRows& rows,
                       Context& context) {
  StringTableReader(file, format, rows).read(context);
}

}  // namespace semblance::sources
