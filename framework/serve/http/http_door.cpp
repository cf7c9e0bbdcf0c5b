// SPDX-License-Identifier: MIT
// HTTP by cpp-httplib: it reads requests and writes answers. Sockets, time and memory are watched
// here, since its own limits leave them to the client: a byte now and then keeps its threads busy
// for good, and it takes as many headers as come.
#include <httplib.h>

#include <atomic>
#include <memory>
#include <mutex>

#include "semblance/error.hpp"
#include "serve/http/connection.hpp"
#include "serve/http/connection_threads.hpp"
#include "serve/http/http.hpp"
#include "serve/http/listening_socket.hpp"

namespace semblance::serving {
namespace {

constexpr std::size_t most_head = std::size_t{1} << 16;
constexpr std::size_t most_requests = 1'000'000;  ///< of one connection

/// The connection as the library wants to see it.
class ConnectionStream final : public httplib::Stream {
 public:
  explicit ConnectionStream(Connection& connection) : connection_(connection) {}
  bool is_readable() const override { return true; }
  bool is_writable() const override { return true; }
  ssize_t read(char* bytes, std::size_t most) override { return connection_.read(bytes, most); }
  ssize_t write(const char* bytes, std::size_t count) override {
    return connection_.write(bytes, count) ? static_cast<ssize_t>(count) : -1;
  }
  void get_remote_ip_and_port(std::string&, int&) const override {}
  void get_local_ip_and_port(std::string&, int&) const override {}
  socket_t socket() const override { return INVALID_SOCKET; }

 private:
  Connection& connection_;
};

/// The library's part; what is protected there.
class Protocol final : public httplib::Server {
 public:
  using httplib::Server::process_request;
};

/// The request that a thread is at.
struct Current {
  Connection* connection = nullptr;
  bool last = false;  ///< the connection ends with it
  bool told = false;  ///< and the library says so
};
thread_local Current current;

HttpRequest request_of(const httplib::Request& from) {
  HttpRequest request;
  request.method = from.method;
  request.path = from.path;
  request.parameters.assign(from.params.begin(), from.params.end());
  for (const auto& [name, value] : from.headers)
    // What the library itself adds is not the client's.
    if (name != "REMOTE_ADDR" && name != "REMOTE_PORT" && name != "LOCAL_ADDR" &&
        name != "LOCAL_PORT")
      request.headers.emplace_back(name, value);
  request.end = current.connection->end();
  return request;
}

void put(HttpAnswer answer, httplib::Response& response) {
  response.status = answer.status;
  for (const auto& [name, value] : answer.headers) response.set_header(name, value);
  response.body = std::move(answer.body);
  response.set_header("Content-Type", answer.type);
  if (current.last && !current.told) response.set_header("Connection", "close");
}

/// Bytes of the bodies that are in memory.
class Bodies {
 public:
  explicit Bodies(std::size_t most) : most_(most) {}
  bool take(std::size_t bytes) noexcept {
    if (held_.fetch_add(bytes) + bytes <= most_) return true;
    held_ -= bytes;
    return false;
  }
  void give_back(std::size_t bytes) noexcept { held_ -= bytes; }

 private:
  std::size_t most_;
  std::atomic<std::size_t> held_ = 0;
};

class BodyShare {
 public:
  explicit BodyShare(Bodies& bodies) : bodies_(bodies) {}
  ~BodyShare() { bodies_.give_back(taken_); }
  BodyShare(const BodyShare&) = delete;
  BodyShare& operator=(const BodyShare&) = delete;
  bool take(std::size_t bytes) noexcept {
    if (!bodies_.take(bytes)) return false;
    taken_ += bytes;
    return true;
  }

