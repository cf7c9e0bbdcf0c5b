// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

#include "pictures/image_decoding.hpp"

namespace semblance::sources {

/// The orientation in EXIF data (a TIFF header and its contents, as cameras write them into JPEG
/// and PNG files): 1 (no rotation) to 8, tag 0x0112 of CIPA DC-008. 1 if it is missing or not
/// readable.
int exif_orientation(std::span<const std::uint8_t> exif);

/// The picture in its upright orientation.
Picture turned(Picture picture, int orientation);

}  // namespace semblance::sources
