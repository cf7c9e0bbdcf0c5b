// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>

namespace semblance::statistics {

/// Mean and spread of a sample.
struct Summary {
  std::size_t count = 0;
  double mean = 0;            ///< NaN for an empty sample
  double deviation = 0;       ///< sample standard deviation (n - 1); NaN below two values
  double standard_error = 0;  ///< of the mean; NaN below two values
};

/// Two passes in the order given: the same bits for the same sample. A NaN among the values makes
/// all figures NaN. Equal values give exactly that value and a deviation of zero.
Summary summary(std::span<const double> values);

/// Whether all values are neither NaN nor infinite.
bool all_finite(std::span<const double> values);

struct Interval {
  double low = 0;
  double high = 0;
};

/// The 95 % confidence interval of a proportion, of which `part` of `whole` independent trials are
/// known (E. B. Wilson, "Probable inference, the law of succession, and statistical inference",
/// Journal of the American Statistical Association 22(158), 1927). Within [0, 1]; `whole` is at
/// least 1, and `part` at most `whole`.
///
/// With at least two `groups`, within which trials depend on each other: for as many trials as have
/// this standard error of the share, at most `whole`, or one per group if it is 0, and with
/// Student's quantile (C. Franco and others, "Comparative study of confidence intervals for
/// proportions in complex sample surveys", Journal of Survey Statistics and Methodology 7(3),
/// 2019).
Interval wilson_interval(std::size_t part, std::size_t whole, std::size_t groups = 0,
                         double standard_error = 0);

}  // namespace semblance::statistics
