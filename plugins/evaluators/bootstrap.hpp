// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "semblance/context.hpp"

namespace semblance::evaluators {

/// From the lower to the upper end of a confidence interval.
struct Interval {
  double low = 0;
  double high = 0;
};

/// Intervals of figures of rows, by the percentile bootstrap (Efron, Nonparametric standard errors
/// and confidence intervals, 1981).
struct Bootstrap {
  std::size_t draws = 1000;  ///< at least 1
  double confidence = 0.95;  ///< in (0, 1)
};

/// The figures of a draw, in which row i occurs `counts[i]` times; nothing where the draw has none.
using FiguresOfDraw =
    std::function<std::optional<std::vector<double>>(std::span<const std::uint32_t> counts)>;

/// Draws as many of `rows` rows as there are, with replacement, as often as `bootstrap` says, and
/// returns the interval of each figure between the quantiles of its values, interpolated linearly.
/// A draw without figures is drawn again. The same bits at any number of threads.
std::vector<Interval> intervals(const Bootstrap& bootstrap, std::size_t rows,
                                const FiguresOfDraw& figures, Context& context);

/// The value below which the share `level` of the sorted values lies, interpolated linearly between
/// two of them, as NumPy does; at least one value.
double quantile(std::span<const double> sorted, double level);

}  // namespace semblance::evaluators
