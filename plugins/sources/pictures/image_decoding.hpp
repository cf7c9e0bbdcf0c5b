// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace semblance {

/// A picture in memory: (row, column, channel), 1 channel (grey) or 3 (red, green, blue).
struct Picture {
  std::size_t height = 0;
  std::size_t width = 0;
  std::size_t channels = 0;
  std::vector<std::uint8_t> values;
  int orientation = 1;  ///< how it is to be turned, as EXIF says it; 1: not at all
};

/// What is done about pictures that a camera has stored on their side.
enum class Turning { apply, ignore };

/// The largest picture that is decoded, in pixels, and its longest side.
inline constexpr std::size_t most_pixels = std::size_t{1} << 26;
inline constexpr std::size_t longest_side = 65535;

/// Decodes PNG, JPEG, BMP, TIFF, WebP, PBM, PGM or PPM, known by their content, within so many
/// bytes of memory. What a header claims is compared with that and with the size of the file before
/// anything is allocated. Values are those that are stored, whatever the file says of how to show
/// them; transparent pixels are blended with white. Throws Error saying what is wrong with the
/// picture. Thread-safe.
Picture decode_picture(std::span<const std::uint8_t> file, std::size_t memory,
                       Turning turning = Turning::apply);

/// The decoders of one format each; they leave the picture as it is stored.
Picture decode_png(std::span<const std::uint8_t> file, std::size_t memory);
Picture decode_jpeg(std::span<const std::uint8_t> file, std::size_t memory);
Picture decode_pnm(std::span<const std::uint8_t> file, std::size_t memory);
Picture decode_bmp(std::span<const std::uint8_t> file, std::size_t memory);
Picture decode_tiff(std::span<const std::uint8_t> file, std::size_t memory);
Picture decode_webp(std::span<const std::uint8_t> file, std::size_t memory);

/// The last of a pixel's values is its opacity: blends the others, as they are stored, with white,
/// as programs that show pictures do.
void blend_with_white(Picture& picture);

/// Checks the size before anything is allocated; throws Error.
void check_picture_size(std::uint64_t height, std::uint64_t width, std::size_t channels,
                        std::size_t memory);

/// To one channel by the luma weights 0.299, 0.587, 0.114, or to three equal ones.
Picture with_channels(Picture picture, std::size_t channels);

/// Bilinear interpolation; where the picture shrinks, over all pixels that a new one covers.
Picture resized(const Picture& picture, std::size_t height, std::size_t width);

}  // namespace semblance
