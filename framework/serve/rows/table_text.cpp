// SPDX-License-Identifier: MIT
#include "serve/rows/table_text.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "semblance_tables/field_splitter.hpp"
#include "semblance_tables/text_lines.hpp"
#include "semblance_tables/text_values.hpp"

namespace semblance::serving {
namespace {

/// Adds the rows of one text.
class TableText {
 public:
  TableText(std::string_view text, RowLines& lines, GivenRows& rows)
      : text_(text),
        line_end_(line_end_of(text)),
        lines_(lines),
        texts_(dynamic_cast<const RowTexts*>(&lines)),
        rows_(rows),
        values_(rows.width()) {}

  void read(Header header) {
    bool first = true;
    while (const auto line = take_line(text_, line_end_)) {
      const std::size_t number = ++number_;
      try {
        const std::string_view text = checked_line(*line, number == 1, line_end_);
        if (is_empty(text) || (first && lines_.is_preamble(text))) continue;
        take(joined(text), std::exchange(first, false) ? header : Header::absent);
      } catch (const TooMuch&) {
        throw;
      } catch (const Error& problem) {
        throw Error("line " + std::to_string(number) + ": " + problem.what());
      }
    }
  }

 private:
  bool is_empty(std::string_view line) const {
    return line.empty() || (trimmed(line).empty() && !(texts_ && texts_->takes_blanks()));
  }

  void take(std::string_view record, Header header) {
    if (header == Header::present || (header == Header::find_out && lines_.is_header(record)))
      return lines_.read_header(record);
    lines_.read_row(record, values_);
    rows_.add(values_);
  }

  /// The line and those over which a quoted field extends. Each look reads all of them, and a
  /// client may provoke this very often.
  std::string_view joined(std::string_view line) {
    constexpr std::size_t most_looks = 64;
    if (line.find('"') == line.npos || !lines_.is_open(line)) return line;
    const auto next = [this](std::string_view& more) {
      const auto taken = take_line(text_, line_end_);
      if (!taken) return false;
      ++number_;
      more = checked_line(*taken, false, line_end_);
      return true;
    };
    const auto is_open = [this](std::string_view text) { return lines_.is_open(text); };
    if (!join_open_lines(line, joined_, next, is_open, most_looks)) throw Error(open_quote_problem);
    return joined_;
  }

  std::string_view text_;
  char line_end_;
  RowLines& lines_;
  const RowTexts* texts_;  ///< the same, if rows are texts
  GivenRows& rows_;
  std::vector<float> values_;
  std::string joined_;
  std::size_t number_ = 0;
};

}  // namespace

std::optional<std::string_view> take_line(std::string_view& text, char line_end) {
  if (text.empty()) return std::nullopt;
  const std::size_t end = std::min(text.find(line_end), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

void read_table(std::string_view text, Header header, RowLines& lines, GivenRows& rows) {
  TableText(text, lines, rows).read(header);
}

}  // namespace semblance::serving
