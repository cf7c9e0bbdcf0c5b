// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "intervals/fourier_magnitudes.hpp"
#include "rocket/minirocket_kernels.hpp"
#include "semblance/matrix.hpp"

namespace semblance::series {

/// What the quantiles of QUANT are taken of: a series x, the means of 5 neighbouring differences
/// x[t + 1] - x[t] (the first and the last one repeated twice), its second differences, and the
/// magnitudes of its Fourier transform.
enum class QuantView { series, slope, curvature, spectrum };
inline constexpr std::size_t quant_views = 4;
/// Enough for one second difference.
inline constexpr std::size_t quant_needed_steps = 3;

/// Values of a view of a series of `steps` steps; differences of fewer than 2 steps, and second
/// differences of fewer than 3, are one 0.
std::size_t quant_view_length(QuantView view, std::size_t steps) noexcept;

/// 2^level intervals that divide a view, or all but the last of them shifted by half their length.
struct QuantDivision {
  std::size_t parts = 1;
  bool shifted = false;
  std::vector<std::size_t> quantiles;  ///< one per interval: how many are taken

  struct Interval {
    std::size_t begin, end;
  };
  /// Interval i of a view of `length` values, which need not be the length that `quantiles` is for.
  /// Disjoint if `length` is `parts` or more; otherwise each has one value.
  Interval interval(std::size_t i, std::size_t length) const noexcept;
};

/// The divisions of QUANT for a view of `length` values: levels 0, 1, ... while 2^level <= length,
/// at most `depth` of them, each followed by the shifted intervals if more than half of its
/// intervals have several values. An interval of m values has 1 + (m - 1) / divisor quantiles.
std::vector<QuantDivision> quant_divisions(std::size_t length, std::size_t depth,
                                           std::size_t divisor);

/// The features of series by QUANT.
class QuantFeatures {
 public:
  QuantFeatures() = default;
  /// Divisions and numbers of quantiles are those of a series of `steps` steps.
  QuantFeatures(std::size_t steps, std::size_t channels, std::size_t depth, std::size_t divisor);

  std::size_t columns() const noexcept { return columns_; }

  /// Writes the features of each series into a row of `out`: by view, interval, channel and
  /// quantile. Each series has a step or more, and finite values; one of another length
  /// is divided at the same fractions of its length. Throws a RowError if a view has values that
  /// float32 cannot hold. `poll` is called often and may throw.
  void operator()(std::span<const SeriesView> series, MutableMatrixView out,
                  const std::function<void()>& poll) const;

 private:
  /// What depends on the length of a series: the transform, and the interval of each value of each
  /// view in each division.
  struct Places {
    FourierMagnitudes spectrum;
    std::vector<std::vector<std::uint16_t>> intervals;
  };
  struct Room;

  Places places_of(std::size_t steps) const;
  void view_of(const SeriesView& series, std::size_t channel, QuantView view, const Places& places,
               Room& room) const;
  void write(const SeriesView& series, const Places& places, Room& room, float* out) const;

  std::size_t steps_ = 0;
  std::size_t channels_ = 1;
  std::size_t columns_ = 0;
  std::vector<std::vector<QuantDivision>> divisions_;  ///< by view
  std::shared_ptr<const Places> usual_;                ///< of a series of `steps_` steps
};

}  // namespace semblance::series
