// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace semblance {

/// A PNG picture in base64, to be embedded in a page. `pixels` are width x height of one byte
/// (grey) or three (red, green, blue), row by row from the top. Throws Error where there are none.
std::string picture_text(std::size_t width, std::size_t height,
                         std::span<const std::uint8_t> pixels);

}  // namespace semblance
