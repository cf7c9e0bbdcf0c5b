// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "semblance/samples.hpp"

namespace semblance::normalizers {

// Statistics of the present values (not NaN) in each column of the training samples. Their bits
// depend on the number of neither threads nor ranks. Infinite values are refused with their
// position; an empty set of rows is refused as well.

struct PresentValues {
  std::vector<double> sums;
  std::vector<double> squares;  ///< the sums of their squares
  std::vector<std::size_t> counts;
};
/// Over the rows of all ranks.
PresentValues present_values(const Rows& rows, Context& context);

/// The sums of squared differences from a value of each column, over the rows of all ranks.
std::vector<double> present_squares_about(const Rows& rows, std::span<const float> values,
                                          Context& context);

/// The median of each column: the middle value, or the mean of the two middle ones; NaN if there
/// are none. Only over the rows of this process.
std::vector<float> present_medians(const Rows& rows, Context& context);

}  // namespace semblance::normalizers
