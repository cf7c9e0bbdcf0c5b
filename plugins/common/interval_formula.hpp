// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/formula.hpp"

namespace semblance::common {

/// Sets the ends of an interval, rounded outwards; it contains its estimate, which is in its
/// middle.
void set_ends(double lower, double upper, float* interval);

/// The parts of the intervals of all target numbers, one value per number each.
struct IntervalParts {
  Formula::Value lower, estimate, upper;
};

/// The parts of a row of intervals, as IntervalCalibrator lays it out.
IntervalParts interval_parts(Formula& formula, Formula::Value row);

/// A row of intervals from its parts.
Formula::Value interval_row(Formula& formula, const IntervalParts& parts);

/// A bound to be narrowed to float32: the result is not above it, and at most one float32 below the
/// nearest.
Formula::Value down_to_float32(Formula& formula, Formula::Value bound);

/// The same upwards.
Formula::Value up_to_float32(Formula& formula, Formula::Value bound);

}  // namespace semblance::common
