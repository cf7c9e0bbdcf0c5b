// SPDX-License-Identifier: MIT
// HTTP/1.1 over TCP: Boost.Beast parses the untrusted requests; sockets, time and memory are
// limited here.
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <boost/beast/http/status.hpp>
#include <cerrno>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>

#include "semblance/error.hpp"
#include "serve/http/connection.hpp"
#include "serve/http/http.hpp"

namespace semblance::serving {

namespace {

/// A TCP socket that accepts connections.
class ListeningSocket {
 public:
  /// Throws Error where listening is impossible.
  ListeningSocket(const std::string& host, int port);
  ~ListeningSocket();
  ListeningSocket(const ListeningSocket&) = delete;
  ListeningSocket& operator=(const ListeningSocket&) = delete;

  int port() const noexcept { return port_; }
  /// The next connection, and its client's address; -1 if none arrives within a moment.
  int accept(std::string& client) const;

 private:
  int socket_ = -1;
  int port_ = 0;
};

constexpr int backlog = 512;

constexpr int accept_moment = 50;  // milliseconds

int port_of(int socket) {
  sockaddr_storage address = {};
  socklen_t size = sizeof address;
  if (::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size) != 0) return 0;
  if (address.ss_family == AF_INET6)
    return ntohs(reinterpret_cast<const sockaddr_in6&>(address).sin6_port);
  return ntohs(reinterpret_cast<const sockaddr_in&>(address).sin_port);
}

/// The address without its port. For IPv6 the first half, which identifies a network.
std::string client_of(const sockaddr_storage& address) {
  if (address.ss_family == AF_INET) {
    const auto& given = reinterpret_cast<const sockaddr_in&>(address).sin_addr;
    return {reinterpret_cast<const char*>(&given), sizeof given};
  }
  if (address.ss_family == AF_INET6) {
    const auto& given = reinterpret_cast<const sockaddr_in6&>(address).sin6_addr;
    const bool mapped = IN6_IS_ADDR_V4MAPPED(&given);
    return {reinterpret_cast<const char*>(&given), mapped ? sizeof given : sizeof given / 2};
  }
  return "";
}

/// A socket that listens at this address; -1 and errno where it cannot.
int listening_at(const addrinfo& address) {
  const int socket = ::socket(address.ai_family, address.ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK,
                              address.ai_protocol);
  if (socket < 0) return -1;
  const int yes = 1;
  // Leftovers of a former server there are no obstacle; a running server is one.
  ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (::bind(socket, address.ai_addr, address.ai_addrlen) == 0 && ::listen(socket, backlog) == 0)
    return socket;
  const int problem = errno;
  ::close(socket);
  errno = problem;
  return -1;
}

ListeningSocket::ListeningSocket(const std::string& host, int port) {
  const std::string place = "'" + host + "', port " + std::to_string(port);
  addrinfo wanted = {};
  wanted.ai_socktype = SOCK_STREAM;
  wanted.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* list = nullptr;
  if (const int problem = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &wanted, &list);
      problem != 0)
    throw Error("cannot listen on " + place + ": " + ::gai_strerror(problem) +
                "; name an address of this machine with --host");
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> addresses(list, ::freeaddrinfo);
  int problem = 0;
  for (const addrinfo* a = list; a && socket_ < 0; a = a->ai_next) {
    socket_ = listening_at(*a);
    if (socket_ < 0 && problem == 0) problem = errno;
  }
  if (socket_ >= 0) {
    port_ = port_of(socket_);
    return;
  }
  const char* const remedy =
      problem == EADDRINUSE ? "; stop the program that uses the port, or choose another with --port"
      : problem == EACCES   ? "; choose a port from 1024 with --port"
      : problem == EADDRNOTAVAIL ? "; name an address of this machine with --host"
                                 : "";
  throw Error("cannot listen on " + place + ": " + std::generic_category().message(problem) +
              remedy);
}

ListeningSocket::~ListeningSocket() {
  if (socket_ >= 0) ::close(socket_);
}

int ListeningSocket::accept(std::string& client) const {
  pollfd wanted = {socket_, POLLIN, 0};
  if (::poll(&wanted, 1, accept_moment) <= 0) return -1;
  sockaddr_storage address = {};
  socklen_t size = sizeof address;
  const int connection = ::accept4(socket_, reinterpret_cast<sockaddr*>(&address), &size,
                                   SOCK_CLOEXEC | SOCK_NONBLOCK);
  client = client_of(address);
  // Without free descriptors, connections in use have to end first.
  if (connection < 0 && (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS))
    std::this_thread::sleep_for(std::chrono::milliseconds(accept_moment));
  return connection;
}

constexpr std::size_t most_target = 8192;

/// The answer up to its body.
std::string head_of(const HttpAnswer& answer, bool closes) {
  namespace http = boost::beast::http;
  const auto reason =
      http::obsolete_reason(http::int_to_status(static_cast<unsigned>(answer.status)));
  std::string head = "HTTP/1.1 " + std::to_string(answer.status) + " " +
                     std::string(reason.data(), reason.size()) +
                     "\r\nContent-Type: " + answer.type +
                     "\r\nContent-Length: " + std::to_string(answer.body.size()) +
                     "\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff"
                     "\r\nReferrer-Policy: no-referrer\r\n";
  for (const auto& [name, value] : answer.headers) head += name + ": " + value + "\r\n";
  return head + (closes ? "Connection: close\r\n\r\n" : "\r\n");
}

