// SPDX-License-Identifier: MIT
#include "pictures/image_decoding.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string_view>
#include <utility>

#include "rows/memory_limit.hpp"
#include "semblance/error.hpp"

namespace semblance::sources {

using namespace std::string_view_literals;

namespace {

bool begins_with(std::span<const std::uint8_t> file, std::string_view magic) {
  return file.size() >= magic.size() && std::memcmp(file.data(), magic.data(), magic.size()) == 0;
}

Picture decode_stored(std::span<const std::uint8_t> file, std::size_t memory) {
  if (file.empty()) throw Error("the picture file is empty; replace or remove it");
  if (file.size() >= 4 && file[0] == 0x89 && file[1] == 'P' && file[2] == 'N' && file[3] == 'G')
    return decode_png(file, memory);
  if (file.size() >= 3 && file[0] == 0xff && file[1] == 0xd8 && file[2] == 0xff)
    return decode_jpeg(file, memory);
  if (file.size() >= 2 && file[0] == 'P' && file[1] >= '1' && file[1] <= '7')
    return decode_pnm(file, memory);
  if (begins_with(file, "BM")) return decode_bmp(file, memory);
  // The second two are those of BigTIFF.
  for (const std::string_view magic : {"II*\0"sv, "MM\0*"sv, "II+\0"sv, "MM\0+"sv})
    if (begins_with(file, magic)) return decode_tiff(file, memory);
  if (begins_with(file, "RIFF") && file.size() >= 12 && begins_with(file.subspan(8), "WEBP"))
    return decode_webp(file, memory);
  throw Error(
      "is not a picture of a known format (PNG, JPEG, BMP, TIFF, WebP, PBM, PGM, PPM); convert or "
      "remove it");
}

}  // namespace

Picture decode_picture(std::span<const std::uint8_t> file, std::size_t memory, Turning turning) {
  Picture picture = decode_stored(file, memory);
  if (turning == Turning::ignore || picture.orientation == 1) return picture;
  check_picture_size(picture.height, picture.width, 2 * picture.channels, memory);
  const int orientation = picture.orientation;
  return turned(std::move(picture), orientation);
}

void check_picture_size(std::uint64_t height, std::uint64_t width, std::size_t channels,
                        std::size_t memory) {
  if (height == 0 || width == 0) throw Error("the picture has no pixels; replace or remove it");
  const std::string claim =
      "the picture claims " + std::to_string(width) + "x" + std::to_string(height) + " pixels, ";
  if (height > longest_side || width > longest_side || height * width > most_pixels)
    throw Error(
        claim +
        "more than the limit of 67,108,864, or more than 65,535 in a row or column; shrink it");
  if (height * width * channels > memory)
    throw Error(claim + "which need " + mebibytes(double(height * width * channels)) +
                ", more than the " + mebibytes(double(memory)) +
                " of memory left for it; shrink it or allow more with --memory");
}

void refuse_claim(const std::string& form, std::uint64_t height, std::uint64_t width,
                  std::size_t bytes) {
  throw Error("the " + form + " picture claims " + std::to_string(width) + "x" +
              std::to_string(height) + " pixels, which cannot fit in its " + std::to_string(bytes) +
              " bytes; replace or remove it");
}

void blend_with_white(Picture& picture) {
  constexpr unsigned most = 255;
  const std::size_t channels = picture.channels;
  const std::uint8_t* from = picture.values.data();
  std::uint8_t* to = picture.values.data();
  for (std::size_t p = 0; p < picture.height * picture.width; ++p, from += channels) {
    const unsigned opacity = from[channels - 1];
    for (std::size_t c = 0; c + 1 < channels; ++c)
      *to++ = static_cast<std::uint8_t>((from[c] * opacity + most * (most - opacity) + most / 2) /
                                        most);
  }
  picture.channels = channels - 1;
  picture.values.resize(picture.height * picture.width * picture.channels);
}

Picture with_channels(Picture picture, std::size_t channels) {
  if (picture.channels == channels) return picture;
  const std::size_t pixels = picture.height * picture.width;
  Picture out{picture.height, picture.width, channels, {}};
  out.values.resize(pixels * channels);
  for (std::size_t p = 0; p < pixels; ++p) {
    if (channels == 3) {
      for (std::size_t c = 0; c < 3; ++c) out.values[3 * p + c] = picture.values[p];
    } else {  // weights times 1000: sums stay exact
      const std::uint8_t* rgb = picture.values.data() + 3 * p;
      out.values[p] =
          static_cast<std::uint8_t>((299u * rgb[0] + 587u * rgb[1] + 114u * rgb[2] + 500u) / 1000u);
    }
  }
  return out;
}

namespace {

/// The old pixels and their weights for a new pixel along one axis.
struct Tap {
  std::size_t first = 0;
  std::vector<double> weights;  ///< sum 1
};

/// A triangle filter as wide as a new pixel, at least as an old one.
std::vector<Tap> taps(std::size_t from, std::size_t to) {
  const double scale = double(from) / double(to), reach = std::max(scale, 1.0);
  std::vector<Tap> all(to);
  for (std::size_t k = 0; k < to; ++k) {
    const double centre = (double(k) + 0.5) * scale - 0.5;
    const auto low = static_cast<std::size_t>(std::max(0.0, std::ceil(centre - reach)));
    const auto high = static_cast<std::size_t>(
        std::min(double(from - 1), std::max(0.0, std::floor(centre + reach))));
    all[k].first = low;
    double sum = 0;
    for (std::size_t p = low; p <= high; ++p) {
      all[k].weights.push_back(std::max(0.0, 1 - std::abs(double(p) - centre) / reach));
      sum += all[k].weights.back();
    }
    for (double& w : all[k].weights) w /= sum;
  }
  return all;
}

/// The picture's rows, each resized to the new width on demand. Caches as many of them as the
/// filter covers, within a memory limit.
class NarrowedRows {
 public:
  NarrowedRows(const Picture& picture, std::size_t width, std::size_t reach)
      : picture_(picture), width_(width), columns_(taps(picture.width, width)) {
    const std::size_t most =
        std::max<std::size_t>(1, most_kept_values / (width * picture.channels));
    kept_.resize(std::min(reach, most));
  }

