// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/samples.hpp"

namespace semblance::solvers {

/// Throws Error unless there are rows, at least two classes, a label in range for every row, and a
/// row of every class.
void check_labels(const TrainingSet& training);

/// Whether no value is NaN or infinite.
bool all_finite(std::span<const float> values);

/// Throws Error naming the first row that holds NaN or an infinity: the same on all ranks, which
/// look at their own rows each. Collective.
void check_finite(const Rows& rows, Context& context);

/// Throws Error unless there is room for one score a class: a saved model may say it has others
/// than the pipeline.
void check_scores(MutableMatrixView out, std::size_t classes);

}  // namespace semblance::solvers
