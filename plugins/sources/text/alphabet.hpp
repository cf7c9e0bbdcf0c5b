// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "semblance/new_symbols.hpp"

namespace semblance::sources {

/// Takes the first code point off `text`, which must be UTF-8 and not empty.
char32_t take_symbol(std::string_view& text) noexcept;

/// For messages: "'x' (U+0078)".
std::string describe_symbol(char32_t symbol);

/// The symbols of strings, in the order of their code points, which is that of their codes 0, 1,
/// ...
class Alphabet {
 public:
  static constexpr std::int32_t none = -1;

  /// Adds a symbol; codes are known after number().
  void add(char32_t symbol);
  /// Adds the symbols of a text, which must be UTF-8. Returns the first duplicate, else 0.
  char32_t add_all(std::string_view text);
  void number();

  std::size_t size() const noexcept { return size_; }
  bool knows(char32_t symbol) const noexcept { return code(symbol) != none; }
  /// `none` where the symbol does not belong to it.
  std::int32_t code(char32_t symbol) const noexcept {
    return symbol < codes_.size() ? codes_[symbol] : none;
  }
  bool has_all_of(const Alphabet& other) const noexcept;
  /// All symbols, as UTF-8.
  std::string text() const;

 private:
  std::vector<std::int32_t> codes_;  ///< one a code point, up to the largest one
  std::size_t size_ = 0;
};

}  // namespace semblance::sources
