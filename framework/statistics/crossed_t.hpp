// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace semblance::statistics {

/// The two-sided p value for two methods that were trained several times and tested on the same
/// samples each time. `differences` has one vector per training with one number per sample: 1 where
/// only the first method was right, -1 where only the second was, 0 otherwise. Chance has two
/// sources: the samples, and the randomness of training. A test over the trainings alone would
/// ignore the first, and one over the samples alone would ignore the second. The variance of the
/// mean is the sum of the variance of the samples' means and that of the trainings' means (A. C.
/// Cameron, J. B. Gelbach, D. L. Miller, "Robust inference with multiway clustering", Journal of
/// Business & Economic Statistics 29(2), 2011, without the common part, which is on the safe side).
/// Its degrees of freedom are F. E. Satterthwaite's ("An approximate distribution of estimates of
/// variance components", Biometrics Bulletin 2(6), 1946). 1 where nothing distinguishes the
/// methods; nothing below two trainings or two samples, and where all differences are the same.
std::optional<double> crossed_t_test(std::span<const std::vector<std::int8_t>> differences);

}  // namespace semblance::statistics
