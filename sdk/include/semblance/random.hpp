// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <span>
#include <utility>

namespace semblance {

/// A small, fast random stream (xoshiro256**, Blackman and Vigna 2021; seeded by SplitMix64)
/// whose distributions are defined here, so that the same seed gives the same numbers with every
/// compiler and standard library.
class Random {
 public:
  explicit Random(std::uint64_t seed) noexcept {
    for (auto& word : state_) word = split_mix(seed);
  }

  /// 64 uniformly distributed bits.
  std::uint64_t bits() noexcept {
    const std::uint64_t result = rotate(state_[1] * 5, 7) * 9;
    const std::uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = rotate(state_[3], 45);
    return result;
  }

  /// Uniform in [0, 1).
  double uniform() noexcept { return static_cast<double>(bits() >> 11) * 0x1.0p-53; }

  /// Uniform in [low, high).
  double uniform(double low, double high) noexcept { return low + (high - low) * uniform(); }

  /// Uniform in {0, ..., count - 1}, without bias; `count` must be positive.
  std::uint64_t below(std::uint64_t count) noexcept {
    const std::uint64_t reject = (0 - count) % count;
    std::uint64_t draw = bits();
    while (draw < reject) draw = bits();
    return draw % count;
  }

  /// Standard normal, by the Box-Muller transform.
  double normal() noexcept {
    const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
    return radius * std::cos(2.0 * std::numbers::pi * uniform());
  }

  /// Fisher-Yates.
  template <class T>
  void shuffle(std::span<T> values) noexcept {
    for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[below(i)]);
  }

  /// An independent stream, for example one per row, so that rows can be generated in any order.
  static Random stream(std::uint64_t seed, std::uint64_t number) noexcept {
    std::uint64_t mixed = seed ^ (0x9e3779b97f4a7c15ULL * (number + 1));
    return Random(split_mix(mixed));
  }

 private:
  static std::uint64_t rotate(std::uint64_t x, int k) noexcept {
    return (x << k) | (x >> (64 - k));
  }
  static std::uint64_t split_mix(std::uint64_t& x) noexcept {
    std::uint64_t z = (x += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }
  std::uint64_t state_[4];
};

}  // namespace semblance
