// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

namespace semblance {

struct TerminalSize {
  std::size_t columns = 80;
  std::size_t rows = 24;
};

/// The size of the terminal that is open as the descriptor; 80 by 24 where it does not say.
TerminalSize terminal_size(int descriptor) noexcept;

/// Whether the descriptor is a terminal on which lines can be redrawn: not one with TERM=dumb.
bool can_redraw(int descriptor) noexcept;

/// The columns for text that goes to standard output: those of its terminal, from 40 to 100; 100
/// for a file or a pipe.
std::size_t output_width() noexcept;

/// The columns for a table on standard output: those of its terminal, at least 40. There is no
/// limit for a file or a pipe: whoever reads it may need the names whole.
std::size_t table_width() noexcept;

/// The text on lines of at most `width` characters, broken at spaces; all but the first are
/// indented by `indent`. A word that is longer has a line of its own; spaces at the start stay.
std::string wrapped(const std::string& text, std::size_t width, std::size_t indent);

}  // namespace semblance