 private:
  Bodies& bodies_;
  std::size_t taken_ = 0;
};

class DoorServer final : public HttpServer {
 public:
  DoorServer(const HttpOptions& options, HttpHandler& handler)
      : options_(options),
        handler_(handler),
        bodies_(options.most_bodies),
        listening_(std::make_unique<ListeningSocket>(options.host, options.port)),
        port_(listening_->port()) {
    prepare_protocol();
    threads_ = std::make_unique<ConnectionThreads>(options_.connections, options_.most_waiting,
                                                   [this](int socket) { serve(socket); });
    accepting_ = std::thread([this] { accept_all(); });
  }
  ~DoorServer() override { DoorServer::stop(); }

  int port() const override { return port_; }

  void stop() override {
    stopping_ = true;
    if (accepting_.joinable()) accepting_.join();
    threads_.reset();
  }

 private:
  void prepare_protocol() {
    using Handled = httplib::Server::HandlerResponse;
    protocol_.set_keep_alive_max_count(most_requests);
    protocol_.set_keep_alive_timeout(options_.idle.count() / 1000);
    protocol_.set_default_headers({{"Cache-Control", "no-store"},
                                   {"X-Content-Type-Options", "nosniff"},
                                   {"Referrer-Policy", "no-referrer"}});
    protocol_.set_expect_100_continue_handler(
        [this](const httplib::Request& request, httplib::Response& response) {
          return answered(request, response) ? response.status : 100;
        });
    protocol_.set_pre_routing_handler(
        [this](const httplib::Request& request, httplib::Response& response) {
          return answered(request, response) ? Handled::Handled : Handled::Unhandled;
        });
    protocol_.Post(".*", [this](const httplib::Request& request, httplib::Response& response,
                                const httplib::ContentReader& reader) {
      put(answer_with_body(request, reader), response);
    });
    protocol_.set_error_handler([this](const httplib::Request&, httplib::Response& response) {
      if (!response.body.empty()) return;
      current.last = true;
      handler_.refused();
      put(unreadable(*current.connection, response.status), response);
    });
  }

  bool has_body(const httplib::Request& request) const {
    return request.has_header("Transfer-Encoding") ||
           (request.has_header("Content-Length") &&
            request.get_header_value("Content-Length") != "0");
  }

  /// Whether the answer is there without a body. One that nobody has read is no next request.
  bool answered(const httplib::Request& request, httplib::Response& response) {
    std::optional<HttpAnswer> answer = handler_.without_body(request_of(request));
    if (!answer) return false;
    current.last = current.last || has_body(request) || stopping_;
    put(*std::move(answer), response);
    return true;
  }

  HttpAnswer answer_with_body(const httplib::Request& from, const httplib::ContentReader& reader) {
    HttpRequest request = request_of(from);
    BodyShare share(bodies_);
    bool too_long = false, no_room = false;
    Connection& connection = *current.connection;
    connection.renew_allowance(most_head);
    const bool whole = reader([&](const char* bytes, std::size_t count) {
      // What stands between two pieces of a body (the lines of chunks) is kept by the library.
      connection.renew_allowance(most_head);
      too_long = request.body.size() + count > options_.most_body;
      if (too_long) return false;
      const std::size_t before = request.body.capacity();
      if (request.body.size() + count > before)
        request.body.reserve(
            std::min(std::max(2 * before, request.body.size() + count), options_.most_body + 1));
      no_room = !share.take(request.body.capacity() - before);
      if (!no_room) request.body.append(bytes, count);
      return !no_room;
    });
    if (whole) {
      if (stopping_) current.last = true;
      return handler_.with_body(std::move(request));
    }
    current.last = true;
    handler_.refused();
    if (too_long)
      return http_error(413, "the body is longer than the " + std::to_string(options_.most_body) +
                                 " bytes that are taken; send fewer rows at a time");
    if (no_room)
      return http_error(503, "other requests take all the memory for bodies; try again in a second",
                        {{"Retry-After", "1"}});
    if (connection.late()) return too_late();
    return http_error(400,
                      "the body is damaged or cut off; send as many bytes as Content-Length "
                      "says, or whole chunks");
  }

