// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>

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

/// The two-sided p value of a mean with this standard error, by Student's distribution.
double t_distribution_p(double mean, double standard_error, double degrees_of_freedom);

}  // namespace semblance::statistics
