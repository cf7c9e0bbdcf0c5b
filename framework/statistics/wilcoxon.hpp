// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace semblance::statistics {

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

}  // namespace semblance::statistics
