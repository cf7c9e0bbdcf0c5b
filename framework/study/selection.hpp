// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "pipeline/pipeline.hpp"
#include "study/study.hpp"

namespace semblance {

/// A checked `select` of a pipeline: parameters that are chosen by stratified k-fold
/// cross-validation on the training samples. Nodes inside a fold learn from that fold's training
/// samples only, since only the source knows about folds. Leave-one-out is one fold of all samples,
/// see check_leave_one_out() in study/check_pipeline.cpp.
struct Selection {
  bool leave_one_out = false;
  /// After each fold, only the best of the trials continue: their number divided by this, rounded
  /// up. 0: all trials are tested on all folds.
  std::size_t halving = 0;
  Study trials;                      ///< every combination of values; the repeats are the folds
  std::vector<Pipeline> candidates;  ///< by combination: the pipeline with these values, on all
                                     ///< samples
};

}  // namespace semblance
