// SPDX-License-Identifier: MIT
#pragma once

namespace semblance::common {

/// Errors that differ by less than this share are equal: sums of the same terms in another order
/// differ by rounding, and the errors of a ridge regression by that of a factor.
inline constexpr double equal_errors_share = 1e-9;

/// Whether a candidate replaces the best one so far, by errors that are not negative: its error is
/// smaller; or it is equal, and the candidate is `simpler` than the best, that is, more regularized
/// (a smaller C, a larger penalty).
constexpr bool is_better_candidate(double error, double least, bool simpler) noexcept {
  return simpler ? error <= least * (1 + equal_errors_share)
                 : error < least * (1 - equal_errors_share);
}

}  // namespace semblance::common
