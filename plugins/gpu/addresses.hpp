// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "semblance/device.hpp"

namespace semblance::gpu {

constexpr std::size_t rounded_up(std::size_t value, std::size_t unit) {
  return (value + unit - 1) / unit * unit;
}

/// How many blocks of this size `count` things need, as a grid's size.
constexpr std::uint32_t blocks_of(std::size_t size, std::size_t count) {
  return static_cast<std::uint32_t>((count + size - 1) / size);
}

/// The address as kernels take it.
template <class Value>
Value* at(DeviceAddress address) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): an address of another memory
  return reinterpret_cast<Value*>(address);
}

}  // namespace semblance::gpu
