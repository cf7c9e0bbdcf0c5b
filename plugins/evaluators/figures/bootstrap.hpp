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
#include "semblance/evaluator.hpp"
#include "semblance/report.hpp"

namespace semblance::evaluators {

/// The figures of a draw in which sample i occurs `counts[i]` times; nothing if they are undefined.
using FiguresOfDraw =
    std::function<std::optional<std::vector<double>>(std::span<const std::uint32_t> counts)>;

/// The groups of some test samples; -1 where they are unknown.
std::vector<std::int32_t> groups_of(const Results& test, std::span<const std::size_t> rows);

/// What the reference says of the intervals.
std::string intervals_documentation();

/// A base of evaluators that report confidence intervals of figures of rows, by the percentile
/// bootstrap (Efron, Nonparametric standard errors and confidence intervals, 1981), over whole
/// groups where there are some (Davison and Hinkley, Bootstrap Methods and their Application, 1997,
/// section 3.8: the first of two strategies).
class ReportsIntervals {
 protected:
  /// Declares both parameters.
  template <class T>
  static void declare_bootstrap(Declaration<T>& declaration) {
    declaration
        .parameter("bootstrap", &ReportsIntervals::draws_,
                   "number of draws of the test rows, or of their groups, for the confidence "
                   "intervals; 0: none",
                   at_least(0), at_most(100000))
        .parameter("confidence", &ReportsIntervals::confidence_, "confidence of the intervals",
                   above(0), below(1));
  }

  /// Reports the figures with these names, where each sample occurs once. Draws n of the n groups
  /// with replacement, `bootstrap` times, and reports the table `intervals`: the quantiles of each
  /// figure over the draws, interpolated linearly. Of those in `with_ends` it reports NAME_low and
  /// NAME_high too. A draw without figures is repeated. The same bits for any number of threads.
  ///
  /// `groups` has one per sample; a sample with -1 is drawn by itself. If there is one known group,
  /// it says nothing of others: it reports no intervals, with a warning.
  void report_figures(const std::vector<std::string>& names,
                      const std::vector<std::string>& with_ends,
                      std::span<const std::int32_t> groups, const FiguresOfDraw& figures,
                      Report& report, Context& context) const;

 private:
  std::int64_t draws_ = 1000;
  double confidence_ = 0.95;
};

/// The `level` quantile of the sorted values, interpolated linearly between two of them, as in
/// NumPy; at least one value.
double quantile(std::span<const double> sorted, double level);

}  // namespace semblance::evaluators
