// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

#include "pipeline/pipeline.hpp"

namespace semblance {

/// From now on, a crash of this process (a signal such as SIGSEGV or SIGABRT), or a component that
/// ends it (std::exit()), reports node, component and plugin on stderr and then takes its course.
/// Signals that already have a handler are left alone.
void report_crashes();

/// The file to which such a report is also appended; empty: none.
void append_crashes_to(const std::filesystem::path& log);

/// While it lives, crash reports name this node and phase as the work of this thread. The node and
/// the phase must outlive it.
class AtWork {
 public:
  AtWork(const PipelineNode& node, const std::string& phase);
  /// Takes over the work of another thread, which waits meanwhile.
  explicit AtWork(const AtWork* other);
  ~AtWork();
  AtWork(const AtWork&) = delete;
  AtWork& operator=(const AtWork&) = delete;

  /// The work of this thread; nullptr: no node.
  static const AtWork* now() noexcept;

  const PipelineNode* node() const noexcept { return node_; }
  const std::string* phase() const noexcept { return phase_; }

 private:
  const PipelineNode* node_ = nullptr;
  const std::string* phase_ = nullptr;
  const AtWork* before_;
};

}  // namespace semblance
