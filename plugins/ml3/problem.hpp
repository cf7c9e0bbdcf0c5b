// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "model_matrix.hpp"
#include "semblance/matrix.hpp"

namespace semblance::ml3 {

/// What is learned from.
struct Problem {
  MatrixView rows;
  std::span<const std::int32_t> labels;  ///< one a row, in [0, classes)
  std::size_t classes = 0;
  std::size_t models = 1;  ///< of each class: m
  double bias = 1;         ///< constant appended to every row; 0: none

  /// Values of a row with its constant: d.
  std::size_t inputs() const noexcept { return rows.cols + (bias != 0 ? 1 : 0); }
  std::size_t model_rows() const noexcept { return classes * models; }
};

/// What the methods need of their surroundings.
struct Surroundings {
  /// Calls a function for 0, 1, ..., count - 1, in any order, on any threads.
  std::function<void(std::size_t count, const std::function<void(std::size_t)>&)> parallel_for;
  std::function<bool()> stop;
  /// Share of the work that is done, in [0, 1].
  std::function<void(double)> progress;
};

/// Copies a row and appends its constant; the rest of `out`, padded(inputs()) values, becomes 0.
inline void copy_with_bias(const float* row, std::size_t cols, double bias, float* out) {
  std::copy_n(row, cols, out);
  std::fill(out + cols, out + padded(cols + (bias != 0 ? 1 : 0)), 0.0f);
  if (bias != 0) out[cols] = static_cast<float>(bias);
}

}  // namespace semblance::ml3
