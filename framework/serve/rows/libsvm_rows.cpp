// SPDX-License-Identifier: MIT
#include "serve/rows/libsvm_rows.hpp"

#include <charconv>
#include <string>

#include "semblance/parsed_float.hpp"
#include "semblance_tables/text_values.hpp"

namespace semblance::serving {

void LibsvmLines::read_entry(std::string_view token, std::size_t width) {
  const std::size_t colon = token.find(':');
  if (colon == token.npos)
    throw Error(in_quotes(token) + " does not have the form index:value; correct it");
  const std::string_view index_text = token.substr(0, colon), text = token.substr(colon + 1);
  std::size_t index = 0;
  const auto [end, problem] =
      std::from_chars(index_text.data(), index_text.data() + index_text.size(), index);
  if (index_text.empty() || problem != std::errc() || end != index_text.data() + index_text.size())
    throw Error(in_quotes(index_text) + " is not an index; indices are whole numbers from " +
                std::to_string(first_));
  if (index < first_ || index - first_ >= width)
    throw Error("the index " + std::to_string(index) +
                " is not one of the model's, which go from " + std::to_string(first_) + " to " +
                std::to_string(width + first_ - 1) + "; remove or correct it");
  const auto column = static_cast<std::uint32_t>(index - first_);
  if (!columns_.empty() && column <= columns_.back())
    throw Error("index " + std::to_string(index) + " comes after " +
                std::to_string(columns_.back() + first_) + "; indices must ascend within a line");
  float value = 0;
  if (const char* what = parse_float(text, value))
    throw Error("the value of index " + std::to_string(index) + ", " + in_quotes(text) + ", " +
                what + "; correct it");
  columns_.push_back(column);
  values_.push_back(value);
}

void LibsvmLines::read_row(std::string_view line, GivenRows& rows) {
  columns_.clear();
  values_.clear();
  line = line.substr(0, line.find('#'));
  bool any = false;
  for (std::size_t at = line.find_first_not_of(" \t"); at != line.npos;
       at = line.find_first_not_of(" \t", at)) {
    const std::size_t end = std::min(line.find_first_of(" \t", at), line.size());
    const std::string_view token = line.substr(at, end - at);
    const bool is_label = !any && token.find(':') == token.npos;
    any = true;
    at = end;
    if (!is_label) read_entry(token, rows.width());
  }
  if (!any) throw Error("is empty; a row without values is a label alone, such as 0");
  rows.add(columns_, values_);
}

}  // namespace semblance::serving
