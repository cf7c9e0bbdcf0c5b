// SPDX-License-Identifier: MIT
#include "semblance/layout.hpp"

namespace semblance {

const char* name(LayoutKind kind) noexcept {
  switch (kind) {
    case LayoutKind::vector:
      return "vector";
    case LayoutKind::image:
      return "image";
    case LayoutKind::grid:
      return "grid";
  }
  return "unknown";
}

std::string describe(const Layout& layout) {
  if (layout.kind == LayoutKind::vector) return "vector of " + std::to_string(layout.depth);
  const char* meaning = layout.kind == LayoutKind::image ? " (height x width x channels)"
                                                         : " (rows x columns x values per cell)";
  return std::string(name(layout.kind)) + " of " + std::to_string(layout.height) + "x" +
         std::to_string(layout.width) + "x" + std::to_string(layout.depth) + meaning;
}

}  // namespace semblance
