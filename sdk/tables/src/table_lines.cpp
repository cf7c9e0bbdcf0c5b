// SPDX-License-Identifier: MIT
#include "semblance_tables/table_lines.hpp"

#include <algorithm>
#include <utility>

#include "semblance/error.hpp"

namespace semblance {

void TableRowLines::split(std::string_view line) {
  const FieldSplit split = splitter_.split(line, fields_);
  if (split == FieldSplit::open_quote) throw Error(open_quote_problem);
  if (split == FieldSplit::text_after_quote) throw Error(text_after_quote_problem);
}

TableLines::TableLines(TableFormat format, const NewData& model, ModelRowRules rules)
    : TableRowLines(std::move(format)),
      model_(model),
      row_(model, format_, std::move(rules)),
      numbers_(format_.decimal_comma) {
  format_.remedies = false;
}

/// Without known names of columns, a line of texts names them, unless rows may have categories.
bool TableLines::is_header(std::string_view line) {
  if (trimmed(line).empty()) return false;
  split(line);
  const auto numbers = std::ranges::count_if(
      fields_, [this](std::string_view field) { return numbers_.is_number(field); });
  if (!row_.knows_names(fields_)) return numbers == 0 && !row_.may_have_texts(fields_);
  const bool header = row_.is_header(fields_);
  if (header && numbers == std::ssize(fields_))
    throw Error(
        "the names of the columns are numbers, so this can be a header or a row; say which: "
        "text/csv; header=present or text/csv; header=absent");
  return header;
}

void TableLines::read_header(std::string_view line) {
  split(line);
  find({fields_.begin(), fields_.end()});
}

void TableLines::find(std::vector<std::string> names) {
  row_.find(fields_, std::move(names), [](const std::string& what) { throw Error(what); });
}

/// R writes no name above the names of the rows. Numbers after commas may be decimals.
bool TableLines::lacks_row_names(std::string_view line) {
  const std::vector<std::string>& names = row_.names();
  return !any_row_ && !names.empty() && fields_.size() == names.size() + 1 &&
         !fields_.back().empty() && !names.front().empty() &&
         (splitter_.separator() != ',' || trimmed(line).starts_with('"') ||
          !numbers_.is_number(fields_[0]));
}

void TableLines::read_row(std::string_view line, std::span<float> values) {
  if (trimmed(line).empty() && model_.layout.size() > 1) throw Error("is empty; give a row");
  split(line);
  if (!row_.begun()) find({});
  if (lacks_row_names(line)) {
    std::vector<std::string> names = row_.names();
    names.insert(names.begin(), std::string());
    find(std::move(names));
  }
  row_.check_fields(fields_.size());
  row_.read(fields_, values);
  any_row_ = true;
}

}  // namespace semblance
