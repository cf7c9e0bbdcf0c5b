// SPDX-License-Identifier: MIT
#include "packed_strings.hpp"

#include "semblance/row_error.hpp"

namespace semblance::strings {

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
