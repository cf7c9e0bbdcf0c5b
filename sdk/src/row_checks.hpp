// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <string>

#include "semblance/error.hpp"

/// What the base classes of components of one row check, and how they say it.
namespace semblance::row_checks {

/// Without a branch for each value, so that it is vectorized.
inline bool all_finite(std::span<const float> values) noexcept {
  int finite = 1;
  for (const float x : values) finite &= std::abs(x) <= std::numeric_limits<float>::max();
  return finite != 0;
}

/// values.size() where all are finite.
inline std::size_t first_not_finite(std::span<const float> values) noexcept {
  const auto found = std::ranges::find_if_not(values, [](float x) { return std::isfinite(x); });
  return static_cast<std::size_t>(found - values.begin());
}

/// "is not a number" or "is infinite"
inline std::string is_what(float value) {
  return std::isnan(value) ? "is not a number" : "is infinite";
}

/// Runs what an author wrote for one row; an Error that it throws gets the row's place.
template <class Body>
void for_row(std::size_t row, const Body& body) {
  try {
    body();
  } catch (const Cancelled&) {
    throw;
  } catch (const Error& problem) {
    throw Error("row " + std::to_string(row) + " of the block (counted from 0): " + problem.what());
  }
}

}  // namespace semblance::row_checks
