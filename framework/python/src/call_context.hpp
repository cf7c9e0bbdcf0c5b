// SPDX-License-Identifier: MIT
#pragma once

#include <oneapi/tbb/task_arena.h>

#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "runtime/services/run_context.hpp"

namespace semblance::python {

/// Where the threads of one call, its log and its memory come from.
class CallContext {
 public:
  /// `seed` is already mixed with the component's id; `wanted` threads, or one after a fork.
  CallContext(const std::string& name, std::uint64_t seed, std::size_t wanted);
  CallContext(const CallContext&) = delete;
  CallContext& operator=(const CallContext&) = delete;

  NodeContext& operator*() { return context_; }
  /// On the call's threads; NumPy's library uses one thread meanwhile.
  void run(const std::function<void()>& body);
  /// Needs the GIL.
  void pass_on_warnings() const;

 private:
  /// `wanted` or fewer, as a fork may leave them.
  static std::size_t workers(std::size_t wanted);

  std::size_t threads_;
  StopSwitch stop_;
  tbb::task_arena arena_;
  std::mutex mutex_;
  std::vector<std::string> warnings_;
  RunServices services_;
  NodeContext context_;
};

}  // namespace semblance::python
