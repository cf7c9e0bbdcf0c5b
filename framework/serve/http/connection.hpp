// SPDX-License-Identifier: MIT
#pragma once

#include <boost/beast/http/buffer_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

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

/// Reads the requests of one connection with Boost.Beast's parser, which uses no socket: the
/// connection limits time and bytes.
class RequestReader {
 public:
  explicit RequestReader(Connection& connection) : connection_(connection) {}

  /// Whether bytes of the next request arrived with the last one.
  bool any_unread() const noexcept { return !unread_.empty(); }

  /// Reads a request to the end of its headers. False where there is none; problem() says why,
  /// unless the connection does.
  bool read_head();
  const std::string& problem() const noexcept { return problem_; }

  /// The request without its body.
  HttpRequest request() const;
  std::size_t target_length() const { return parser_->get().target().size(); }
  std::size_t hosts() const { return parser_->get().count(boost::beast::http::field::host); }
  /// HTTP/1.0 knows no Host header.
  bool needs_host() const { return parser_->get().version() >= 11; }
  bool has_body() const;
  bool expects_continue() const;
  /// Whether the client wants to send another request on this connection.
  bool keeps_alive() const { return parser_->keep_alive() && parser_->get().version() >= 11; }

  /// Passes the body to `take`, piece by piece. False where the body is damaged or incomplete, or
  /// where `take` returns false.
  bool read_body(const std::function<bool(const char* bytes, std::size_t count)>& take);

 private:
  bool parse();
  bool read_more();

  Connection& connection_;
  std::optional<boost::beast::http::request_parser<boost::beast::http::buffer_body>> parser_;
  std::string unread_;
  std::string problem_;
};

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
