// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace semblance::statistics {

/// Two-sided p value for two methods that were trained several times and tested on the same rows
/// each time. `differences` has one vector a training, of one number a row: 1 where only the first
/// method was right, -1 where only the second was, else 0. Chance comes in twice, by the rows and
/// by what is random in training; a test over the trainings alone would know nothing of other rows,
/// one over the rows alone nothing of other trainings. The variance of the mean is the sum of the
/// variance of the rows' means and that of the trainings' means (A. C. Cameron, J. B. Gelbach,
/// D. L. Miller, "Robust inference with multiway clustering", Journal of Business & Economic
/// Statistics 29(2), 2011, without the part that both have, which is on the safe side), its degrees
/// of freedom are F. E. Satterthwaite's ("An approximate distribution of estimates of variance
/// components", Biometrics Bulletin 2(6), 1946). 1 where nothing tells the methods apart; nothing
/// below two trainings or two rows, and where all differences are the same.
std::optional<double> crossed_t_test(std::span<const std::vector<std::int8_t>> differences);

}  // namespace semblance::statistics
