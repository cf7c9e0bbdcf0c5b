// SPDX-License-Identifier: MIT
#include "symbol_codes.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "semblance/error.hpp"
#include "semblance/new_symbols.hpp"
#include "semblance/parameters.hpp"

namespace semblance::strings {
namespace {

void check_count(std::size_t count) {
  if (count > no_symbol)
    throw Error("the strings have " + std::to_string(count - 1) + " symbols; there may be " +
                std::to_string(no_symbol - 1));
}

}  // namespace

SymbolCodes::SymbolCodes(std::size_t alphabet) : alphabet_(alphabet) { check_count(count()); }

SymbolCodes::SymbolCodes(std::vector<Symbol> known, std::function<Symbol(char32_t)> other,
                         std::size_t count)
    : alphabet_(known.size()), known_(std::move(known)), other_(std::move(other)), count_(count) {}

void SymbolCodes::add(MatrixView strings) {
  if (other_) return;
  for (std::size_t i = 0; i < strings.rows; ++i)
    for (const float value : strings.row_span(i))
      if (is_new_symbol(value)) added_.push_back(new_symbol(value));
  std::ranges::sort(added_);
  const auto twice = std::ranges::unique(added_);
  added_.erase(twice.begin(), twice.end());
  check_count(count());
}

void SymbolCodes::check_value(float value, std::size_t place) const {
  if (value >= 0 && value < static_cast<float>(alphabet_) && value == std::floor(value)) return;
  throw Error("value " + std::to_string(place) + " of a string is " +
              to_text(Value(double(value))) + ", which is no position in an alphabet of " +
              std::to_string(alphabet_) + " symbols (0 to " + std::to_string(alphabet_ - 1) +
              "); compare strings as a source gives them");
}

Symbol SymbolCodes::of_new(char32_t symbol) const {
  if (other_) return other_(symbol);
  const auto found = std::ranges::lower_bound(added_, symbol);
  const bool added = found != added_.end() && *found == symbol;
  return static_cast<Symbol>(added ? alphabet_ + static_cast<std::size_t>(found - added_.begin())
                                   : count() - 1);
}

std::vector<Symbol> SymbolCodes::of_row(std::span<const float> row) const {
  std::vector<Symbol> symbols(row.size());
  for (std::size_t k = 0; k < row.size(); ++k) {
    if (is_new_symbol(row[k])) {
      symbols[k] = of_new(new_symbol(row[k]));
      continue;
    }
    check_value(row[k], k);
    const auto position = static_cast<Symbol>(row[k]);
    symbols[k] = known_.empty() ? position : known_[position];
  }
  return symbols;
}

}  // namespace semblance::strings
