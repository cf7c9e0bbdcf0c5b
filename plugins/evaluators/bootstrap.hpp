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

/// A confidence interval.
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

/// The figures of a draw in which sample i occurs `counts[i]` times; nothing if they are undefined.
using FiguresOfDraw =
    std::function<std::optional<std::vector<double>>(std::span<const std::uint32_t> counts)>;

/// Draws `rows` of `rows` samples with replacement, repeated as given by `bootstrap`, and returns
/// each figure's interval between the quantiles of its values, interpolated linearly. A draw
/// without figures is repeated. The same bits for any number of threads.
std::vector<Interval> intervals(const Bootstrap& bootstrap, std::size_t rows,
                                const FiguresOfDraw& figures, Context& context);

/// The `level` quantile of the sorted values, interpolated linearly between two of them, as in
/// NumPy; at least one value.
double quantile(std::span<const double> sorted, double level);

}  // namespace semblance::evaluators
