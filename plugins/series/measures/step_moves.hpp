// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>

namespace semblance {

/// How far the step at `t` is from the one before it, with zeros before the first.
double move_length(std::span<const float> series, std::size_t channels, std::size_t t) noexcept;

/// A step's channels, and then how far it is from the step before: 0 for the first step.
void add_moves(std::span<const float> series, std::size_t channels, float* steps) noexcept;

}  // namespace semblance
