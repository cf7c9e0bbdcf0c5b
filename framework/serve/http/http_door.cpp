// SPDX-License-Identifier: MIT
// HTTP/1.1 over TCP: Boost.Beast reads the untrusted requests; time, memory and connections are
// limited here.
#include <fcntl.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <chrono>
#include <cstdint>
#include <exception>
#include <optional>
#include <sstream>
#include <string>
#include <thread>

#include "semblance/error.hpp"
#include "serve/http/connection.hpp"
#include "serve/http/http.hpp"

namespace semblance::serving {

namespace {

namespace asio = boost::asio;

namespace beast = boost::beast;

namespace http = boost::beast::http;

using boost::asio::ip::tcp;

using boost::beast::error_code;

using Parser = http::request_parser<http::string_body>;

using Response = http::response<http::string_body>;

constexpr std::size_t most_head = std::size_t{1} << 16;  // bytes of a request's headers

constexpr std::size_t most_target = 8192;

constexpr std::chrono::milliseconds accept_moment{50};

std::string text_of(beast::string_view text) { return {text.data(), text.size()}; }

/// The address without its port. For IPv6 the first half, which identifies a network.
std::string client_of(const asio::ip::address& address) {
  if (address.is_v4() || address.to_v6().is_v4_mapped()) return address.to_string();
  const auto bytes = address.to_v6().to_bytes();
  return {bytes.begin(), bytes.begin() + bytes.size() / 2};
}

/// Other programs that this one starts do not inherit it.
void close_on_exec(int socket) { ::fcntl(socket, F_SETFD, FD_CLOEXEC); }

/// Throws Error where listening is impossible.
tcp::acceptor listening(asio::io_context& context, const std::string& host, int port) {
  const std::string start = "cannot listen on '" + host + "', port " + std::to_string(port) + ": ";
  const std::string other_host = "; name an address of this machine with --host";
  error_code problem;
  const auto addresses = tcp::resolver(context).resolve(
      host, std::to_string(port), tcp::resolver::passive | tcp::resolver::numeric_service, problem);
  if (problem) throw Error(start + problem.message() + other_host);
  for (const auto& address : addresses) try {
      // Leftovers of a former server there are no obstacle; a running server is one.
      tcp::acceptor acceptor(context, address.endpoint(), true);
      acceptor.non_blocking(true);
      close_on_exec(acceptor.native_handle());
      return acceptor;
    } catch (const boost::system::system_error& thrown) {
      if (!problem) problem = thrown.code();
    }
  namespace errc = boost::system::errc;
  throw Error(start + problem.message() +
              (problem == errc::address_in_use
                   ? "; stop the program that uses the port, or choose another with --port"
               : problem == errc::permission_denied     ? "; choose a port from 1024 with --port"
               : problem == errc::address_not_available ? other_host
                                                        : ""));
}

Response response_of(HttpAnswer answer, bool closes) {
  Response response;
  response.result(static_cast<unsigned>(answer.status));
  response.set(http::field::content_type, answer.type);
  response.set(http::field::cache_control, "no-store");
  response.set("X-Content-Type-Options", "nosniff");
  response.set("Referrer-Policy", "no-referrer");
  for (const auto& [name, value] : answer.headers) response.set(name, value);
  response.body() = std::move(answer.body);
  response.keep_alive(!closes);
  response.prepare_payload();
  return response;
}

/// The request without its body.
HttpRequest request_of(const http::request<http::string_body>& message) {
  HttpRequest request;
  request.method = text_of(message.method_string());
  request.set_target(text_of(message.target()));
  for (const auto& field : message)
    request.headers.emplace_back(text_of(field.name_string()), text_of(field.value()));
  return request;
}

class DoorServer final : public HttpServer {
 public:
  DoorServer(const HttpOptions& options, HttpHandler& handler)
      : options_(options),
        handler_(handler),
        connections_(options.connections),
        bodies_(options.most_bodies),
        acceptor_(listening(context_, options.host, options.port)),
        port_(acceptor_.local_endpoint().port()),
        accepting_([this] { accept_all(); }) {}
  ~DoorServer() override { DoorServer::stop(); }

