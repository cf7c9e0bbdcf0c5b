// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "semblance/context.hpp"
#include "semblance/error.hpp"
#include "semblance/layout.hpp"
#include "semblance/matrix.hpp"
#include "semblance_numerics/aligned_array.hpp"

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

/// The largest number of columns of string features: a row of them takes a megabyte.
inline constexpr std::size_t most_columns = std::size_t{1} << 18;

/// Throws Error if the alphabet has more symbols than programmes can distinguish.
void check_alphabet(const Layout& layout);

/// The rows of a block as symbols. Errors name the row.
std::vector<std::vector<Symbol>> symbols_of_rows(MatrixView rows, const SymbolCodes& codes);

/// Bases in panels, and parts of them.
class PackedStrings {
 public:
  PackedStrings() = default;
  /// The rows stay in place. Each of their symbols has a number of its own in `codes`.
  PackedStrings(MatrixView rows, SymbolCodes codes) : rows_(rows), codes_(std::move(codes)) {
    codes_.add(rows);
    all_ = StringPanels(rows, codes_);
  }

  std::size_t length(std::size_t row) const noexcept { return rows_.size(row); }
  MatrixView rows() const noexcept { return rows_; }

  /// Calls store(i, j, value) with the programme's result for string `first + j` and row i of `in`,
  /// for `count` strings. Polls for stops.
  template <class Programme, class Store>
  void compare(std::size_t first, std::size_t count, MatrixView in, Programme&& programme,
               Context& context, const Store& store) const {
    // Strings of a part are packed again: the result for a string does not depend on other strings.
    std::optional<StringPanels> some;
    if (count != rows_.rows) some.emplace(rows_.rows_range(first, count), codes_);
    const StringPanels& panels = some ? *some : all_;
    const auto rows = symbols_of_rows(in, codes_);
    for (const StringPanels::Panel& panel : panels.panels())
      for (std::size_t i = 0; i < rows.size(); ++i) {
        programme.start(panels, panel, rows[i].size());
        advance(programme, panel, rows[i], context);
        double values[StringPanels::width];
        programme.finish(values);
        for (std::size_t lane = 0; lane < panel.strings; ++lane)
          store(i, panels.row(panel, lane), values[lane]);
      }
  }

 private:
  /// A part at a time, so that a stop is noticed soon however long the strings are.
  template <class Programme>
  static void advance(Programme& programme, const StringPanels::Panel& panel,
                      std::span<const Symbol> symbols, Context& context) {
    constexpr std::size_t cells = 10'000'000, sweep = 8;
    const std::size_t fit = cells / (StringPanels::width * std::max<std::size_t>(panel.longest, 1));
    const std::size_t part = std::max(fit / sweep, std::size_t{1}) * sweep;
    for (std::size_t k = 0; k < symbols.size(); k += part) {
      context.check_stop();
      programme.advance(symbols.subspan(k, std::min(part, symbols.size() - k)));
    }
  }

  MatrixView rows_;
  SymbolCodes codes_;
  StringPanels all_;
};

}  // namespace semblance::strings
