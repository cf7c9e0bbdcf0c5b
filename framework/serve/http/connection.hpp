// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/buffers_prefix.hpp>
#include <boost/beast/core/error.hpp>
#include <boost/beast/http/error.hpp>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <string>

#include "serve/http/http.hpp"

namespace semblance::serving {

/// A limited amount that clients share: connections, or memory for bodies. A client gets at most
/// three quarters. Thread-safe.
class ClientShares {
 public:
  explicit ClientShares(std::size_t most) : most_(most) {}

  /// False where there is not that much left, or where the client would have too much.
  bool take(const std::string& client, std::size_t amount);
  void give_back(const std::string& client, std::size_t amount);
  /// Whether more than three quarters are taken, of all or of the client's share.
  bool scarce(const std::string& client) const;
  void wait_until_all_is_back();

 private:
  static std::size_t three_quarters(std::size_t of) { return of - of / 4; }

  std::size_t most_;
  mutable std::mutex mutex_;
  std::condition_variable all_is_back_;
  std::size_t taken_ = 0;
  std::map<std::string, std::size_t> by_client_;
};

/// One body's share of the memory, while it is read and answered.
class BodyShare {
 public:
  BodyShare(ClientShares& memory, const std::string& client) : memory_(memory), client_(client) {}
  ~BodyShare() { memory_.give_back(client_, bytes_); }
  BodyShare(const BodyShare&) = delete;
  BodyShare& operator=(const BodyShare&) = delete;

  /// False where there is no room.
  bool grow_to(std::size_t bytes) {
    if (bytes <= bytes_) return true;
    if (!memory_.take(client_, bytes - bytes_)) return false;
    bytes_ = bytes;
    return true;
  }

 private:
  ClientShares& memory_;
  const std::string& client_;
  std::size_t bytes_ = 0;
};

/// One client's connection, as a stream for Boost.Beast. A request has a deadline, which clients
/// that send slowly cannot extend, and a limit on the bytes of its headers. The parser limits only
/// the bytes that it has not parsed yet, so headers that arrive one by one would never reach that.
class Connection {
 public:
  using error_code = boost::beast::error_code;

  explicit Connection(boost::asio::ip::tcp::socket socket);
  /// Closes it such that the client gets what was sent, even if it is still sending.
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Waits until something arrives. False if nothing arrives before `end`, if the client has gone,
  /// or once `over` returns true.
  bool wait_for_request(HttpClock::time_point end, const std::function<bool()>& over);

  /// From now on bytes belong to a new request, at most `allowance` of them to its head.
  void begin_request(HttpClock::time_point end, std::size_t allowance);
  void end_head();
  HttpClock::time_point end() const noexcept { return end_; }

  /// The problem is `timeout` after the deadline, and `buffer_overflow` beyond the allowance.
  template <class Buffers>
  std::size_t read_some(const Buffers& buffers, error_code& problem) {
    if (allowance_ == 0) problem = boost::beast::http::error::buffer_overflow;
    // A client that sends fast has no more time than a slow one.
    if (HttpClock::now() >= end_) problem = boost::beast::error::timeout;
    if (problem) return 0;
    const auto allowed = boost::beast::buffers_prefix(allowance_, buffers);
    std::size_t count = 0;
    do {
      count = socket_.read_some(allowed, problem);
    } while (is_to_wait(problem) && wait(true, problem));
    allowance_ -= count;
    return count;
  }
  template <class Buffers>
  std::size_t write_some(const Buffers& buffers, error_code& problem) {
    std::size_t count = 0;
    do {
      count = socket_.write_some(buffers, problem);
    } while (is_to_wait(problem) && wait(false, problem));
    return count;
  }
  // Beast's check of a stream wants these, which throw.
  template <class Buffers>
  std::size_t read_some(const Buffers& buffers);
  template <class Buffers>
  std::size_t write_some(const Buffers& buffers);

 private:
  static bool is_to_wait(const error_code& problem) {
    return problem == boost::asio::error::would_block || problem == boost::asio::error::try_again;
  }
  /// Waits until it can read or write. False at the deadline, with `timeout` as the problem.
  bool wait(bool to_read, error_code& problem);

  boost::asio::ip::tcp::socket socket_;
  HttpClock::time_point end_;
  std::size_t allowance_ = 0;
};

}  // namespace semblance::serving
