// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "pipeline/check_tree.hpp"
#include "pipeline/overrides.hpp"
#include "study/study.hpp"

namespace semblance {

/// A checked `select` of a pipeline: parameters that are chosen by stratified k-fold
/// cross-validation on the training samples. Nodes inside a fold learn from that fold's training
/// samples only, since only the source knows about folds. Leave-one-out is one fold of all samples,
/// see study/leave_one_out.hpp.
struct Selection {
  bool leave_one_out = false;
  Study trials;                      ///< every combination of values; the repeats are the folds
  std::vector<Pipeline> candidates;  ///< by combination: the pipeline with these values, on all
                                     ///< samples
};

/// Checks a pipeline that was read, with its `select`; see check_tree(). Warns of `changes` that
/// `select` overrides.
std::optional<SelectingPipeline> check_selecting_tree(
    const YamlNode& root, const std::string& file_name, const Catalogue& catalogue,
    const CheckOptions& options, Problems& problems, const std::vector<Override>& changes = {});

}  // namespace semblance
