// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "semblance/matrix.hpp"

namespace semblance::strings {

/// The number of a symbol in programmes that compare strings.
using Symbol = std::uint16_t;

/// The padding of strings that are shorter than others in their panel. It differs from all symbols,
/// so there are fewer symbols than this.
inline constexpr Symbol no_symbol = 0xffff;

/// Numbers the symbols of strings: those of the alphabet by their position in it, then those that
/// the alphabet lacks and some strings have (new_symbols.hpp). The last number is for all others,
/// which equal nothing.
class SymbolCodes {
 public:
  SymbolCodes() = default;
  /// Throws Error if there are too many.
  explicit SymbolCodes(std::size_t alphabet);
  /// The symbols of the alphabet have the numbers `known`, and any other one has the number
  /// `other(code point)`; all are below `count`.
  SymbolCodes(std::vector<Symbol> known, std::function<Symbol(char32_t)> other, std::size_t count);

  /// Gives numbers to the symbols of these strings that have none of their own. Throws Error if
  /// there are too many.
  void add(MatrixView strings);

  /// One more than the largest number.
  std::size_t count() const noexcept { return other_ ? count_ : alphabet_ + added_.size() + 1; }
  /// The symbols added, in the order of their numbers, the first of which follows the alphabet's.
  std::span<const char32_t> added() const noexcept { return added_; }

  /// Throws Error if a value is neither a position in the alphabet nor a symbol that it lacks.
  std::vector<Symbol> of_row(std::span<const float> row) const;

 private:
  void check_value(float value, std::size_t place) const;
  Symbol of_new(char32_t symbol) const;

  std::size_t alphabet_ = 0;
  std::vector<char32_t> added_;  // ascending
  std::vector<Symbol> known_;    // of the alphabet's symbols, or none: their positions
  std::function<Symbol(char32_t)> other_;
  std::size_t count_ = 0;  // with `other_`
};

}  // namespace semblance::strings
