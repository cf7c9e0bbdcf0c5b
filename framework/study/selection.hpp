// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "pipeline/check_tree.hpp"
#include "pipeline/overrides.hpp"
#include "study/study.hpp"

namespace semblance {

/// `select` of a pipeline, checked: parameters that are chosen by stratified k-fold
/// cross-validation on the training rows. Whatever learns inside a fold learns from that fold's
/// training rows alone, since only the source knows of folds. Leaving one out is one fold of all
/// rows, see study/leave_one_out.hpp.
struct Selection {
  bool leave_one_out = false;
  Study trials;                      ///< every combination of values; the repeats are the folds
  std::vector<Pipeline> candidates;  ///< by combination: the pipeline with these values, all rows
};

/// Checks a pipeline that was read, with its `select`; as check_tree(). Warns of those `changes`
/// made to it that `select` overrides.
std::optional<SelectingPipeline> check_selecting_tree(
    const YamlNode& root, const std::string& file_name, const Catalogue& catalogue,
    const CheckOptions& options, Problems& problems, const std::vector<Override>& changes = {});

}  // namespace semblance
