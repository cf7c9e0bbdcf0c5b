// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "semblance/samples.hpp"

namespace semblance {

// Statistics of the values that are there (not NaN) in each column of the training rows. Their bits
// depend on neither the number of threads nor that of ranks. An infinite value is refused with its
// place, and so are no rows at all.

struct PresentValues {
  std::vector<double> sums;
  std::vector<double> squares;  ///< the sums of their squares
  std::vector<std::size_t> counts;
};
/// Of the rows of all ranks.
PresentValues present_values(const Rows& rows, Context& context);

/// The sums of squared differences from a value of each column. Of the rows of all ranks.
std::vector<double> present_squares_about(const Rows& rows, std::span<const float> values,
                                          Context& context);

/// The median of each column: the middle value, or the mean of the two middle ones; NaN where there
/// are none. Of the rows of this process alone.
std::vector<float> present_medians(const Rows& rows, Context& context);

}  // namespace semblance
