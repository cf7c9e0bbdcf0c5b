// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>

namespace semblance::vectors {

/// The upper half of a float32: 8 bits of precision, the float's range.
using Bf16 = std::uint16_t;

inline float to_float(Bf16 x) noexcept {
  return std::bit_cast<float>(static_cast<std::uint32_t>(x) << 16);
}

/// The nearest bf16, halves to even; integers up to 256 are exact. Magnitudes under 2^-56 (1.4e-17)
/// become zero. Products of other values are at least 2^-126 times an integer, and so are sums of
/// such products, so none are denormal. Tile units flush denormals and other units do not; without
/// denormals they agree.
inline Bf16 to_bf16(float x) noexcept {
  constexpr std::uint32_t smallest = (127 - 56) << 23, infinity = 0xFFu << 23;
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const std::uint32_t magnitude = bits & 0x7FFFFFFFu;
  const std::uint32_t nearest = (bits + 0x7FFFu + ((bits >> 16) & 1)) >> 16;
  const std::uint32_t kept = magnitude > infinity ? (bits >> 16) | 0x40u : nearest;  // a NaN stays
  return static_cast<Bf16>(magnitude < smallest ? 0 : kept);
}

}  // namespace semblance::vectors
