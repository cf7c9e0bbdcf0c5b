// SPDX-License-Identifier: MIT
#include "serve/http/connection.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace semblance::serving {
namespace {

constexpr std::size_t most_buffered = std::size_t{1} << 16;
constexpr std::chrono::milliseconds moment{50};
constexpr std::chrono::milliseconds parting{500};

int milliseconds_until(HttpClock::time_point end) {
  const auto left =
      std::chrono::duration_cast<std::chrono::milliseconds>(end - HttpClock::now()).count();
  return static_cast<int>(std::clamp<long>(left, 0, 60'000));
}

}  // namespace

Connection::Connection(int socket) : socket_(socket) {
  const int yes = 1;
  ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

/// Closing a socket with unread bytes resets the connection, and sent data may be lost.
Connection::~Connection() {
  if (!failed_ && ::shutdown(socket_, SHUT_WR) == 0) {
    const auto end = HttpClock::now() + parting;
    pollfd wanted = {socket_, POLLIN, 0};
    char unread[4096];
    while (::poll(&wanted, 1, milliseconds_until(end)) > 0 &&
           ::recv(socket_, unread, sizeof unread, MSG_DONTWAIT) > 0 && HttpClock::now() < end) {
    }
  }
  ::close(socket_);
}

bool Connection::wait_for_request(HttpClock::time_point end, const std::function<bool()>& over) {
  pollfd wanted = {socket_, POLLIN, 0};
  for (;;) {
    const int found = ::poll(&wanted, 1, std::min<int>(moment.count(), milliseconds_until(end)));
    if (found > 0) break;
    if ((found < 0 && errno != EINTR) || HttpClock::now() >= end || over()) return false;
  }
  char first = 0;
  return ::recv(socket_, &first, 1, MSG_PEEK | MSG_DONTWAIT) == 1;
}

void Connection::begin_request(HttpClock::time_point end, std::size_t allowance) {
  end_ = end;
  allowance_ = allowance;
  read_ = 0;
}

/// False once the time is over.
bool Connection::wait(short events) {
  pollfd wanted = {socket_, events, 0};
  for (;;) {
    const int left = milliseconds_until(end_);
    const int found = left > 0 ? ::poll(&wanted, 1, left) : 0;
    if (found > 0) return true;
    if (found < 0 && errno == EINTR) continue;
    late_ = late_ || found == 0;
    return false;
  }
}

long Connection::read(char* bytes, std::size_t most) {
  if (!flush()) return -1;
  if (allowance_ == 0) {
    too_long_ = true;
    return -1;
  }
  // A client that sends fast has no more time than a slow one.
  while (HttpClock::now() < end_) {
    const ssize_t count = ::recv(socket_, bytes, std::min(most, allowance_), MSG_DONTWAIT);
    if (count >= 0) {
      read_ += static_cast<std::size_t>(count);
      allowance_ -= static_cast<std::size_t>(count);
      return count;
    }
    if (errno == EINTR) continue;
    if (errno != EAGAIN && errno != EWOULDBLOCK) {
      failed_ = true;
      return -1;
    }
    if (!wait(POLLIN)) return -1;
  }
  late_ = true;
  return -1;
}

bool Connection::write(const char* bytes, std::size_t count) {
  output_.append(bytes, count);
  return output_.size() < most_buffered || flush();
}

bool Connection::flush() {
  std::size_t sent = 0;
  while (sent < output_.size() && !failed_) {
    const ssize_t count =
        ::send(socket_, output_.data() + sent, output_.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count > 0)
      sent += static_cast<std::size_t>(count);
    else if (errno == EINTR)
      continue;
    else if ((errno != EAGAIN && errno != EWOULDBLOCK) || !wait(POLLOUT))
      failed_ = true;
  }
  output_.clear();
  return !failed_;
}

}  // namespace semblance::serving
