// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "compared_numbers.hpp"
#include "semblance/context.hpp"
#include "semblance/evaluator.hpp"

namespace semblance::evaluators {

/// The test samples whose number of one target is known.
struct JudgedTarget {
  std::size_t index = 0;
  std::string name;
  std::vector<std::size_t> rows;
  ComparedNumbers numbers;
  EstimateFigures figures;
  double baseline = 0;  ///< RMSE of the mean of the training samples; NaN: they are unknown
};

/// The targets of which a test sample has a known number, at least one. Warns about others. Throws
/// Error if there is none, or if estimates or numbers are unusable.
std::vector<JudgedTarget> judged_targets(const Results& test, Context& context);

/// The test samples with a known number of any target.
std::vector<std::size_t> known_samples(const std::vector<JudgedTarget>& targets, std::size_t rows);

/// The mean of each figure over the targets where it is defined; NaN if there are none.
EstimateFigures mean_over_targets(const std::vector<EstimateFigures>& all);

/// The largest error of a test sample.
struct LargestError {
  std::size_t row = 0;
  std::size_t target = 0;
  double error = 0;
  double size = 0;  ///< in units of the target's RMSE
};

/// The samples with errors by falling size of these; on ties, in their order.
std::vector<LargestError> largest_errors(const std::vector<JudgedTarget>& targets,
                                         std::size_t rows);

}  // namespace semblance::evaluators
