// SPDX-License-Identifier: MIT
#include "rocket/minirocket_kernels.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace semblance::series {
namespace {

constexpr std::size_t most_dilations = 32;

std::array<std::array<std::uint8_t, 3>, rocket_kernel_count> make_kernels() {
  std::array<std::array<std::uint8_t, 3>, rocket_kernel_count> kernels{};
  std::size_t n = 0;
  for (std::uint8_t a = 0; a < rocket_kernel_length; ++a)
    for (std::uint8_t b = a + 1; b < rocket_kernel_length; ++b)
      for (std::uint8_t c = b + 1; c < rocket_kernel_length; ++c) kernels[n++] = {a, b, c};
  return kernels;
}

/// Draws 2^u channels, u uniform from 0 to log2(most + 1): few are more frequent than many.
void draw_subsets(RocketBank& bank, Random& random) {
  const std::size_t most = std::min(bank.channels, rocket_kernel_length);
  std::vector<std::uint32_t> order(bank.channels);
  bank.subset_starts.assign(1, 0);
  for (std::size_t i = 0; i < bank.combinations(); ++i) {
    std::size_t count = 1;
    if (bank.channels > 1) {
      count = static_cast<std::size_t>(
          std::exp2(random.uniform(0, std::log2(static_cast<double>(most + 1)))));
      count = std::min(count, most);
      std::iota(order.begin(), order.end(), 0u);
      for (std::size_t k = 0; k < count; ++k)
        std::swap(order[k], order[k + random.below(order.size() - k)]);
    }
    std::sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count));
    bank.subsets.insert(bank.subsets.end(), order.begin(),
                        order.begin() + static_cast<std::ptrdiff_t>(count));
    bank.subset_starts.push_back(static_cast<std::uint32_t>(bank.subsets.size()));
  }
}

/// k * golden ratio mod 1, as float32.
float level(std::size_t k) {
  const double golden = (std::sqrt(5.0) + 1) / 2;
  return static_cast<float>(std::fmod(static_cast<double>(k) * golden, 1.0));
}

/// Linear interpolation between the two sorted values around the level; reorders the values.
float quantile(std::span<float> values, float level) {
  const double place = double(level) * static_cast<double>(values.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(place), values.size() - 1);
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(below);
  std::nth_element(values.begin(), middle, values.end());
  const double low = *middle;
  const double high = below + 1 < values.size() ? *std::min_element(middle + 1, values.end()) : low;
  return static_cast<float>(low + (place - static_cast<double>(below)) * (high - low));
}

}  // namespace

const std::array<std::array<std::uint8_t, 3>, rocket_kernel_count>& rocket_kernels() {
  static const auto kernels = make_kernels();
  return kernels;
}

void choose_dilations(std::size_t steps, std::size_t biases_per_kernel, RocketBank& bank) {
  const std::size_t count = std::min(biases_per_kernel, most_dilations);
  const std::size_t largest = (steps - 1) / (rocket_kernel_length - 1);
  const double top = std::log2(static_cast<double>(steps - 1) / (rocket_kernel_length - 1));
  std::vector<std::size_t> times;
  bank.dilations.clear();
  for (std::size_t i = 0; i < count; ++i) {
    const double e = count == 1 ? 0 : top * static_cast<double>(i) / static_cast<double>(count - 1);
    // Whole numbers must not be lost to rounding.
    const auto dilation = static_cast<std::uint32_t>(
        std::min(static_cast<std::size_t>(std::exp2(e) + 1e-9), largest));
    if (bank.dilations.empty() || bank.dilations.back() != dilation) {
      bank.dilations.push_back(dilation);
      times.push_back(0);
    }
    ++times.back();
  }
  bank.biases_each.clear();
  for (const std::size_t t : times)
    bank.biases_each.push_back(static_cast<std::uint32_t>(t * biases_per_kernel / count));
  std::size_t left =
      biases_per_kernel - std::accumulate(bank.biases_each.begin(), bank.biases_each.end(), 0u);
  for (std::size_t i = 0; left > 0; i = (i + 1) % times.size(), --left) ++bank.biases_each[i];
}

RocketBank learn_bank(const RocketTraining& training, std::size_t biases_per_kernel, Random& random,
                      Context& context) {
  RocketBank bank;
  bank.channels = training.channels;
  choose_dilations(training.longest, biases_per_kernel, bank);
  draw_subsets(bank, random);
  std::vector<std::size_t> drawn(bank.combinations()), starts(bank.combinations());
  std::size_t biases = 0;
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    drawn[i] = static_cast<std::size_t>(random.below(training.count));
    starts[i] = biases;
    biases += bank.biases_each[i / rocket_kernel_count];
  }
  bank.biases.resize(biases);
  context.parallel_for(drawn.size(), [&](std::size_t i) {
    context.check_stop();
    const std::size_t dilation = i / rocket_kernel_count;
    const std::vector<float> values = training.series(drawn[i]);
    auto sums = convolve({values, training.channels}, bank.dilations[dilation],
                         i % rocket_kernel_count, bank.subset(i));
    // Many biases of a short series are found faster in order.
    if (bank.biases_each[dilation] > 4) std::sort(sums.begin(), sums.end());
    for (std::size_t b = 0; b < bank.biases_each[dilation]; ++b)
      bank.biases[starts[i] + b] = quantile(sums, level(starts[i] + b + 1));
  });
  return bank;
}

std::vector<float> convolve(const SeriesView& series, std::size_t dilation, std::size_t kernel,
                            std::span<const std::uint32_t> channels) {
  const std::size_t steps = series.steps(), border = 4 * dilation;
  const auto& places = rocket_kernels()[kernel];
  std::vector<float> sums(steps), padded(steps + 2 * border);
  for (const std::uint32_t channel : channels) {
    for (std::size_t t = 0; t < steps; ++t)
      padded[border + t] = series.values[t * series.channels + channel];
    const float* x = padded.data();
    const float *a = x + places[0] * dilation, *b = x + places[1] * dilation,
                *c = x + places[2] * dilation;
    for (std::size_t j = 0; j < steps; ++j) {
      float all = x[j];
      for (std::size_t k = 1; k < rocket_kernel_length; ++k) all += x[j + k * dilation];
      float own = -all;
      own += a[j] + a[j] + a[j];
      own += b[j] + b[j] + b[j];
      own += c[j] + c[j] + c[j];
      sums[j] += own;
    }
  }
  return sums;
}

}  // namespace semblance::series
