// SPDX-License-Identifier: MIT
#include "support/safe_text.hpp"

namespace semblance {
namespace {

/// The length in bytes of a control character at the start of the text; 0: there is none.
std::size_t steering(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const unsigned first = byte(0), second = byte(1), third = byte(2);
  if (first == 0x7f || (first < 0x20 && first != '\n' && first != '\t')) return 1;
  if (first == 0xc2 && second >= 0x80 && second <= 0x9f) return 2;
  if (first == 0xd8 && second == 0x9c) return 2;
  if (first != 0xe2) return 0;
  const bool marks = second == 0x80 && (third == 0x8e || third == 0x8f);
  const bool embeddings = second == 0x80 && third >= 0xaa && third <= 0xae;
  const bool isolates = second == 0x81 && third >= 0xa6 && third <= 0xa9;
  return marks || embeddings || isolates ? 3 : 0;
}

}  // namespace

std::string safe_text(std::string_view text) {
  std::string shown;
  shown.reserve(text.size());
  while (!text.empty()) {
    const std::size_t bytes = steering(text);
    shown += bytes > 0 ? '?' : text.front();
    text.remove_prefix(bytes > 0 ? bytes : 1);
  }
  return shown;
}

}  // namespace semblance
