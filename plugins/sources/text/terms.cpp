// SPDX-License-Identifier: MIT
#include "text/terms.hpp"

#include <utf8proc.h>

#include <algorithm>

#include "text/alphabet.hpp"

namespace semblance::sources {
namespace {

bool belongs_to_word(char32_t symbol) {
  if (symbol < 0x80)
    return (symbol >= U'a' && symbol <= U'z') || (symbol >= U'A' && symbol <= U'Z') ||
           (symbol >= U'0' && symbol <= U'9') || symbol == U'_';
  const utf8proc_category_t category = utf8proc_category(static_cast<utf8proc_int32_t>(symbol));
  return category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_NO;
}

bool is_blank(char32_t symbol) {
  if (symbol < 0x80) return symbol == U' ' || (symbol >= U'\t' && symbol <= U'\r');
  const utf8proc_category_t category = utf8proc_category(static_cast<utf8proc_int32_t>(symbol));
  return category >= UTF8PROC_CATEGORY_ZS && category <= UTF8PROC_CATEGORY_ZP;
}

char32_t lower(char32_t symbol) {
  if (symbol < 0x80) return symbol >= U'A' && symbol <= U'Z' ? symbol + 32 : symbol;
  return static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(symbol)));
}

}  // namespace

void Terms::end_piece(std::size_t letters) {
  if (begins_.size() == ends_.size()) return;
  if (format_.words && letters < format_.letters) {
    folded_.resize(begins_.back());
    begins_.pop_back();
    return;
  }
  ends_.push_back(folded_.size());
  if (format_.words) folded_ += ' ';
}

/// Into words or characters.
void Terms::cut(std::string_view text) {
  folded_.clear();
  begins_.clear();
  ends_.clear();
  std::size_t letters = 0;
  bool blank = true;
  while (!text.empty()) {
    const char32_t symbol = take_symbol(text);
    if (format_.words ? !belongs_to_word(symbol) : is_blank(symbol)) {
      end_piece(letters);
      if (!format_.words && !blank) {
        begins_.push_back(folded_.size());
        folded_ += ' ';
        end_piece(1);
      }
      blank = true;
      continue;
    }
    if (blank || !format_.words) {
      begins_.push_back(folded_.size());
      letters = 0;
    }
    blank = false;
    ++letters;
    folded_ += utf8(format_.keep_case ? symbol : lower(symbol));
    if (!format_.words) end_piece(1);
  }
  end_piece(letters);
  const bool ends_in_blank = !format_.words && !begins_.empty() && folded_.ends_with(' ');
  if (ends_in_blank) {
    begins_.pop_back();
    ends_.pop_back();
  }
}

void Terms::for_each(std::string_view text, const std::function<void(std::string_view)>& body) {
  cut(text);
  const std::string_view all = folded_;
  for (std::size_t first = 0; first < begins_.size(); ++first)
    for (std::size_t n = format_.shortest; n <= format_.longest; ++n) {
      if (first + n > ends_.size()) break;
      body(all.substr(begins_[first], ends_[first + n - 1] - begins_[first]));
    }
}

namespace {

/// FNV-1a, whose values are the same everywhere, as a model's columns must be.
std::uint64_t hash_of(std::string_view text) noexcept {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return hash ^ hash >> 32U;
}

}  // namespace

TermColumns::TermColumns(std::vector<std::string> terms) : terms_(std::move(terms)) {
  std::ranges::sort(terms_);
  columns_.reserve(terms_.size());
  for (std::size_t i = 0; i < terms_.size(); ++i)
    columns_.emplace(terms_[i], static_cast<std::uint32_t>(i));
}

std::uint32_t TermColumns::of(std::string_view term) const {
  if (hashed_ > 0) return static_cast<std::uint32_t>(hash_of(term) % hashed_);
  const auto found = columns_.find(term);
  return found == columns_.end() ? none : found->second;
}

}  // namespace semblance::sources
