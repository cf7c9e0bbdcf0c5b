// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "semblance/context.hpp"
#include "semblance/declaration.hpp"
#include "semblance/report.hpp"

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

/// A base of evaluators that report intervals.
class ReportsIntervals {
 protected:
  bool wants_intervals() const noexcept { return draws_ > 0; }
  Bootstrap bootstrap() const { return {static_cast<std::size_t>(draws_), confidence_}; }

  /// Declares both parameters.
  template <class T>
  static void declare_bootstrap(Declaration<T>& declaration) {
    declaration
        .parameter("bootstrap", &ReportsIntervals::draws_,
                   "number of draws for the confidence intervals; 0: none", at_least(0),
                   at_most(100000))
        .parameter("confidence", &ReportsIntervals::confidence_, "confidence of the intervals",
                   above(0), below(1));
  }

 private:
  std::int64_t draws_ = 1000;
  double confidence_ = 0.95;
};

/// The figures of a draw in which sample i occurs `counts[i]` times; nothing if they are undefined.
using FiguresOfDraw =
    std::function<std::optional<std::vector<double>>(std::span<const std::uint32_t> counts)>;

/// Draws `rows` of `rows` samples with replacement, repeated as given by `bootstrap`, and returns
/// each figure's interval between the quantiles of its values, interpolated linearly. A draw
/// without figures is repeated. The same bits for any number of threads.
std::vector<Interval> intervals(const Bootstrap& bootstrap, std::size_t rows,
                                const FiguresOfDraw& figures, Context& context);

/// The table `intervals` of figures with these names and values.
Table interval_table(const std::vector<std::string>& names, std::span<const double> values,
                     std::span<const Interval> intervals);

/// The `level` quantile of the sorted values, interpolated linearly between two of them, as in
/// NumPy; at least one value.
double quantile(std::span<const double> sorted, double level);

}  // namespace semblance::evaluators
