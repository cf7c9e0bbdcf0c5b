// SPDX-License-Identifier: MIT
#include <webp/decode.h>

#include <cstring>

#include "pictures/image_decoding.hpp"
#include "semblance/error.hpp"

namespace semblance::sources {
namespace {

std::size_t little_endian(std::span<const std::uint8_t> bytes) {
  return bytes[0] | std::size_t{bytes[1]} << 8 | std::size_t{bytes[2]} << 16 |
         std::size_t{bytes[3]} << 24;
}

/// The orientation from the container's EXIF chunk.
int orientation_of(std::span<const std::uint8_t> file) {
  constexpr std::size_t header = 8;
  std::span<const std::uint8_t> rest = file.subspan(12);
  while (rest.size() >= header) {
    const std::size_t size = little_endian(rest.subspan(4));
    std::span<const std::uint8_t> content = rest.subspan(header);
    if (size > content.size()) return 1;
    if (std::memcmp(rest.data(), "EXIF", 4) == 0) {
      content = content.first(size);
      constexpr std::size_t name = 6;
      if (size > name && std::memcmp(content.data(), "Exif\0\0", name) == 0)
        content = content.subspan(name);
      return exif_orientation(content);
    }
    const std::size_t padded = size + size % 2;
    if (padded > content.size()) return 1;
    rest = content.subspan(padded);
  }
  return 1;
}

}  // namespace

Picture decode_webp(std::span<const std::uint8_t> file, std::size_t memory) {
  WebPBitstreamFeatures features;
  if (WebPGetFeatures(file.data(), file.size(), &features) != VP8_STATUS_OK)
    throw Error("cannot decode the WebP picture (its header is damaged); replace or remove it");
  if (features.has_animation != 0)
    throw Error("the WebP picture is an animation; convert it to single pictures");
  const auto height = static_cast<std::size_t>(features.height);
  const auto width = static_cast<std::size_t>(features.width);
  const std::size_t channels = features.has_alpha != 0 ? 4 : 3;
  // The library needs about the same amount again while decoding.
  check_picture_size(height, width, 2 * channels, memory);
  Picture out{height, width, channels, {}};
  out.values.resize(height * width * channels);
  const auto decode = channels == 4 ? WebPDecodeRGBAInto : WebPDecodeRGBInto;
  if (!decode(file.data(), file.size(), out.values.data(), out.values.size(),
              static_cast<int>(width * channels)))
    throw Error("cannot decode the WebP picture (it is damaged or cut off); replace or remove it");
  if (channels == 4) blend_with_white(out);
  out.orientation = orientation_of(file);
  return out;
}

}  // namespace semblance::sources