/// Memory for request bodies. One client has at most three quarters of it.
class Bodies {
 public:
  explicit Bodies(std::size_t most) : most_(most) {}
  bool take(const std::string& client, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    std::size_t& own = of_client_[client];
    if (held_ + bytes > most_ || own + bytes > most_ - most_ / 4) {
      if (own == 0) of_client_.erase(client);
      return false;
    }
    held_ += bytes;
    own += bytes;
    return true;
  }
  void give_back(const std::string& client, std::size_t bytes) noexcept {
    if (bytes == 0) return;
    const std::lock_guard lock(mutex_);
    held_ -= bytes;
    const auto own = of_client_.find(client);
    if ((own->second -= bytes) == 0) of_client_.erase(own);
  }

 private:
  std::size_t most_;
  std::mutex mutex_;
  std::size_t held_ = 0;
  std::map<std::string, std::size_t> of_client_;
};

/// One body's share of that memory.
class BodyShare {
 public:
  BodyShare(Bodies& bodies, const std::string& client) : bodies_(bodies), client_(client) {}
  ~BodyShare() { bodies_.give_back(client_, taken_); }
  BodyShare(const BodyShare&) = delete;
  BodyShare& operator=(const BodyShare&) = delete;
  bool take(std::size_t bytes) {
    if (!bodies_.take(client_, bytes)) return false;
    taken_ += bytes;
    return true;
  }

 private:
  Bodies& bodies_;
  const std::string& client_;
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
    threads_ = std::make_unique<ConnectionThreads>(
        options_.connections, options_.most_waiting,
        [this](int socket, const std::string& client) { serve(socket, client); });
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
  /// Sends an answer; returns whether the connection continues.
  bool answer(Connection& connection, const HttpAnswer& with, bool last, bool head_only = false) {
    const std::string head = head_of(with, last);
    return connection.write(head.data(), head.size()) &&
           (head_only || connection.write(with.body.data(), with.body.size())) &&
           connection.flush() && !last;
  }

  void serve(int socket, const std::string& client) {
    Connection connection(socket);
    RequestReader reader(connection);
    try {
      while (one_request(connection, reader, client)) {
      }
    } catch (const std::exception&) {
      handler_.refused();  // not enough memory
    }
  }

  /// False where it was the connection's last request.
  bool one_request(Connection& connection, RequestReader& reader, const std::string& client) {
    // Silent clients give way to waiting ones; the first request of a connection is in progress.
    const auto begin = HttpClock::now();
    const auto over = [&] {
      const bool gives_way = stopping_ || threads_->any_waiting();
      return gives_way && HttpClock::now() - begin > std::chrono::milliseconds(100);
    };
    if (!reader.any_unread() && !connection.wait_for_request(begin + options_.idle, over))
      return false;
    connection.begin_request(HttpClock::now() + options_.timeout, most_head);
    if (!reader.read_head()) {
      if (reader.any_unread() || connection.any_read()) {
        handler_.refused();
        answer(connection, unreadable(connection, reader.problem()), true);
      }
      return false;
    }
    if (const auto refusal = refusal_of(reader)) {
      handler_.refused();
      return answer(connection, *refusal, true);
    }
    return answer_request(connection, reader, client);
  }

  /// The answer to a request that no handler sees.
  static std::optional<HttpAnswer> refusal_of(const RequestReader& reader) {
    const std::string start = "this is not a request that the server understands: ";
    if (reader.target_length() > most_target)
      return http_error(
          414, start + "its path is longer than " + std::to_string(most_target) + " bytes");
    // A proxy and the server could take two of them for different hosts (RFC 9112, section 3.2).
    if (const std::size_t hosts = reader.hosts(); hosts > 1 || (hosts == 0 && reader.needs_host()))
      return http_error(400, start + "it has " + (hosts == 0 ? "no" : std::to_string(hosts)) +
                                 " Host header" + (hosts == 0 ? "" : "s") + "; send one");
    return std::nullopt;
  }

  bool answer_request(Connection& connection, RequestReader& reader, const std::string& client) {
    HttpRequest request = reader.request();
    bool last = stopping_ || !reader.keeps_alive();
    if (const std::optional<HttpAnswer> early = handler_.without_body(request))
      // An unread body must not be taken for the next request.
      return answer(connection, *early, last || reader.has_body(), request.method == "HEAD");
    constexpr std::string_view go_on = "HTTP/1.1 100 Continue\r\n\r\n";
    if (reader.expects_continue() && !connection.write(go_on.data(), go_on.size())) return false;
    BodyShare share(bodies_, client);
    const HttpAnswer answered =
        answer_with_body(connection, reader, std::move(request), share, last);
    return answer(connection, answered, last);
  }

  HttpAnswer answer_with_body(Connection& connection, RequestReader& reader, HttpRequest request,
                              BodyShare& share, bool& last) {
    bool too_long = false, no_room = false;
    const bool whole = reader.read_body([&](const char* bytes, std::size_t count) {
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
      last = last || stopping_;
      return handler_.with_body(std::move(request));
    }
    last = true;
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

  /// The answer to a request whose headers are incomplete.
  HttpAnswer unreadable(const Connection& connection, const std::string& problem) const {
    if (connection.too_long())
      return http_error(431, "the request's headers are longer than " + std::to_string(most_head) +
                                 " bytes; send fewer");
    if (connection.late()) return too_late();
    return http_error(400, "this is not a request that the server understands" +
                               (problem.empty() ? "" : ": " + problem));
  }

  void accept_all() {
    while (!stopping_) {
      std::string client;
      const int socket = listening_->accept(client);
      if (socket >= 0 && !threads_->add(socket, client)) send_away(socket);
    }
    listening_.reset();
  }

  /// Never waits for the client.
  void send_away(int socket) {
    handler_.refused();
    const HttpAnswer busy = http_error(503, "too many connections are open; try again in a second",
                                       {{"Retry-After", "1"}});
    const std::string text = head_of(busy, true) + busy.body;
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