  int port() const override { return port_; }

  void stop() override {
    stopping_ = true;
    if (accepting_.joinable()) accepting_.join();
    connections_.wait_until_all_is_back();
  }

 private:
  void accept_all() {
    pollfd wanted = {acceptor_.native_handle(), POLLIN, 0};
    while (!stopping_) {
      if (::poll(&wanted, 1, static_cast<int>(accept_moment.count())) <= 0) continue;
      tcp::endpoint from;
      error_code problem;
      tcp::socket socket = acceptor_.accept(from, problem);
      if (problem) {
        // Without free descriptors, connections in use have to end first.
        std::this_thread::sleep_for(accept_moment);
        continue;
      }
      close_on_exec(socket.native_handle());
      start(std::move(socket), client_of(from.address()));
    }
    acceptor_.close();
  }

  /// Serves a connection on a thread of its own.
  void start(tcp::socket socket, const std::string& client) {
    if (!connections_.take(client, 1)) return send_away(socket);
    try {
      std::thread([this, client, socket = std::move(socket)]() mutable {
        serve(std::move(socket), client);
        connections_.give_back(client, 1);
      }).detach();
    } catch (const std::exception&) {
      // The system allows no more threads.
      connections_.give_back(client, 1);
      handler_.refused();
    }
  }

  /// Never waits for the client.
  void send_away(tcp::socket& socket) {
    handler_.refused();
    std::ostringstream text;
    text << response_of(http_error(503, "too many connections are open; try again in a second",
                                   {{"Retry-After", "1"}}),
                        true);
    error_code problem;
    socket.non_blocking(true, problem);
    socket.send(asio::buffer(text.str()), 0, problem);
    socket.shutdown(tcp::socket::shutdown_send, problem);
    std::array<char, 4096> unread;
    while (!problem) socket.read_some(asio::buffer(unread), problem);
  }

  void serve(tcp::socket socket, const std::string& client) {
    try {
      Connection connection(std::move(socket));
      beast::flat_buffer unread(most_head);
      while (one_request(connection, unread, client)) {
      }
    } catch (const std::exception&) {
      handler_.refused();  // not enough memory
    }
  }

  /// Sends an answer; returns whether the connection continues.
  static bool answer(Connection& connection, HttpAnswer with, bool last, bool head_only = false) {
    Response response = response_of(std::move(with), last);
    http::response_serializer<http::string_body> serializer(response);
    error_code problem;
    if (head_only)
      http::write_header(connection, serializer, problem);
    else
      http::write(connection, serializer, problem);
    return !problem && !last;
  }

  /// False where it was the connection's last request.
  bool one_request(Connection& connection, beast::flat_buffer& unread, const std::string& client) {
    // Silent clients give way to others; the first request of a connection is in progress.
    const auto begin = HttpClock::now();
    const auto over = [&] {
      return HttpClock::now() - begin > std::chrono::milliseconds(100) &&
             (stopping_ || connections_.scarce(client));
    };
    if (unread.size() == 0 && !connection.wait_for_request(begin + options_.idle, over))
      return false;
    connection.begin_request(HttpClock::now() + options_.timeout, most_head);
    Parser parser;
    parser.header_limit(static_cast<std::uint32_t>(most_head));
    parser.body_limit(options_.most_body);
    error_code problem;
    http::read_header(connection, unread, parser, problem);
    if (problem == http::error::end_of_stream) return false;
    connection.end_head();
    if (auto refusal = problem ? unreadable(problem) : refusal_of(parser)) {
      handler_.refused();
      return answer(connection, *std::move(refusal), true);
    }
    return answer_request(connection, unread, parser, client);
  }

