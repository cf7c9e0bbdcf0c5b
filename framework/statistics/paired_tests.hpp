// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace semblance::statistics {

/// The two-sided p value of Student's paired t test (Student, "The probable error of a mean",
/// Biometrika 6, 1908) on the differences of independent pairs: t = mean / standard error with n -
/// 1 degrees of freedom. 1 where all differences are zero, the limit of a mean of zero. Nothing
/// below two pairs, with a value that is not finite, and where the differences are equal up to
/// rounding: then there is no spread for a test. Magnitudes up to `resolution` are zero.
std::optional<double> paired_t_test(std::span<const double> differences, double resolution = 0);

/// The same for pairs that are not independent because their training and test samples overlap:
/// repeated random splits of one data set, or folds. C. Nadeau, Y. Bengio, "Inference for the
/// generalization error", Machine Learning 52(3), 2003: the variance of the mean of J differences
/// is s^2 (1 / J + n2 / n1), where n2 samples are tested after learning from n1; `test_to_train` is
/// n2 / n1. With 0 it is paired_t_test().
std::optional<double> resampled_t_test(std::span<const double> differences, double test_to_train,
                                       double resolution = 0);

/// Half the width of the 95 % confidence interval of the mean difference, around that mean: the
/// values that resampled_t_test() would not reject at 5 %. 0 where all differences are zero;
/// nothing where that test has no p value.
std::optional<double> resampled_t_reach(std::span<const double> differences, double test_to_train,
                                        double resolution = 0);

/// The two-sided p value of a mean with this standard error, by Student's distribution.
double t_distribution_p(double mean, double standard_error, double degrees_of_freedom);

/// The two-sided p value for two methods that were trained several times and tested on the same
/// samples each time. `differences` has one vector per training with one number per sample: the
/// difference of the two methods' losses; for classes 1 where only the first method was right, -1
/// where only the second was, 0 otherwise. Chance has two
/// sources: the samples, and the randomness of training. A test over the trainings alone would
/// ignore the first, and one over the samples alone would ignore the second. The variance of the
/// mean is the sum of the variance of the samples' means and that of the trainings' means (A. C.
/// Cameron, J. B. Gelbach, D. L. Miller, "Robust inference with multiway clustering", Journal of
/// Business & Economic Statistics 29(2), 2011, without the common part, which is on the safe side).
/// Its degrees of freedom are F. E. Satterthwaite's ("An approximate distribution of estimates of
/// variance components", Biometrics Bulletin 2(6), 1946). 1 where nothing distinguishes the
/// methods; nothing below two trainings or two samples, and where all differences are the same.
std::optional<double> crossed_t_test(std::span<const std::vector<double>> differences);

/// Half the width of the 95 % confidence interval that belongs to crossed_t_test(), around the mean
/// of all differences. 0 where all differences are zero; nothing where that test has no p value.
std::optional<double> crossed_t_reach(std::span<const std::vector<double>> differences);

/// The distribution is exact up to this many non-zero differences.
inline constexpr std::size_t wilcoxon_exact_limit = 50;

/// With fewer differences p is always above 5 %: 2 / 2^5 is 0.0625.
inline constexpr std::size_t wilcoxon_fewest = 6;

/// The two-sided p value of the signed-rank test (F. Wilcoxon, "Individual comparisons by ranking
/// methods", Biometrics Bulletin 1(6), 1945). Zeros are dropped, as Wilcoxon does; equal magnitudes
/// share the mean of their ranks. The null distribution is that of all 2^n signs given those ranks,
/// also with ties, by dynamic programming over doubled ranks. Above wilcoxon_exact_limit it is the
/// normal one, its variance corrected for ties and its statistic for continuity (M. Hollander, D.
/// A. Wolfe, "Nonparametric Statistical Methods", 2nd ed., section 3.1).
///
/// Magnitudes up to `resolution` are zeros, and magnitudes that differ by at most `resolution` are
/// equal: differences of figures like 0.3 - 0.2 and 0.2 - 0.1 must not be ordered by their
/// rounding. 1 where all differences are zeros; nothing without differences or where one is not
/// finite.
std::optional<double> wilcoxon_signed_rank_test(std::span<const double> differences,
                                                double resolution = 0);

/// The two-sided p value of McNemar's test (Q. McNemar, "Note on the sampling error of the
/// difference between correlated proportions or percentages", Psychometrika 12(2), 1947) in its
/// exact form, for any number of samples. `only_first` and `only_second` are the numbers of samples
/// that only one of two classifiers gets right. Without a difference between the classifiers, each
/// is binomial with probability 1/2. Twice the smaller tail, at most 1; 1 where no sample
/// distinguishes them.
double mcnemar_test(std::size_t only_first, std::size_t only_second);

/// The same over groups of dependent samples, by their sums of differences, whole numbers: the
/// share of all signs of the sums whose total is at least as far from 0 (R. A. Fisher, "The Design
/// of Experiments", 1935, section 21); above a billion steps by the normal distribution.
double sign_flip_test(std::span<const double> sums);

/// The values of each group, summed up. A value with a negative group is one by itself, and so are
/// all without `groups`.
std::vector<double> group_sums(std::span<const double> values,
                               std::span<const std::int32_t> groups);

/// A value for each of G groups, which have the mean of all `values` and its standard error where
/// values of a group depend on each other (K.-Y. Liang, S. L. Zeger, "Longitudinal data analysis
/// using generalized linear models", Biometrika 73(1), 1986, with G / (G - 1)).
std::vector<double> group_values(std::span<const double> values,
                                 std::span<const std::int32_t> groups);

/// p values corrected for their number by S. Holm, "A simple sequentially rejective multiple test
/// procedure", Scandinavian Journal of Statistics 6(2), 1979: the i-th smallest of m becomes the
/// greatest of min(1, (m - j + 1) p_j) over j <= i. A missing or NaN value was not tested: it
/// becomes nothing and does not count.
std::vector<std::optional<double>> holm_correction(std::span<const std::optional<double>> p);

}  // namespace semblance::statistics

/// Several methods measured on several blocks, compared by their ranks: J. Demsar, "Statistical
/// comparisons of classifiers over multiple data sets", JMLR 7, 2006.

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
