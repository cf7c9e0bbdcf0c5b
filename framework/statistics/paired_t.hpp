// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>

namespace semblance::statistics {

/// Two-sided p value of Student's paired t test (Student, "The probable error of a mean",
/// Biometrika 6, 1908) on the differences of the pairs: t = mean / standard error with n - 1
/// degrees of freedom. 1 where all differences are zero, the limit of a mean of zero. Nothing
/// below two pairs, with a value that is not finite, and where the differences are the same but
/// for rounding: then there is no spread to judge them by.
std::optional<double> paired_t_test(std::span<const double> differences);

}  // namespace semblance::statistics
