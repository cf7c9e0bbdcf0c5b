// SPDX-License-Identifier: MIT
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace semblance::serving {

/// Threads that serve connections, one thread per connection for its whole life. They are started
/// on demand.
class ConnectionThreads {
 public:
  using Serve = std::function<void(int socket, const std::string& client)>;

  /// `serve` takes ownership of a socket; it throws nothing.
  ConnectionThreads(std::size_t most, std::size_t most_waiting, Serve serve);
  /// Serves waiting connections, and ends.
  ~ConnectionThreads();
  ConnectionThreads(const ConnectionThreads&) = delete;
  ConnectionThreads& operator=(const ConnectionThreads&) = delete;

  /// Takes a connection of this client. False where too many wait already, or too many of this
  /// client: a single client has at most three quarters of the threads and of the places to wait.
  bool add(int socket, const std::string& client);
  /// Whether any wait for a thread.
  bool any_waiting() const;

 private:
  struct Waiting {
    int socket;
    std::string client;
  };

  void work();
  bool has_room_for(const std::string& client) const;
  /// How many more threads a client may have.
  std::size_t threads_left(const std::string& client) const;
  std::deque<Waiting>::const_iterator next() const;

  std::size_t most_, most_waiting_;
  Serve serve_;
  mutable std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<Waiting> waiting_;
  std::map<std::string, std::size_t> served_;  ///< connections by client
  std::size_t busy_ = 0;
  bool ending_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace semblance::serving
