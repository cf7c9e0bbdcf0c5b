// SPDX-License-Identifier: MIT
#include <png.h>

#include <cstring>
#include <string>

#include "pictures/image_decoding.hpp"
#include "semblance/error.hpp"

namespace semblance {
namespace {

struct PngImage {
  png_image image;
  PngImage() {
    std::memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
  }
  ~PngImage() { png_image_free(&image); }
  [[noreturn]] void fail() const {
    throw Error(std::string("the PNG picture cannot be decoded (") + image.message +
                "); get it again or remove it");
  }
};

/// Deflate makes nothing smaller than by 1032: where the file is too small for the pixels that its
/// header claims, they are not there. The header (IHDR) comes first and has been read.
void check_file_size(std::span<const std::uint8_t> file, std::uint64_t height,
                     std::uint64_t width) {
  constexpr std::size_t depth_at = 24, type_at = 25;
  const std::uint64_t channels = file[type_at] == 2   ? 3
                                 : file[type_at] == 4 ? 2
                                 : file[type_at] == 6 ? 4
                                                      : 1;
  if (height * width * channels * file[depth_at] / 8 > 1032 * std::uint64_t{file.size()})
    throw Error("the PNG picture claims " + std::to_string(width) + "x" + std::to_string(height) +
                " pixels, which cannot be in its " + std::to_string(file.size()) +
                " bytes; get it again or remove it");
}

}  // namespace

Picture decode_png(std::span<const std::uint8_t> file, std::size_t memory) {
  PngImage png;
  if (!png_image_begin_read_from_memory(&png.image, file.data(), file.size())) png.fail();
  const bool color = png.image.format & PNG_FORMAT_FLAG_COLOR;
  check_picture_size(png.image.height, png.image.width, color ? 3 : 1, memory);
  check_file_size(file, png.image.height, png.image.width);
  png.image.flags |= PNG_IMAGE_FLAG_16BIT_sRGB;  // 16-bit values are reduced, not made linear
  png.image.format = color ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
  Picture out{png.image.height, png.image.width, color ? 3u : 1u, {}};
  out.values.resize(out.height * out.width * out.channels);
  const png_color white = {255, 255, 255};  // behind what is transparent
  if (!png_image_finish_read(&png.image, &white, out.values.data(), 0, nullptr)) png.fail();
  return out;
}

}  // namespace semblance
