// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "semblance/matrix.hpp"

namespace semblance::numerics {

/// The error of inner products in float32 relative to the mean squared length of the centred rows,
/// the scale that distinguishes rows. 0 if all rows are equal.
double lost_by_products(MatrixView rows);

/// The column farthest from 0 relative to its spread, for messages about lost precision: "column 3
/// (counted from 0), whose values are 2003 on average and differ by 9 from that".
std::string far_column(MatrixView rows);

}  // namespace semblance::numerics
