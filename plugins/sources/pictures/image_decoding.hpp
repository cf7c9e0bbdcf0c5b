// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace semblance::sources {

/// A picture in memory: (row, column, channel), 1 channel (grey) or 3 (red, green, blue).
struct Picture {
  std::size_t height = 0;
  std::size_t width = 0;
  std::size_t channels = 0;
  std::vector<std::uint8_t> values;
  int orientation = 1;  ///< its EXIF orientation; 1: none
};

/// The treatment of pictures that a camera has stored rotated.
enum class Turning { apply, ignore };

/// The largest picture that is decoded, in pixels, and its longest side.
inline constexpr std::size_t most_pixels = std::size_t{1} << 26;
inline constexpr std::size_t longest_side = 65535;

/// Decodes PNG, JPEG, BMP, TIFF, WebP, PBM, PGM or PPM, recognised by content, within a memory
/// limit. The claims of a header are compared with that and with the size of the file before
/// anything is allocated. Values are the stored ones, regardless of display settings in the file;
/// transparent pixels are blended with white. Throws Error with the problem of the picture.
/// Thread-safe.
Picture decode_picture(std::span<const std::uint8_t> file, std::size_t memory,
                       Turning turning = Turning::apply);

/// The decoders of the formats; they do not rotate the picture.
Picture decode_png(std::span<const std::uint8_t> file, std::size_t memory);
Picture decode_jpeg(std::span<const std::uint8_t> file, std::size_t memory);
Picture decode_pnm(std::span<const std::uint8_t> file, std::size_t memory);
Picture decode_bmp(std::span<const std::uint8_t> file, std::size_t memory);
Picture decode_tiff(std::span<const std::uint8_t> file, std::size_t memory);
Picture decode_webp(std::span<const std::uint8_t> file, std::size_t memory);

/// The orientation in EXIF data (a TIFF header and its contents, as cameras write them into JPEG
/// and PNG files): 1 (no rotation) to 8, tag 0x0112 of CIPA DC-008. 1 if it is missing or not
/// readable.
int exif_orientation(std::span<const std::uint8_t> exif);

/// The picture in its upright orientation.
Picture turned(Picture picture, int orientation);

/// The last value of a pixel is its opacity: blends the other values, as stored, with white, like
/// picture viewers.
void blend_with_white(Picture& picture);

/// Checks the size before anything is allocated; throws Error.
void check_picture_size(std::uint64_t height, std::uint64_t width, std::size_t channels,
                        std::size_t memory);

/// Throws Error about a picture of a form whose header claims more pixels than its bytes can have.
[[noreturn]] void refuse_claim(const std::string& form, std::uint64_t height, std::uint64_t width,
                               std::size_t bytes);

/// Converts to one channel by the luma weights 0.299, 0.587, 0.114, or to three equal ones.
Picture with_channels(Picture picture, std::size_t channels);

/// Resizes by bilinear interpolation; if the picture shrinks, over all pixels that a new one
/// covers.
Picture resized(const Picture& picture, std::size_t height, std::size_t width);

}  // namespace semblance::sources
