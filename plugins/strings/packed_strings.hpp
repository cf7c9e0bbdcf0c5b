// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "semblance/context.hpp"
#include "semblance/error.hpp"
#include "semblance/layout.hpp"
#include "string_panels.hpp"

namespace semblance::strings {

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
