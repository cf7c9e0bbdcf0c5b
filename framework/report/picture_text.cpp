// SPDX-License-Identifier: MIT
#include "report/picture_text.hpp"

#include <png.h>

#include <boost/archive/iterators/base64_from_binary.hpp>
#include <boost/archive/iterators/transform_width.hpp>
#include <vector>

#include "semblance/error.hpp"

namespace semblance {
namespace {

std::string base64(const std::vector<unsigned char>& bytes) {
  using namespace boost::archive::iterators;
  using Letters = base64_from_binary<transform_width<const unsigned char*, 6, 8>>;
  std::string text(Letters(bytes.data()), Letters(bytes.data() + bytes.size()));
  return text.append((3 - bytes.size() % 3) % 3, '=');
}

std::vector<unsigned char> png_of(png_image& image, const std::uint8_t* pixels) {
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::vector<unsigned char> bytes(size);
  if (!png_image_write_to_memory(&image, bytes.data(), &size, 0, pixels, 0, nullptr))
    throw Error("cannot make a PNG picture for the page: " + std::string(image.message));
  bytes.resize(size);
  return bytes;
}

}  // namespace

std::string picture_text(std::size_t width, std::size_t height,
                         std::span<const std::uint8_t> pixels) {
  const std::size_t count = width * height;
  if (count == 0 || (pixels.size() != count && pixels.size() != 3 * count))
    throw Error("a picture of " + std::to_string(width) + " x " + std::to_string(height) +
                " pixels cannot have " + std::to_string(pixels.size()) + " bytes");
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(width);
  image.height = static_cast<png_uint_32>(height);
  image.format = pixels.size() == count ? PNG_FORMAT_GRAY : PNG_FORMAT_RGB;
  return base64(png_of(image, pixels.data()));
}

}  // namespace semblance