  HttpAnswer too_late() const {
    return http_error(408, "the request took more than " +
                               std::to_string(options_.timeout.count() / 1000) +
                               " seconds to arrive; send it faster, or fewer rows at a time");
  }

  /// Of a request that was not read to the end of its headers.
  HttpAnswer unreadable(const Connection& connection, int status) const {
    if (connection.too_long())
      return http_error(431, "the request's headers are longer than " + std::to_string(most_head) +
                                 " bytes; send fewer");
    if (connection.late()) return too_late();
    return http_error(status, "this is not a request that the server understands");
  }

  /// An answer to what the library did not take for a request.
  void write_plainly(Connection& connection, const HttpAnswer& answer) const {
    const char* const reason =
        answer.status == 408 ? "Request Timeout" : "Request Header Fields Too Large";
    const std::string text = "HTTP/1.1 " + std::to_string(answer.status) + " " + reason +
                             "\r\nConnection: close\r\nContent-Type: " + answer.type +
                             "\r\nContent-Length: " + std::to_string(answer.body.size()) +
                             "\r\n\r\n" + answer.body;
    connection.write(text.data(), text.size());
    connection.flush();
  }

  void serve(int socket) {
    Connection connection(socket);
    ConnectionStream stream(connection);
    try {
      while (one_request(connection, stream)) {
      }
    } catch (const std::exception&) {
      handler_.refused();  // no memory for it
    }
  }

  /// False where it was the connection's last.
  bool one_request(Connection& connection, ConnectionStream& stream) {
    // Who says nothing gives way to who waits; the first request of a connection is under way.
    const auto begin = HttpClock::now();
    const auto over = [&] {
      const bool gives_way = stopping_ || threads_->any_waiting();
      return gives_way && HttpClock::now() - begin > std::chrono::milliseconds(100);
    };
    if (!connection.wait_for_request(begin + options_.idle, over)) return false;
    connection.begin_request(HttpClock::now() + options_.timeout, most_head);
    current = {&connection, stopping_, stopping_};
    bool closed = false;
    const bool done =
        protocol_.process_request(stream, current.told, closed, [](httplib::Request&) {});
    if (!done && connection.any_read() && !connection.any_written()) {
      handler_.refused();
      if (connection.too_long() || connection.late())
        write_plainly(connection, unreadable(connection, 400));
    }
    return connection.flush() && done && !closed && !current.last;
  }

  void accept_all() {
    while (!stopping_) {
      const int socket = listening_->accept();
      if (socket >= 0 && !threads_->add(socket)) send_away(socket);
    }
    listening_.reset();
  }

  /// Never waits for the client.
  void send_away(int socket) {
    handler_.refused();
    const std::string body =
        http_error(503, "too many connections are open; try again in a second").body;
    const std::string text =
        "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nRetry-After: 1\r\n"
        "Content-Type: application/json\r\nContent-Length: " +
        std::to_string(body.size()) + "\r\n\r\n" + body;
    ::send(socket, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    ::shutdown(socket, SHUT_WR);
    char unread[4096];
    while (::recv(socket, unread, sizeof unread, MSG_DONTWAIT) > 0) {
    }
    ::close(socket);
  }

  HttpOptions options_;
  HttpHandler& handler_;
  Bodies bodies_;
  Protocol protocol_;
  std::unique_ptr<ListeningSocket> listening_;
  int port_;
  std::atomic<bool> stopping_ = false;
  std::unique_ptr<ConnectionThreads> threads_;
  std::thread accepting_;
};

}  // namespace
}  // namespace semblance::serving

extern "C" __attribute__((visibility("default"))) semblance::serving::HttpServer*
semblance_http_server(const semblance::serving::HttpOptions& options,
                      semblance::serving::HttpHandler& handler, const char** problem) {
  static std::string why;
  try {
    return new semblance::serving::DoorServer(options, handler);
  } catch (const std::exception& failure) {
    why = failure.what();
    *problem = why.c_str();
    return nullptr;
  }
}
