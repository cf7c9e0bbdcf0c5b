// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace semblance::ml3 {

/// Sums over the models of a class, with SIMD instructions. Sums for scores use eight lanes, j in
/// lane j mod 8 for whole groups of eight and in lane 0 for the remainder; then the lanes are added
/// in order. So the bits are the same on every CPU.

/// The largest of `count` values, or 0 where none is positive.
float largest(const float* c, std::size_t count);

/// sum (max(c, 0) / most)^power, power in [2, 6].
float power_sum(const float* c, std::size_t count, float most, int power);

/// sum a b, in eight lanes.
float dot(const float* a, const float* b, std::size_t count);

/// to += factors[0] rows[0] + ..., one row after the other.
void add_rows(float* to, std::size_t size, const float* const* rows, const float* factors,
              std::size_t count);

/// A sample's products with all models.
struct ClassProducts {
  const float* products;  ///< of class y from y * models on
  std::size_t models;
  std::size_t classes;
};
/// For each class, sum (scale max(c, 0))^power with power in [1, 6], in any order; with power 0 the
/// largest of these values.
void power_sums(const ClassProducts& of, float scale, int power, float* sums);

}  // namespace semblance::ml3