  /// The answer to a request whose headers are incomplete or wrong.
  std::optional<HttpAnswer> unreadable(const error_code& problem) const {
    if (problem == http::error::header_limit || problem == http::error::buffer_overflow)
      return http_error(431, "the request's headers are longer than " + std::to_string(most_head) +
                                 " bytes; send fewer");
    if (problem == http::error::body_limit) return too_long();
    if (problem == beast::error::timeout) return too_late();
    return http_error(400,
                      "this is not a request that the server understands: " + problem.message());
  }

  /// The answer to a request that no handler sees.
  static std::optional<HttpAnswer> refusal_of(const Parser& parser) {
    const std::string start = "this is not a request that the server understands: ";
    const auto& message = parser.get();
    if (message.target().size() > most_target)
      return http_error(
          414, start + "its path is longer than " + std::to_string(most_target) + " bytes");
    // A proxy and the server could take two of them for different hosts (RFC 9112, section 3.2);
    // HTTP/1.0 knows none.
    const std::size_t hosts = message.count(http::field::host);
    if (hosts > 1 || (hosts == 0 && message.version() >= 11))
      return http_error(400, start + "it has " + (hosts == 0 ? "no" : std::to_string(hosts)) +
                                 " Host header" + (hosts == 0 ? "" : "s") + "; send one");
    return std::nullopt;
  }

  bool answer_request(Connection& connection, beast::flat_buffer& unread, Parser& parser,
                      const std::string& client) {
    const auto& message = parser.get();
    HttpRequest request = request_of(message);
    request.end = connection.end();
    bool last = stopping_ || !message.keep_alive() || message.version() < 11;
    if (std::optional<HttpAnswer> early = handler_.without_body(request)) {
      // An unread body must not be taken for the next request.
      const bool has_body = !parser.is_done() || message.count(http::field::transfer_encoding) > 0;
      return answer(connection, *std::move(early), last || has_body, request.method == "HEAD");
    }
    if (beast::iequals(message[http::field::expect], "100-continue")) {
      error_code problem;
      asio::write(connection, asio::buffer(std::string("HTTP/1.1 100 Continue\r\n\r\n")), problem);
      if (problem) return false;
    }
    BodyShare share(bodies_, client);
    if (auto refusal = refusal_of_body(connection, unread, parser, share)) {
      handler_.refused();
      return answer(connection, *std::move(refusal), true);
    }
    request.body = std::move(parser.get().body());
    last = last || stopping_;
    return answer(connection, handler_.with_body(std::move(request)), last);
  }

  /// Reads the body. Nothing once it is whole.
  std::optional<HttpAnswer> refusal_of_body(Connection& connection, beast::flat_buffer& unread,
                                            Parser& parser, BodyShare& share) const {
    while (!parser.is_done()) {
      const std::size_t announced = parser.content_length().value_or(0);
      if (!share.grow_to(std::max(announced, parser.get().body().capacity())))
        return http_error(503,
                          "other requests take all the memory for bodies; try again in a second",
                          {{"Retry-After", "1"}});
      error_code problem;
      http::read_some(connection, unread, parser, problem);
      if (problem == http::error::body_limit) return too_long();
      if (problem == beast::error::timeout) return too_late();
      if (problem)
        return http_error(400,
                          "the body is damaged or cut off; send as many bytes as Content-Length "
                          "says, or whole chunks");
    }
    return std::nullopt;
  }

  HttpAnswer too_long() const {
    return http_error(413, "the body is longer than the " + std::to_string(options_.most_body) +
                               " bytes that are taken; send fewer rows at a time");
  }

  HttpAnswer too_late() const {
    return http_error(408, "the request took more than " +
                               std::to_string(options_.timeout.count() / 1000) +
                               " seconds to arrive; send it faster, or fewer rows at a time");
  }

  HttpOptions options_;
  HttpHandler& handler_;
  std::atomic<bool> stopping_ = false;
  ClientShares connections_, bodies_;
  asio::io_context context_;
  tcp::acceptor acceptor_;
  int port_;
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
