// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/pipeline.hpp"

namespace semblance {

/// The input of a calibrator with the nodes that score samples they have not learned from, in the
/// order of the folds. No pipeline can name it.
inline constexpr const char* held_out_port = "held out";

/// The same pipeline with what each calibrator learns from. For each of its folds, adds a copy of
/// every node that leads to it (PipelineNode::held_out), with a source that gives this fold (Fold).
/// Calibrators with the same folds share copies of common nodes. The nodes retain their order; the
/// copies stand right before the calibrator. Calibrators that have their copies are unchanged. One
/// with `folds: leave_one_out` needs no copies: its solver scores what it leaves out
/// (PipelineNode::scores_left_out).
Pipeline with_held_out(const Pipeline& pipeline);

/// Whether it is a calibrator that learns from samples that are left out one at a time.
bool leaves_one_out(const ComponentConfig& component, const ComponentInfo& info);

/// The start of the message that training samples cannot be left out one at a time because of a
/// node, before the reason.
std::string not_left_out(const std::string& node, const std::string& component);

/// "group" or "row"; nothing for other words.
std::optional<FoldsBy> folds_by_named(std::string_view word);

/// The samples that stay together in the folds that a component makes of its training samples: the
/// value of its parameter `folds_by` (auto, group or row).
FoldsBy folds_by(const ComponentConfig& component);

/// Whether it is a calibrator that needs a column of its source (HeldOutCalibrator::by_column).
bool calibrates_by_column(const PipelineNode& node);

/// For a calibrator with its copies: the nodes that score held-out samples, one per fold.
std::vector<std::size_t> held_out_of(const PipelineNode& calibrator);

}  // namespace semblance
