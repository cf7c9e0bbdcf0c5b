// SPDX-License-Identifier: MIT
#include <array>
#include <bit>
#include <string>

#include "pictures/image_decoding.hpp"
#include "semblance/error.hpp"

namespace semblance::sources {
namespace {

// Boost.GIL also reads BMP, but an index beyond the palette makes it read out of bounds.

[[noreturn]] void refuse(const std::string& what) {
  throw Error("the BMP picture " + what + "; convert, replace or remove it");
}

/// The bits of a channel in a pixel's number.
struct Mask {
  std::uint32_t bits = 0;

  /// Scaled to 0..255, rounded.
  std::uint8_t value(std::uint32_t pixel) const {
    if (bits == 0) return 0;
    const int shift = std::countr_zero(bits);
    const std::uint64_t most = bits >> shift;
    return static_cast<std::uint8_t>((std::uint64_t{(pixel & bits) >> shift} * 255 + most / 2) /
                                     most);
  }
  bool is_run() const {
    const std::uint32_t low = bits >> (bits ? std::countr_zero(bits) : 0);
    return (low & (low + 1)) == 0;
  }
};

class BmpReader {
 public:
  BmpReader(std::span<const std::uint8_t> file, std::size_t memory) : file_(file) {
    read_header(memory);
  }

  Picture read() {
    Picture out{height_, width_, 3, {}};
    const std::uint64_t stride = (width_ * bits_ + 31) / 32 * 4;
    if (pixels_ > file_.size() || stride * height_ > file_.size() - pixels_)
      refuse("ends before its last pixel");
    out.values.resize(height_ * width_ * 3);
    for (std::size_t y = 0; y < height_; ++y) {
      const std::size_t stored = from_top_ ? y : height_ - 1 - y;
      read_row(file_.subspan(pixels_ + stored * stride, stride),
               std::span(out.values).subspan(y * width_ * 3, width_ * 3));
    }
    return out;
  }

 private:
  static constexpr std::uint32_t file_header = 14;

  std::uint32_t number(std::size_t at, std::size_t bytes) const {
    if (at + bytes > file_.size()) refuse("ends within its header");
    std::uint32_t value = 0;
    for (std::size_t k = bytes; k-- > 0;) value = value << 8 | file_[at + k];
    return value;
  }

  void read_header(std::size_t memory) {
    const std::uint32_t size = number(file_header, 4);
    const bool old = size == 12;
    if (!old && (size < 40 || size > 1024)) refuse("has a header of an unknown form");
    pixels_ = number(10, 4);
    const auto signed_height =
        old ? std::int64_t{number(20, 2)} : std::int64_t{static_cast<std::int32_t>(number(22, 4))};
    const auto signed_width =
        old ? std::int64_t{number(18, 2)} : std::int64_t{static_cast<std::int32_t>(number(18, 4))};
    bits_ = number(old ? 24 : 28, 2);
    const std::uint32_t compression = old ? 0 : number(30, 4);
    if (signed_width < 0) refuse("has a negative width");
    from_top_ = signed_height < 0;
    height_ = static_cast<std::size_t>(from_top_ ? -signed_height : signed_height);
    width_ = static_cast<std::size_t>(signed_width);
    check_picture_size(height_, width_, 3, memory);
    constexpr std::uint32_t plain = 0, masked = 3, masked_with_opacity = 6;
    if (compression != plain && compression != masked && compression != masked_with_opacity)
      refuse("is compressed (form " + std::to_string(compression) + "), which is not supported");
    if (bits_ == 1 || bits_ == 2 || bits_ == 4 || bits_ == 8) {
      if (compression != plain) refuse("has a damaged header");
      return read_palette(file_header + size, old ? 3 : 4, old ? 0 : number(46, 4));
    }
    if (bits_ != 16 && bits_ != 24 && bits_ != 32)
      refuse("has " + std::to_string(bits_) + " bits per pixel, which is not supported");
    if (bits_ == 24 && compression != plain) refuse("has a damaged header");
    if (bits_ == 16) masks_ = {Mask{0x7c00}, Mask{0x3e0}, Mask{0x1f}};
    if (compression == plain) return;
    for (std::size_t c = 0; c < masks_.size(); ++c) masks_[c] = {number(54 + 4 * c, 4)};
    for (const Mask& mask : masks_)
      if (!mask.is_run() || mask.bits == 0) refuse("has damaged masks of its colours");
  }

  void read_palette(std::size_t at, std::size_t bytes, std::uint32_t said) {
    const std::uint32_t most = 1u << bits_;
    if (said > most) refuse("claims a palette of " + std::to_string(said) + " colours");
    colors_ = said == 0 ? most : said;
    for (std::uint32_t k = 0; k < colors_; ++k) {
      const std::uint32_t color = number(at + k * bytes, 3);
      palette_[k] = {static_cast<std::uint8_t>(color >> 16), static_cast<std::uint8_t>(color >> 8),
                     static_cast<std::uint8_t>(color)};
    }
  }

  void read_row(std::span<const std::uint8_t> row, std::span<std::uint8_t> out) const {
    for (std::size_t x = 0; x < width_; ++x) {
      const auto rgb = pixel(row, x);
      for (std::size_t c = 0; c < 3; ++c) out[3 * x + c] = rgb[c];
    }
  }

  std::array<std::uint8_t, 3> pixel(std::span<const std::uint8_t> row, std::size_t x) const {
    if (bits_ <= 8) {
      const std::size_t a_byte = 8 / bits_;
      const unsigned shift = static_cast<unsigned>((a_byte - 1 - x % a_byte) * bits_);
      const unsigned index = row[x / a_byte] >> shift & ((1u << bits_) - 1);
      if (index >= colors_)
        refuse("has a pixel of colour " + std::to_string(index) + ", but a palette of " +
               std::to_string(colors_));
      return palette_[index];
    }
    const std::size_t bytes = bits_ / 8;
    std::uint32_t value = 0;
    for (std::size_t k = bytes; k-- > 0;) value = value << 8 | row[x * bytes + k];
    return {masks_[0].value(value), masks_[1].value(value), masks_[2].value(value)};
  }

  std::span<const std::uint8_t> file_;
  std::size_t pixels_ = 0, height_ = 0, width_ = 0;
  std::uint32_t bits_ = 0, colors_ = 0;
  bool from_top_ = false;
  std::array<Mask, 3> masks_ = {Mask{0xff0000}, Mask{0xff00}, Mask{0xff}};
  std::array<std::array<std::uint8_t, 3>, 256> palette_ = {};
};

}  // namespace

/// The fourth byte of a 32-bit pixel is ignored: most programs write arbitrary values there.
Picture decode_bmp(std::span<const std::uint8_t> file, std::size_t memory) {
  return BmpReader(file, memory).read();
}

}  // namespace semblance::sources
