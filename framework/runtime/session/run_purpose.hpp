// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>

namespace semblance {

/// The purpose of a run.
struct RunPurpose {
  /// A cross-validation has evaluated the pipeline before: then evaluators without test samples
  /// have nothing to do, which is an error otherwise.
  bool cross_validated = false;
  /// The same, where the program itself evaluates what it has trained.
  bool judged_elsewhere = false;
  /// The states of finished nodes are needed at the end, for the model.
  bool keeps_states = true;
  /// If set, a node that fails does not end the run: this is called for each, and the run
  /// continues.
  std::function<void(std::size_t node, const std::string& message)> on_failure = {};
  /// Nodes that are known to fail, by key, and their messages: they are not tried again. Only with
  /// `on_failure`.
  std::map<std::string, std::string> failures = {};
  /// Other workers fill the same store during this run (workers/shared_run.hpp): the plan only
  /// looks artifacts up, and each is verified when something needs it.
  bool shares_work = false;
  /// Only makes a plan, of a run with this many ranks, which do not exist: the plan of the rank
  /// with most of the rows. 0: the plan of this process.
  std::size_t planned_ranks = 0;

  /// Whether evaluators without test samples have nothing to do.
  bool settles_idle_evaluators() const noexcept { return cross_validated || judged_elsewhere; }
};

}  // namespace semblance
