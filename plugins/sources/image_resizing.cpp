// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "image_decoding.hpp"

namespace semblance {
namespace {

/// Which old pixels make one new pixel along one axis, and with what weights.
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

}  // namespace

Picture resized(const Picture& picture, std::size_t height, std::size_t width) {
  if (picture.height == height && picture.width == width) return picture;
  const std::size_t channels = picture.channels;
  const auto columns = taps(picture.width, width), rows = taps(picture.height, height);
  std::vector<double> narrow(picture.height * width * channels);
  for (std::size_t y = 0; y < picture.height; ++y)
    for (std::size_t x = 0; x < width; ++x)
      for (std::size_t c = 0; c < channels; ++c) {
        double sum = 0;
        for (std::size_t k = 0; k < columns[x].weights.size(); ++k)
          sum += columns[x].weights[k] *
                 picture.values[(y * picture.width + columns[x].first + k) * channels + c];
        narrow[(y * width + x) * channels + c] = sum;
      }
  Picture out{height, width, channels, {}};
  out.values.resize(height * width * channels);
  for (std::size_t y = 0; y < height; ++y)
    for (std::size_t i = 0; i < width * channels; ++i) {
      double sum = 0;
      for (std::size_t k = 0; k < rows[y].weights.size(); ++k)
        sum += rows[y].weights[k] * narrow[(rows[y].first + k) * width * channels + i];
      out.values[y * width * channels + i] =
          static_cast<std::uint8_t>(std::clamp(sum + 0.5, 0.0, 255.0));
    }
  return out;
}

}  // namespace semblance
