// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>
#include <utility>

#include "pictures/image_decoding.hpp"

namespace semblance::sources {
namespace {

/// Numbers of a TIFF file, in the order of bytes that its header names; 0 beyond its end.
class Tiff {
 public:
  explicit Tiff(std::span<const std::uint8_t> file)
      : file_(file), big_endian_(!file.empty() && file[0] == 'M') {}

  std::uint32_t number(std::size_t at, std::size_t bytes) const {
    if (at > file_.size() || file_.size() - at < bytes) return 0;
    std::uint32_t value = 0;
    for (std::size_t k = 0; k < bytes; ++k)
      value = value << 8 | file_[at + (big_endian_ ? k : bytes - 1 - k)];
    return value;
  }

 private:
  std::span<const std::uint8_t> file_;
  bool big_endian_;
};

bool is_tiff(std::span<const std::uint8_t> file) {
  return file.size() >= 8 &&
         (std::memcmp(file.data(), "II*\0", 4) == 0 || std::memcmp(file.data(), "MM\0*", 4) == 0);
}

/// The place of pixel (y, x) of the rotated picture in the stored one of h x w pixels.
std::pair<std::size_t, std::size_t> stored_place(int orientation, std::size_t y, std::size_t x,
                                                 std::size_t h, std::size_t w) {
  switch (orientation) {
    case 2:
      return {y, w - 1 - x};
    case 3:
      return {h - 1 - y, w - 1 - x};
    case 4:
      return {h - 1 - y, x};
    case 5:
      return {x, y};
    case 6:
      return {h - 1 - x, y};
    case 7:
      return {h - 1 - x, w - 1 - y};
    case 8:
      return {x, w - 1 - y};
    default:
      return {y, x};
  }
}

}  // namespace

int exif_orientation(std::span<const std::uint8_t> exif) {
  constexpr std::uint32_t orientation_tag = 0x0112, short_type = 3;
  constexpr std::size_t entry_bytes = 12;
  if (!is_tiff(exif)) return 1;
  const Tiff tiff(exif);
  const std::size_t directory = tiff.number(4, 4);
  const std::size_t entries = tiff.number(directory, 2);
  for (std::size_t e = 0; e < entries; ++e) {
    const std::size_t at = directory + 2 + e * entry_bytes;
    if (at + entry_bytes > exif.size()) break;
    if (tiff.number(at, 2) != orientation_tag) continue;
    const auto value = tiff.number(at + 8, tiff.number(at + 2, 2) == short_type ? 2 : 4);
    return value >= 1 && value <= 8 ? static_cast<int>(value) : 1;
  }
  return 1;
}

Picture turned(Picture picture, int orientation) {
  if (orientation <= 1 || orientation > 8) return picture;
  const bool on_its_side = orientation >= 5;
  const std::size_t h = picture.height, w = picture.width, channels = picture.channels;
  Picture out{on_its_side ? w : h, on_its_side ? h : w, channels, {}};
  out.values.resize(picture.values.size());
  std::uint8_t* to = out.values.data();
  for (std::size_t y = 0; y < out.height; ++y)
    for (std::size_t x = 0; x < out.width; ++x, to += channels) {
      const auto [row, column] = stored_place(orientation, y, x, h, w);
      std::copy_n(picture.values.data() + (row * w + column) * channels, channels, to);
    }
  return out;
}

}  // namespace semblance::sources
