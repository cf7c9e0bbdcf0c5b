// SPDX-License-Identifier: MIT
#include "serve/http/connection.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <cerrno>
#include <limits>
#include <utility>

namespace semblance::serving {

namespace {

namespace asio = boost::asio;

constexpr std::chrono::milliseconds moment{50};

constexpr std::chrono::milliseconds parting{500};

int milliseconds_until(HttpClock::time_point end) {
  const auto left =
      std::chrono::duration_cast<std::chrono::milliseconds>(end - HttpClock::now()).count();
  return static_cast<int>(std::clamp<long>(left, 0, 60'000));
}

}  // namespace

Connection::Connection(asio::ip::tcp::socket socket) : socket_(std::move(socket)) {
  error_code none;
  socket_.non_blocking(true, none);
  socket_.set_option(asio::ip::tcp::no_delay(true), none);
}

/// Closing a socket with unread bytes resets the connection, and sent data may be lost.
Connection::~Connection() {
  error_code problem;
  socket_.shutdown(asio::ip::tcp::socket::shutdown_send, problem);
  end_ = HttpClock::now() + parting;
  end_head();
  std::array<char, 4096> unread;
  while (!problem) read_some(asio::buffer(unread), problem);
}

bool Connection::wait_for_request(HttpClock::time_point end, const std::function<bool()>& over) {
  pollfd wanted = {socket_.native_handle(), POLLIN, 0};
  for (;;) {
    const int found = ::poll(&wanted, 1, std::min<int>(moment.count(), milliseconds_until(end)));
    if (found > 0) break;
    if ((found < 0 && errno != EINTR) || HttpClock::now() >= end || over()) return false;
  }
  char first = 0;
  return ::recv(socket_.native_handle(), &first, 1, MSG_PEEK | MSG_DONTWAIT) == 1;
}

void Connection::begin_request(HttpClock::time_point end, std::size_t allowance) {
  end_ = end;
  allowance_ = allowance;
}

void Connection::end_head() { allowance_ = std::numeric_limits<std::size_t>::max(); }

bool Connection::wait(bool to_read, error_code& problem) {
  pollfd wanted = {socket_.native_handle(), static_cast<short>(to_read ? POLLIN : POLLOUT), 0};
  for (;;) {
    const int left = milliseconds_until(end_);
    const int found = left > 0 ? ::poll(&wanted, 1, left) : 0;
    if (found > 0) return true;
    if (found < 0 && errno == EINTR) continue;
    problem = boost::beast::error::timeout;
    return false;
  }
}

}  // namespace semblance::serving