  /// Valid until the next call.
  const std::vector<double>& row(std::size_t y) {
    Kept& kept = kept_[y % kept_.size()];
    if (kept.y != y || kept.values.empty()) narrow(y, kept);
    return kept.values;
  }

 private:
  struct Kept {
    std::size_t y = 0;
    std::vector<double> values;
  };
  static constexpr std::size_t most_kept_values = std::size_t{1} << 22;

  void narrow(std::size_t y, Kept& kept) const {
    const std::size_t channels = picture_.channels;
    const std::uint8_t* pixels = picture_.values.data() + y * picture_.width * channels;
    kept.y = y;
    kept.values.resize(width_ * channels);
    for (std::size_t x = 0; x < width_; ++x)
      for (std::size_t c = 0; c < channels; ++c) {
        double sum = 0;
        for (std::size_t k = 0; k < columns_[x].weights.size(); ++k)
          sum += columns_[x].weights[k] * pixels[(columns_[x].first + k) * channels + c];
        kept.values[x * channels + c] = sum;
      }
  }

  const Picture& picture_;
  std::size_t width_;
  std::vector<Tap> columns_;
  std::vector<Kept> kept_;
};

}  // namespace

Picture resized(const Picture& picture, std::size_t height, std::size_t width) {
  if (picture.height == height && picture.width == width) return picture;
  const auto rows = taps(picture.height, height);
  std::size_t reach = 1;
  for (const Tap& tap : rows) reach = std::max(reach, tap.weights.size());
  NarrowedRows narrowed(picture, width, reach);
  const std::size_t size = width * picture.channels;
  Picture out{height, width, picture.channels, {}};
  out.values.resize(height * size);
  std::vector<double> sums(size);
  for (std::size_t y = 0; y < height; ++y) {
    std::ranges::fill(sums, 0.0);
    for (std::size_t k = 0; k < rows[y].weights.size(); ++k) {
      const auto& row = narrowed.row(rows[y].first + k);
      for (std::size_t i = 0; i < size; ++i) sums[i] += rows[y].weights[k] * row[i];
    }
    for (std::size_t i = 0; i < size; ++i)
      out.values[y * size + i] = static_cast<std::uint8_t>(std::clamp(sums[i] + 0.5, 0.0, 255.0));
  }
  return out;
}

}  // namespace semblance::sources
