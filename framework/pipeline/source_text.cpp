// SPDX-License-Identifier: MIT
#include "pipeline/source_text.hpp"

#include <algorithm>

namespace semblance {
namespace {

int count_characters(std::string_view bytes) {
  return static_cast<int>(std::count_if(bytes.begin(), bytes.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

}  // namespace

SourceText::SourceText(std::string name, std::string text, std::size_t order)
    : name_(std::move(name)), text_(std::move(text)), order_(order), starts_{0} {
  for (std::size_t i = 0; i < text_.size(); ++i)
    if (text_[i] == '\n') starts_.push_back(i + 1);
}

Place SourceText::place(std::size_t offset, std::size_t length) const {
  offset = std::min(offset, text_.size());
  const auto next = std::upper_bound(starts_.begin(), starts_.end(), offset);
  const int number = static_cast<int>(next - starts_.begin());
  const std::size_t start = *(next - 1);
  const std::string_view content = line(number);
  const std::size_t column = std::min(offset - start, content.size());
  const int characters = count_characters(content.substr(column, std::max<std::size_t>(length, 1)));
  return {this, {number, count_characters(content.substr(0, column)) + 1}, std::max(characters, 1)};
}

std::string_view SourceText::line(int number) const {
  if (number < 1 || static_cast<std::size_t>(number) > starts_.size()) return {};
  const auto index = static_cast<std::size_t>(number - 1);
  const std::size_t end = index + 1 < starts_.size() ? starts_[index + 1] - 1 : text_.size();
  std::string_view content = std::string_view(text_).substr(starts_[index], end - starts_[index]);
  if (!content.empty() && content.back() == '\r') content.remove_suffix(1);
  return content;
}

}  // namespace semblance
