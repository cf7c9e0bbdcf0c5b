// SPDX-License-Identifier: MIT
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace semblance::serving {

/// Threads that serve connections, one each, as long as the connection lasts. They are started when
/// they are needed.
class ConnectionThreads {
 public:
  /// `serve` takes over a socket; it throws nothing.
  ConnectionThreads(std::size_t most, std::size_t most_waiting, std::function<void(int)> serve);
  /// Serves what waits, and ends.
  ~ConnectionThreads();
  ConnectionThreads(const ConnectionThreads&) = delete;
  ConnectionThreads& operator=(const ConnectionThreads&) = delete;

  /// False where too many wait already.
  bool add(int socket);
  /// Whether some wait for a thread.
  bool any_waiting() const;

 private:
  void work();

  std::size_t most_, most_waiting_;
  std::function<void(int)> serve_;
  mutable std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<int> waiting_;
  std::size_t busy_ = 0;
  bool ending_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace semblance::serving
