// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace semblance::statistics {

/// p values corrected for their number by S. Holm, "A simple sequentially rejective multiple test
/// procedure", Scandinavian Journal of Statistics 6(2), 1979: the i-th smallest of m becomes the
/// greatest of min(1, (m - j + 1) p_j) over j <= i. A missing or NaN value was not tested: it
/// becomes nothing and does not count.
std::vector<std::optional<double>> holm_correction(std::span<const std::optional<double>> p);

}  // namespace semblance::statistics
