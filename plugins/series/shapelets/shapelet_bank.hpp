// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "semblance/context.hpp"
#include "semblance/random.hpp"

namespace semblance::series {

/// Shapelets: values of a training series at `length` steps that are a dilation apart, with a
/// threshold of distance below which a place of a series counts as an occurrence.
struct ShapeletBank {
  std::size_t channels = 1;
  std::size_t length = 0;                ///< values per channel
  std::vector<std::uint32_t> dilations;  ///< one a shapelet, ascending
  std::vector<std::uint8_t> normalized;  ///< 1: z-normalized; later among equal dilations
  std::vector<float> values;             ///< by shapelet, channel and place
  std::vector<float> thresholds;         ///< one a shapelet

  std::size_t count() const noexcept { return dilations.size(); }
  /// Three figures for each shapelet.
  std::size_t columns() const noexcept { return 3 * count(); }
  std::size_t values_each() const noexcept { return channels * length; }
  std::span<const float> values_of(std::size_t shapelet) const {
    return std::span(values).subspan(shapelet * values_each(), values_each());
  }
};

/// How many shapelets to draw, and which.
struct ShapeletChoice {
  std::size_t count = 0;
  std::size_t length = 0;  ///< at most half of the median series is used, but 2
  double normalized = 0;   ///< the share that is z-normalized, about
  double alpha = 0;        ///< the least share of values that may not be those of another one
};

/// What shapelets are drawn from.
struct ShapeletTraining {
  std::size_t channels = 1;
  std::vector<std::size_t> steps;        ///< of each series
  std::span<const std::int32_t> labels;  ///< of each series
  /// The values of a series; called from several threads.
  std::function<std::vector<float>(std::size_t)> series;
};

/// Draws dilations floor(2^x), x uniform in [0, log2((n - 1) / (length - 1))), where n is the
/// median number of steps, but 2; places in series, uniformly among those allowed; and thresholds,
/// uniformly between the 5th and the 10th percentile of the distances to another series with the
/// same label, or to the same one if it is the only one. A place is not allowed if it shares more
/// than about (1 - alpha) of its values with an earlier shapelet of that dilation, normalized or
/// not as well; if none is left, all are allowed again. The longest series has 2 steps or more.
ShapeletBank draw_shapelets(const ShapeletChoice& choice, const ShapeletTraining& training,
                            Random& random, Context& context);

}  // namespace semblance::series
