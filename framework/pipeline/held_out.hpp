// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "pipeline/pipeline.hpp"

namespace semblance {

/// The input of a calibrator whose nodes score the rows that they have not learned from, in the
/// order of the folds. No pipeline can name it.
inline constexpr const char* held_out_port = "held out";

/// The same pipeline, where each calibrator gets what it learns from: for each of its folds a copy
/// of every node that leads to it (PipelineNode::held_out), whose source gives this fold
/// (Fold). Calibrators with the same folds share the copies of nodes that they have in common. The
/// nodes keep their order; the copies stand right before the calibrator. Calibrators that have
/// their copies are left as they are.
Pipeline with_held_out(const Pipeline& pipeline);

/// In how many folds a calibrator's training rows are held out; 0: the node is no calibrator.
std::size_t folds_of(const PipelineNode& node);

/// Says what stays together in the folds that a component makes of its training rows.
inline constexpr const char* folds_by_parameter = "folds_by";

/// What that parameter of a node says: auto, group or row.
std::string folds_by(const PipelineNode& node);

/// Of a calibrator with its copies: the nodes that score held-out rows, one a fold.
std::vector<std::size_t> held_out_of(const PipelineNode& calibrator);

}  // namespace semblance
