// SPDX-License-Identifier: MIT
#include <png.h>

#include <cstring>
#include <string>

#include "image_decoding.hpp"
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

}  // namespace

Picture decode_png(std::span<const std::uint8_t> file) {
  PngImage png;
  if (!png_image_begin_read_from_memory(&png.image, file.data(), file.size())) png.fail();
  check_picture_size(png.image.height, png.image.width);
  const bool color = png.image.format & PNG_FORMAT_FLAG_COLOR;
  png.image.flags |= PNG_IMAGE_FLAG_16BIT_sRGB;  // 16-bit values are reduced, not made linear
  png.image.format = color ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
  Picture out{png.image.height, png.image.width, color ? 3u : 1u, {}};
  out.values.resize(out.height * out.width * out.channels);
  const png_color white = {255, 255, 255};  // behind what is transparent
  if (!png_image_finish_read(&png.image, &white, out.values.data(), 0, nullptr)) png.fail();
  return out;
}

}  // namespace semblance
