// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/calibrator.hpp"
#include "semblance/component_info.hpp"

namespace semblance::calibrators {

/// How good probabilities are, one row of them for each held-out row.
struct Quality {
  double log_loss = 0;           ///< mean of -ln p of the true class, p at least 2^-52
  double calibration_error = 0;  ///< in 10 bins of equal width, for a sample's assigned class
};
Quality quality_of(MatrixView probabilities, const HeldOutScores& held_out);

/// The figures of report_quality().
std::vector<FigureInfo> quality_figures();

/// Compares the calibrated scores with the original ones: as probabilities, or by their softmax if
/// they are not probabilities. Warns if far more samples are wrong than before.
void report_quality(const HeldOutScores& held_out, MatrixView after, Report& report,
                    Context& context);

}  // namespace semblance::calibrators
