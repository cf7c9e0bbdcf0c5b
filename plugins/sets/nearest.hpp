// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "point_columns.hpp"

namespace semblance::sets {

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
