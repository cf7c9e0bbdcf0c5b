// SPDX-License-Identifier: MIT
#pragma once

#include <oneapi/tbb/task_arena.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "runtime/services/run_context.hpp"

namespace semblance::python {

/// The memory that a call or a training may use if nobody says: what control groups leave, read at
/// most once a second, since that takes longer than a small call.
std::size_t memory_of_calls(std::size_t threads);

/// The threads of one call: an arena that an earlier call has given back, if there is one. oneTBB
/// keeps some memory of each arena for ever, so that one per call would grow the process.
class CallThreads {
 public:
  explicit CallThreads(std::size_t threads);
  CallThreads(const CallThreads&) = delete;
  CallThreads& operator=(const CallThreads&) = delete;
  ~CallThreads();

  tbb::task_arena& arena() noexcept { return *arena_; }

 private:
  std::size_t threads_;
  std::unique_ptr<tbb::task_arena> arena_;
};

/// Where the threads of one call, its log and its memory come from.
class CallContext {
 public:
  /// `seed` is already mixed with the component's id; `wanted` threads, or one after a fork. The
  /// call stops soon after `cancel` is set.
  CallContext(const std::string& name, std::uint64_t seed, std::size_t wanted,
              const std::atomic<bool>* cancel = nullptr);
  CallContext(const CallContext&) = delete;
  CallContext& operator=(const CallContext&) = delete;

  NodeContext& operator*() { return context_; }
  /// On the call's threads; NumPy's library uses one thread meanwhile.
  void run(const std::function<void()>& body);
  const std::vector<std::string>& warnings() const noexcept { return warnings_; }

 private:
  /// `wanted` or fewer, as a fork may leave them.
  static std::size_t workers(std::size_t wanted);

  std::size_t threads_;
  StopSwitch stop_;
  CallThreads workers_;
  std::mutex mutex_;
  std::vector<std::string> warnings_;
  RunServices services_;
  NodeContext context_;
};

}  // namespace semblance::python
