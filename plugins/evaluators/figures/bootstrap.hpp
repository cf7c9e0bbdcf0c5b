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

/// The figures of a draw in which sample i occurs `counts[i]` times; nothing if they are undefined.
using FiguresOfDraw =
    std::function<std::optional<std::vector<double>>(std::span<const std::uint32_t> counts)>;

/// A base of evaluators that report confidence intervals of figures of rows, by the percentile
/// bootstrap (Efron, Nonparametric standard errors and confidence intervals, 1981).
class ReportsIntervals {
 protected:
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

  /// Reports the figures with these names, where each sample occurs once. Draws `rows` of `rows`
  /// samples with replacement, `bootstrap` times, and reports the table `intervals`: the quantiles
  /// of each figure over the draws, interpolated linearly. Of those in `with_ends` it reports
  /// NAME_low and NAME_high too. A draw without figures is repeated. The same bits for any number
  /// of threads.
  void report_figures(const std::vector<std::string>& names,
                      const std::vector<std::string>& with_ends, std::size_t rows,
                      const FiguresOfDraw& figures, Report& report, Context& context) const;

 private:
  std::int64_t draws_ = 1000;
  double confidence_ = 0.95;
};

/// The `level` quantile of the sorted values, interpolated linearly between two of them, as in
/// NumPy; at least one value.
double quantile(std::span<const double> sorted, double level);

}  // namespace semblance::evaluators
