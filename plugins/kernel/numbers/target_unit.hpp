// SPDX-License-Identifier: MIT
#pragma once

#include <span>

namespace semblance::kernel {

/// The numbers of one target as a machine learns them: (number - centre) / unit. The unit is a
/// power of two, so that only the subtraction rounds, and targets of any size are learned with the
/// same bits but for their exponents.
struct TargetUnit {
  double centre = 0;  ///< the median
  double unit = 1;
  /// The mean absolute deviation from the centre, in that unit: at least 1 and below 2. 1 if all
  /// numbers are equal.
  double spread = 1;
};

/// The unit of some finite numbers with these weights. A number of weight 0 has no effect, one of
/// weight 2 that of two. Throws Error if the numbers' differences are too large for double.
TargetUnit target_unit(std::span<const double> numbers, std::span<const double> weights);

}  // namespace semblance::kernel
