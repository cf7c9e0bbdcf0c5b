// SPDX-License-Identifier: MIT
#include <algorithm>

#include "semblance/error.hpp"
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
      FactTexts facts = columns_of_.texts(fields_);
      if (!builder_.leaves_out(facts.label)) builder_.add(fields_[text_]);
      builder_.end_string(std::move(facts), lines_.number(), context);
    }
    builder_.end_file();
  }

 private:
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
    const bool only_strings =
        columns_ == 1 && (format_.facts.may_lack_labels || format_.label == "none");
    const auto fail = [&](const std::string& what) {
      if (columns_ == 1) wrong_count();
      builder_.fail(what);
    };
    text_ = only_strings ? 0 : required_column(format_.text, "text", names, columns_, fail);
    if (!only_strings)
      columns_of_ = find_facts(format_, names, columns_, {{text_, "text"}},
                               format_.facts.may_lack_labels, fail);
    return header;
  }

  /// Without a word about it: where columns are named, or where the line names label and text.
  bool is_header() const {
    if (format_.header != "auto") return format_.header == "present";
    if (format_.any_is_name() || !parse_integer(format_.text)) return true;
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
  FactColumns columns_of_;
};

}  // namespace

void read_string_table(const std::string& file, const StringFormat& format, StringRows& rows,
                       Context& context) {
  StringTableReader(file, format, rows).read(context);
}

}  // namespace semblance::sources
