// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace semblance::ml3 {

/// Sums over the models of a class, with SIMD instructions. Sums for scores use eight lanes, j in
/// lane j mod 8 for whole groups of eight and in lane 0 for the remainder; then the lanes are added
/// in order. So the bits are the same on every CPU.

/// The largest of `count` values, or 0 where none is positive.
float largest(const float* c, std::size_t count);

/// sum (max(c, 0) / most)^power, power in [2, 6].
float power_sum(const float* c, std::size_t count, float most, int power);

/// sum max(c + error, 0)^power, power in [1, 6]; 0: the largest of these values, or 0.
float raised_sum(const float* c, const float* error, std::size_t count, int power);

/// sum weights c, of |weights| error and of |weights c|: in eight lanes, up to rounding.
struct WeightedSums {
  float sum = 0;
  float error = 0;
  float magnitude = 0;
};
WeightedSums weighted_sums(const float* weights, const float* c, const float* error,
                           std::size_t count);

/// sum a b, in eight lanes.
float dot(const float* a, const float* b, std::size_t count);

/// to += factors[0] rows[0] + ..., one row after the other.
void add_rows(float* to, std::size_t size, const float* const* rows, const float* factors,
              std::size_t count);

/// A sample's products with all models, and the classes of interest.
struct ClassProducts {
  const float* products;  ///< of class y from y * models on
  std::size_t models;
  std::span<const std::uint32_t> classes;
};
/// The largest product with a model of these classes, or 0 where none is positive.
float largest_of_classes(const ClassProducts& of);
/// For each class, sum (scale max(c, 0))^power with power in [1, 6], in any order; with power 0 the
/// largest of these values.
void power_sums(const ClassProducts& of, float scale, int power, float* sums);

/// A Screen's data about the products of a class with a sample.
struct NearProducts {
  const float* near;   ///< products of coordinates
  const float* rest;   ///< their remainder when the products were last computed
  const float* moved;  ///< movement of the models since then, without the last part
  const float* path;   ///< which is at most this
  const float* sizes;  ///< of the models, at least
  float scale;         ///< of the remainder
  float outside;       ///< factor of a movement
  float rounding;      ///< factor of a size
};
/// c = near + scale rest, error = outside (moved + path) + rounding sizes.
void near_products(const NearProducts& of, std::size_t count, float* c, float* error);

}  // namespace semblance::ml3
