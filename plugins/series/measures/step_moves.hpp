// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>

namespace semblance::series {

/// The distance of the step at `t` from the previous one, with zeros before the first.
double move_length(std::span<const float> series, std::size_t channels, std::size_t t) noexcept;

/// Appends to a step's channels its distance from the previous step, 0 for the first step.
void add_moves(std::span<const float> series, std::size_t channels, float* steps) noexcept;

}  // namespace semblance::series
