// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/samples.hpp"

namespace semblance::common {

/// Throws Error unless there are samples, at least two classes, a label in range for every sample,
/// and a sample of every class.
void check_labels(const TrainingSet& training);

/// Throws Error unless there are samples, and a finite number for every sample and target.
void check_targets(const TrainingSet& training);

/// Whether no value is NaN or infinite.
bool all_finite(std::span<const float> values);

/// Throws Error naming the first row with NaN or an infinity, the same on all ranks; each rank
/// checks its own rows. Collective.
void check_finite(const Rows& rows, Context& context);

/// Throws Error unless there is room for one score per class: a saved model may have other classes
/// than the pipeline.
void check_scores(MutableMatrixView out, std::size_t classes);

/// Throws Error unless there is room for one estimate per target of a saved model.
void check_estimates(MutableMatrixView out, std::size_t targets);

}  // namespace semblance::common
