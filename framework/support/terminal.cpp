// SPDX-License-Identifier: MIT
#include "support/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace semblance {

TerminalSize terminal_size(int descriptor) noexcept {
  winsize size{};
  if (::ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return {};
  return {size.ws_col, size.ws_row > 0 ? size.ws_row : std::size_t{24}};
}

bool can_redraw(int descriptor) noexcept {
  const char* kind = std::getenv("TERM");
  return ::isatty(descriptor) == 1 && !(kind && std::string_view(kind) == "dumb");
}

std::size_t output_width() noexcept {
  constexpr std::size_t least = 40, most = 100;
  if (::isatty(STDOUT_FILENO) != 1) return most;
  return std::clamp(terminal_size(STDOUT_FILENO).columns, least, most);
}

std::size_t table_width() noexcept {
  constexpr std::size_t least = 40;
  if (::isatty(STDOUT_FILENO) != 1) return std::string::npos;
  return std::max(terminal_size(STDOUT_FILENO).columns, least);
}

std::string wrapped(const std::string& text, std::size_t width, std::size_t indent) {
  std::string out;
  std::size_t start = 0, room = width;
  while (text.size() - start > room) {
    std::size_t end = text.rfind(' ', start + room);
    const std::size_t first_word = text.find_first_not_of(' ', start);
    if (end == std::string::npos || end <= first_word) end = text.find(' ', first_word);
    if (end == std::string::npos) break;
    out += text.substr(start, end - start) + "\n" + std::string(indent, ' ');
    start = std::min(text.find_first_not_of(' ', end), text.size());
    room = width > indent ? width - indent : 1;
  }
  return out + text.substr(start);
}

}  // namespace semblance
