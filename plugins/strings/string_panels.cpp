// SPDX-License-Identifier: MIT
#include "string_panels.hpp"

#include <cmath>
#include <numeric>

#include "semblance/new_symbols.hpp"
#include "semblance/parameters.hpp"
#include "semblance/row_error.hpp"

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

StringPanels::StringPanels(MatrixView strings, const SymbolCodes& codes)
    : alphabet_(codes.count()), row_(strings.rows), length_(strings.rows) {
  std::iota(row_.begin(), row_.end(), std::size_t{0});
  std::ranges::stable_sort(row_, std::greater{}, [&](std::size_t i) { return strings.size(i); });
  std::size_t offset = 0;
  for (std::size_t first = 0; first < row_.size(); first += width) {
    const std::size_t longest = strings.size(row_[first]);
    panels_.push_back({first, std::min(width, row_.size() - first), longest, offset});
    offset += longest * width;
  }
  symbols_ = numerics::AlignedArray<Symbol>(offset);
  std::fill_n(symbols_.data(), offset, no_symbol);
  for (const Panel& panel : panels_)
    for (std::size_t lane = 0; lane < panel.strings; ++lane) {
      const auto symbols = codes.of_row(strings.row_span(row(panel, lane)));
      length_[panel.first + lane] = symbols.size();
      for (std::size_t k = 0; k < symbols.size(); ++k)
        symbols_.data()[panel.offset + k * width + lane] = symbols[k];
    }
}

void check_alphabet(const Layout& layout) {
  const std::size_t symbols = symbols_of(layout).size();
  if (symbols == 0)
    throw Error("the strings' alphabet has no symbols; connect it to a source of strings");
  if (symbols >= no_symbol)
    throw Error("the alphabet has " + std::to_string(symbols) + " symbols; there may be " +
                std::to_string(no_symbol - 1));
}

std::vector<std::vector<Symbol>> symbols_of_rows(MatrixView rows, const SymbolCodes& codes) {
  std::vector<std::vector<Symbol>> symbols(rows.rows);
  for (std::size_t i = 0; i < rows.rows; ++i)
    in_row(i, [&] { symbols[i] = codes.of_row(rows.row_span(i)); });
  return symbols;
}

}  // namespace semblance::strings
