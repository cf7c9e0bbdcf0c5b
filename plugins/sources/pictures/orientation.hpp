// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

#include "pictures/image_decoding.hpp"

namespace semblance {

/// What EXIF data (a TIFF header and what follows, as cameras write it into JPEG and PNG files) say
/// of how the picture is to be turned: 1 (not at all) to 8, tag 0x0112 of CIPA DC-008. 1 where they
/// say nothing, or nothing that can be understood.
int exif_orientation(std::span<const std::uint8_t> exif);

/// The picture as it is to be looked at.
Picture turned(Picture picture, int orientation);

}  // namespace semblance
