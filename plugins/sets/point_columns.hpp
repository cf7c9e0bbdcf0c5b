// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "semblance_numerics/aligned_array.hpp"

namespace semblance::sets {

/// The points of a set, coordinate by coordinate, so that a vector has one coordinate of several
/// points. Padded with points at infinity to whole vectors.
class PointColumns {
 public:
  /// Vectors of all processors fit.
  static constexpr std::size_t padding = 16;

  PointColumns(std::span<const float> set, std::size_t dimension);

  std::size_t points() const noexcept { return points_; }
  std::size_t dimension() const noexcept { return dimension_; }
  /// `points()`, rounded up to whole vectors: the distance between columns.
  std::size_t padded() const noexcept { return padded_; }
  const float* data() const noexcept { return values_.data(); }

 private:
  std::size_t points_;
  std::size_t dimension_;
  std::size_t padded_;
  numerics::AlignedBuffer values_;
};

/// Throws Error if a coordinate is not finite, which a minimum over distances might hide. `whose`
/// is "the basis" or "the sample".
void check_points(std::span<const float> set, const char* whose);

/// distances[i] = |point - point i|^2, of padded() points.
void squared_distances(const float* point, const PointColumns& points, float* distances);

/// The squared distance of each point of `set` to the nearest one of `points`, and of each of
/// `points` to the nearest one of `set`; the latter has padded() values.
void nearest_squared(std::span<const float> set, const PointColumns& points, float* of_set,
                     float* of_points);

/// The squared distance of each point of two sets to the nearest one of the other set.
class NearestDistances {
 public:
  NearestDistances(std::span<const float> b, std::span<const float> x, std::size_t dimension)
      : points_(x.size() / dimension), of_basis_(b.size() / dimension) {
    check_points(x, "the sample");
    check_points(b, "the basis");
    const PointColumns columns(x, dimension);
    of_sample_.resize(columns.padded());
    nearest_squared(b, columns, of_basis_.data(), of_sample_.data());
  }

  std::span<const float> of_basis() const noexcept { return of_basis_; }
  std::span<const float> of_sample() const noexcept { return {of_sample_.data(), points_}; }

 private:
  std::size_t points_;
  std::vector<float> of_basis_, of_sample_;
};

}  // namespace semblance::sets
