// SPDX-License-Identifier: MIT
#include <optional>
#include <string>

#include "pictures/image_decoding.hpp"
#include "semblance/error.hpp"

namespace semblance::sources {
namespace {

/// Reads the numbers of a PNM file: separated by white space, `#` starts a comment.
class PnmText {
 public:
  PnmText(std::span<const std::uint8_t> file, std::size_t at) : file_(file), at_(at) {}

  std::optional<std::uint32_t> number() {
    skip();
    std::optional<std::uint32_t> value;
    for (; at_ < file_.size() && file_[at_] >= '0' && file_[at_] <= '9'; ++at_) {
      value = value.value_or(0) * 10 + (file_[at_] - '0');
      if (*value > 100'000'000) return std::nullopt;
    }
    return value;
  }
  /// Reads 0 or 1; there may be no blanks in between.
  std::optional<int> bit() {
    skip();
    if (at_ == file_.size() || (file_[at_] != '0' && file_[at_] != '1')) return std::nullopt;
    return file_[at_++] - '0';
  }
  std::size_t position() const { return at_; }

 private:
  static bool blank(std::uint8_t c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
  void skip() {
    while (at_ < file_.size() && (blank(file_[at_]) || file_[at_] == '#')) {
      if (file_[at_] == '#')
        while (at_ < file_.size() && file_[at_] != '\n') ++at_;
      else
        ++at_;
    }
  }

  std::span<const std::uint8_t> file_;
  std::size_t at_;
};

[[noreturn]] void cut_off() {
  throw Error("the PGM or PPM picture ends before its last pixel; replace or remove it");
}

std::uint8_t to_byte(std::uint32_t value, std::uint32_t most) {
  if (value > most)
    throw Error("the PGM or PPM picture holds " + std::to_string(value) +
                ", above its own maximum of " + std::to_string(most) + "; replace or remove it");
  return static_cast<std::uint8_t>((value * 255u + most / 2) / most);
}

/// One bit per pixel, 1 is black: eight per byte, with each row padded to whole bytes, or as text.
Picture decode_pbm(std::span<const std::uint8_t> file, bool plain, std::size_t memory) {
  PnmText text(file, 2);
  const auto width = text.number(), height = text.number();
  if (!width || !height) throw Error("the PBM picture's header is damaged; replace or remove it");
  check_picture_size(*height, *width, 1, memory);
  Picture out{*height, *width, 1, {}};
  const std::size_t first = text.position() + 1, stride = (out.width + 7) / 8;
  const std::size_t least = plain ? out.height * out.width : out.height * stride;
  if (file.size() < first || file.size() - first < least) cut_off();
  out.values.reserve(out.height * out.width);
  for (std::size_t y = 0; y < out.height; ++y)
    for (std::size_t x = 0; x < out.width; ++x) {
      const auto bit =
          plain ? text.bit() : std::optional(file[first + y * stride + x / 8] >> (7 - x % 8) & 1);
      if (!bit)
        throw Error("the PBM picture ends early or holds more than 0 and 1; replace or remove it");
      out.values.push_back(*bit ? 0 : 255);
    }
  return out;
}

}  // namespace

Picture decode_pnm(std::span<const std::uint8_t> file, std::size_t memory) {
  const char type = static_cast<char>(file[1]);
  if (type == '7')
    throw Error("is a P7 picture, but only P1 to P6 (PBM, PGM and PPM) are supported; convert it");
  if (type == '1' || type == '4') return decode_pbm(file, type == '1', memory);
  PnmText text(file, 2);
  const auto width = text.number(), height = text.number(), most = text.number();
  if (!width || !height || !most || *most < 1 || *most > 65535)
    throw Error("the PGM or PPM picture's header is damaged; replace or remove it");
  const std::size_t channels = type == '3' || type == '6' ? 3 : 1;
  check_picture_size(*height, *width, channels, memory);
  Picture out{*height, *width, channels, {}};
  const std::size_t count = out.height * out.width * out.channels;
  const bool plain = type == '2' || type == '3';
  const std::size_t width_of_value = *most > 255 ? 2 : 1;
  const std::size_t first = text.position() + 1;  // one blank ends the header
  // A value in text takes at least two characters, except the last: checked before allocation.
  if (file.size() < first || file.size() - first < (plain ? 2 * count - 1 : count * width_of_value))
    cut_off();
  out.values.resize(count);
  for (std::size_t k = 0; k < count; ++k) {
    const std::uint8_t* raw = file.data() + first + k * width_of_value;
    std::uint32_t value = 0;
    if (plain) {
      const auto next = text.number();
      if (!next) cut_off();
      value = *next;
    } else {
      value = width_of_value == 2 ? std::uint32_t(raw[0]) << 8 | raw[1] : raw[0];
    }
    out.values[k] = to_byte(value, *most);
  }
  return out;
}

}  // namespace semblance::sources
