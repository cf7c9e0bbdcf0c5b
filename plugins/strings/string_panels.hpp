// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "semblance/matrix.hpp"
#include "semblance_numerics/aligned_array.hpp"
#include "symbol_codes.hpp"

namespace semblance::strings {

/// Interleaved strings, one per SIMD lane, so that one dynamic programme advances `width` of them
/// at once. Strings of similar length share a panel. A lane's result does not depend on other
/// lanes.
class StringPanels {
 public:
  /// Lanes of a panel, on every processor: several vectors.
  static constexpr std::size_t width = 32;

  struct Panel {
    std::size_t first = 0;    ///< of its strings in the order of lanes
    std::size_t strings = 0;  ///< 1 to `width`
    std::size_t longest = 0;  ///< symbols
    std::size_t offset = 0;   ///< of its symbols
  };

  StringPanels() = default;
  /// Throws Error if a value is no symbol.
  StringPanels(MatrixView strings, const SymbolCodes& codes);

  std::size_t strings() const noexcept { return row_.size(); }
  /// Symbols are below it.
  std::size_t alphabet() const noexcept { return alphabet_; }
  std::span<const Panel> panels() const noexcept { return panels_; }

  /// Which row a lane holds.
  std::size_t row(const Panel& panel, std::size_t lane) const noexcept {
    return row_[panel.first + lane];
  }
  std::size_t length(const Panel& panel, std::size_t lane) const noexcept {
    return length_[panel.first + lane];
  }
  /// `longest` times `width` symbols, those of all lanes at one position side by side.
  const Symbol* symbols(const Panel& panel) const noexcept {
    return symbols_.data() + panel.offset;
  }

 private:
  std::size_t alphabet_ = 0;
  std::vector<Panel> panels_;
  std::vector<std::size_t> row_;
  std::vector<std::size_t> length_;
  numerics::AlignedArray<Symbol> symbols_;
};

}  // namespace semblance::strings
