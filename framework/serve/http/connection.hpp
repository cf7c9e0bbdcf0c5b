// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "serve/http/http.hpp"

namespace semblance::serving {

constexpr std::size_t most_head = std::size_t{1} << 16;  ///< bytes of a request's headers

/// One client's connection. A request has a deadline, which a trickle of bytes does not extend, and
/// an allowance of bytes.
class Connection {
 public:
  /// Takes ownership of the socket.
  explicit Connection(int socket);
  /// Closes it such that the client gets what was sent, even if it is still sending.
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Waits until something arrives. False if nothing arrives before `end`, if the client has gone,
  /// or once `over` returns true.
  bool wait_for_request(HttpClock::time_point end, const std::function<bool()>& over);

  /// From now on bytes belong to a new request.
  void begin_request(HttpClock::time_point end, std::size_t allowance);
  HttpClock::time_point end() const noexcept { return end_; }
  /// Allows this many bytes from now on.
  void renew_allowance(std::size_t bytes) noexcept { allowance_ = bytes; }

  /// Reads some bytes; 0 at the end, -1 where the time or the allowance is used up.
  long read(char* bytes, std::size_t most);
  /// Sends the bytes, now or with later ones; false where that fails.
  bool write(const char* bytes, std::size_t count);
  bool flush();

  bool late() const noexcept { return late_; }
  bool too_long() const noexcept { return too_long_; }
  bool any_read() const noexcept { return read_ > 0; }

 private:
  bool wait(short events);

  int socket_;
  HttpClock::time_point end_;
  std::size_t allowance_ = 0, read_ = 0;
  bool late_ = false, too_long_ = false, failed_ = false;
  std::string output_;
};

}  // namespace semblance::serving
