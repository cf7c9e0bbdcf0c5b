// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

#include "pipeline/pipeline.hpp"

namespace semblance {

/// From now on, a crash of this process (a signal such as SIGSEGV or SIGABRT) and a component that
/// ends it (std::exit()) say on stderr in which node, component and plugin it happened, and then
/// take their course. Signals that somebody else handles already are left alone.
void report_crashes();

/// Where such a report is appended to as well; empty: nowhere.
void append_crashes_to(const std::filesystem::path& log);

/// While it lives, this thread is at work for the node, as far as crashes are concerned. The node
/// and the phase must outlive it.
class AtWork {
 public:
  AtWork(const PipelineNode& node, const std::string& phase);
  /// For what another thread is at work for, which waits meanwhile.
  explicit AtWork(const AtWork* other);
  ~AtWork();
  AtWork(const AtWork&) = delete;
  AtWork& operator=(const AtWork&) = delete;

  /// What this thread is at work for; nullptr: for no node.
  static const AtWork* now() noexcept;

  const PipelineNode* node() const noexcept { return node_; }
  const std::string* phase() const noexcept { return phase_; }

 private:
  const PipelineNode* node_ = nullptr;
  const std::string* phase_ = nullptr;
  const AtWork* before_;
};

}  // namespace semblance
