// SPDX-License-Identifier: MIT
#include "string_panels.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "semblance/error.hpp"
#include "semblance/parameters.hpp"

namespace semblance::strings {

std::vector<Symbol> symbols_of_row(std::span<const float> row, std::size_t alphabet) {
  std::vector<Symbol> symbols(row.size());
  for (std::size_t k = 0; k < row.size(); ++k) {
    const float value = row[k];
    if (!(value >= 0 && value < static_cast<float>(alphabet)) ||
        value != static_cast<float>(static_cast<Symbol>(value)))
      throw Error("value " + std::to_string(k) + " of a string is " +
                  to_text(Value(double(value))) + ", which is no position in an alphabet of " +
                  std::to_string(alphabet) + " symbols (0 to " + std::to_string(alphabet - 1) +
                  "); compare strings as a source gives them");
    symbols[k] = static_cast<Symbol>(value);
  }
  return symbols;
}

StringPanels::StringPanels(MatrixView strings, std::size_t alphabet)
    : alphabet_(alphabet), row_(strings.rows), length_(strings.rows) {
  if (alphabet >= no_symbol)
    throw Error("the alphabet has " + std::to_string(alphabet) + " symbols; there may be " +
                std::to_string(no_symbol - 1));
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
      const auto symbols = symbols_of_row(strings.row_span(row(panel, lane)), alphabet);
      length_[panel.first + lane] = symbols.size();
      for (std::size_t k = 0; k < symbols.size(); ++k)
        symbols_.data()[panel.offset + k * width + lane] = symbols[k];
    }
}

}  // namespace semblance::strings
