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

}  // namespace semblance::statistics
