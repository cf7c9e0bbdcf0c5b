// SPDX-License-Identifier: MIT
#include "semblance/layout.hpp"

namespace semblance {
namespace {

const LayoutInfo& info_of(LayoutKind kind) { return layouts().at(static_cast<std::size_t>(kind)); }

}  // namespace

const std::vector<LayoutInfo>& layouts() {
  static const std::vector<LayoutInfo> all = {
      {LayoutKind::vector, "vector", "a", "", Layout::vector(24)},
      {LayoutKind::image, "image", "an", "height x width x channels", Layout::image(12, 12, 1)},
      {LayoutKind::grid, "grid", "a", "rows x columns x values per cell", Layout::grid(6, 6, 4)}};
  return all;
}

const char* name(LayoutKind kind) noexcept { return info_of(kind).name; }

std::string describe(const Layout& layout) {
  const LayoutInfo& info = info_of(layout.kind);
  std::string text = std::string(info.name) + " of ";
  if (*info.extents == '\0') return text + std::to_string(layout.depth);
  return text + std::to_string(layout.height) + "x" + std::to_string(layout.width) + "x" +
         std::to_string(layout.depth) + " (" + info.extents + ")";
}

}  // namespace semblance
