// SPDX-License-Identifier: MIT
#include "string_panels.hpp"

#include <algorithm>
#include <numeric>

namespace semblance::strings {

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

}  // namespace semblance::strings
