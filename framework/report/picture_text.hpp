// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace semblance {

/// A PNG picture in base64, as a page can hold it. `pixels` are width x height of one byte (grey)
/// or of three (red, green, blue), row by row from the top. Throws Error where there are none.
std::string picture_text(std::size_t width, std::size_t height,
                         std::span<const std::uint8_t> pixels);

}  // namespace semblance
