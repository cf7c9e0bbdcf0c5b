// SPDX-License-Identifier: MIT
#include "pipeline/yaml/source_text.hpp"

#include <algorithm>

namespace semblance {
namespace {

constexpr std::size_t block = 256;

std::size_t count_characters(std::string_view bytes) {
  return static_cast<std::size_t>(std::count_if(bytes.begin(), bytes.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

}  // namespace

SourceText::SourceText(std::string name, std::string text, std::size_t order)
    : name_(std::move(name)), text_(std::move(text)), order_(order), starts_{0} {
  const std::string_view bytes = text_;
  std::size_t characters = 0;
  for (std::size_t i = 0; i <= bytes.size(); i += block) {
    characters_.push_back(characters);
    characters += count_characters(bytes.substr(i, block));
  }
  for (std::size_t i = 0; i < bytes.size(); ++i)
    if (bytes[i] == '\n') starts_.push_back(i + 1);
}

std::size_t SourceText::characters_before(std::size_t offset) const {
  const std::size_t start = offset / block * block;
  return characters_[offset / block] +
         count_characters(std::string_view(text_).substr(start, offset - start));
}

Place SourceText::place(std::size_t offset, std::size_t length) const {
  offset = std::min(offset, text_.size());
  const auto next = std::upper_bound(starts_.begin(), starts_.end(), offset);
  const int number = static_cast<int>(next - starts_.begin());
  const std::size_t start = *(next - 1);
  const std::size_t end = start + line(number).size();
  offset = std::min(offset, end);
  const std::size_t last = offset + std::min(std::max<std::size_t>(length, 1), end - offset);
  const std::size_t before = characters_before(offset);
  const auto column = static_cast<int>(before - characters_before(start)) + 1;
  return {this, {number, column}, std::max(1, static_cast<int>(characters_before(last) - before))};
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
