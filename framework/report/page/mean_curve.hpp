// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "semblance/report.hpp"

namespace semblance {

/// The mean of DET curves, for instance of the folds of a data set: for each false match rate (x)
/// the mean of the false non-match rates (y), each interpolated between the neighbouring operating
/// points. A curve omits the points where a rate is 0 or 1: beyond its last point its y is 0, and
/// the mean starts where every curve has started. Curves without points are skipped. Points are
/// evenly spaced in log(x / (1 - x)).
Curve mean_det_curve(const std::vector<const Curve*>& curves);

}  // namespace semblance
