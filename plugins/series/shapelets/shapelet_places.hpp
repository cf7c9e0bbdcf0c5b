// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <unordered_set>
#include <vector>

#include "semblance/random.hpp"

namespace semblance::series {

/// Draws where shapelets of one dilation begin, so that they share few values (alpha similarity).
class ShapeletPlaces {
 public:
  struct Place {
    std::size_t series;
    std::size_t step;  ///< of the first value
  };

  /// `steps` of each series; one of them or more has room for a shapelet. A place excludes
  /// those less than `apart` dilations before and after it in its series.
  ShapeletPlaces(std::span<const std::size_t> steps, std::size_t length, std::size_t dilation,
                 std::size_t apart);

  /// Uniform among the places that are not excluded, which then excludes those near to it. If all
  /// are excluded, none is any longer.
  Place draw(Random& random);

 private:
  /// The number of a place among all, in the order of the series.
  std::size_t allowed(Random& random);

  std::size_t dilation_;
  std::size_t apart_;
  std::vector<std::size_t> firsts_;           ///< number of the first place of each series
  std::unordered_set<std::size_t> excluded_;  ///< by number
};

}  // namespace semblance::series
