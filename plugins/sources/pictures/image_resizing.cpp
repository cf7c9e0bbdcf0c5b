// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "pictures/image_decoding.hpp"

namespace semblance::sources {
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
