// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>

namespace semblance {

/// Calls a function periodically while it lives, from one thread that all heartbeats of the process
/// share. The first call comes after `every`. The function must be quick and must not throw; the
/// destructor waits for a running call. After fork() the child's copy does nothing. Not movable.
class Heartbeat {
 public:
  Heartbeat(std::chrono::milliseconds every, std::function<void()> beat);
  ~Heartbeat();
  Heartbeat(const Heartbeat&) = delete;
  Heartbeat& operator=(const Heartbeat&) = delete;

 private:
  std::uint64_t number_;
};

}  // namespace semblance
