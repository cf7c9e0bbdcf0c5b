// SPDX-License-Identifier: MIT
/// Several methods measured on several blocks, compared by their ranks: J. Demsar, "Statistical
/// comparisons of classifiers over multiple data sets", JMLR 7, 2006.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace semblance::statistics {

/// The probability that `count` independent standard normal values are within `range` of each
/// other. This is the studentized range with infinitely many degrees of freedom, k * integral of
/// phi(z) (Phi(z) - Phi(z - range))^(k - 1) over z, the greatest value (H. L. Harter, "Tables of
/// range and studentized range", Annals of Mathematical Statistics 31(4), 1960). `count` is at
/// least 2. Accurate to 1e-10.
double studentized_range_cdf(double range, std::size_t count);

/// The range that is not exceeded with probability `probability`, between 0 and 1 exclusively.
double studentized_range_quantile(double probability, std::size_t count);

/// Ranks of the values, 1 for the least; values that are equal up to rounding (same_figure()) share
/// the mean of their ranks. None may be NaN.
std::vector<double> mid_ranks(std::span<const double> values);

/// The average rank of each method; `blocks` has the values of all methods, one vector per block,
/// all of the same length. Rank 1 is the best: the least value, or the greatest with
/// `higher_is_better`. Empty without blocks.
std::vector<double> average_ranks(std::span<const std::vector<double>> blocks,
                                  bool higher_is_better);

/// The p value of Friedman's test (JASA 32, 1937) that no method differs, by the F statistic of R.
/// L. Iman and J. M. Davenport, "Approximations of the critical region of the Friedman statistic",
/// Communications in Statistics A9(6), 1980, with Friedman's chi-square corrected for ties (W. J.
/// Conover, "Practical Nonparametric Statistics", 3rd ed., section 5.8). Where all blocks rank the
/// methods the same, F is infinite, and p is the exact probability of this case: 1/k! for each
/// block but the first. 1 where all methods are equal in every block; nothing below two methods or
/// two blocks, or where a value is not finite.
std::optional<double> friedman_test(std::span<const std::vector<double>> blocks);

/// The distance of average ranks at which two methods differ at 5 % (P. B. Nemenyi,
/// "Distribution-free multiple comparisons", thesis, Princeton, 1963; Demsar, section 3.2.2): q
/// sqrt(k (k + 1) / 6 N), q the quantile of the studentized range divided by sqrt(2). Nothing below
/// two methods or without a block.
std::optional<double> nemenyi_critical_difference(std::size_t methods, std::size_t blocks);

}  // namespace semblance::statistics
