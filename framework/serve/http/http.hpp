// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// What the service and the library that speaks HTTP tell each other. The library is a door: it is
/// loaded when a program serves, so that nobody else needs what it is linked with.
namespace semblance::serving {

using HttpClock = std::chrono::steady_clock;
using HttpFields = std::vector<std::pair<std::string, std::string>>;

/// A request; its body is there once it was wanted.
struct HttpRequest {
  std::string method;
  std::string path;
  HttpFields parameters;  ///< of the query
  HttpFields headers;
  std::string body;
  HttpClock::time_point end;  ///< by then it has to be answered

  /// The first header of this name, whatever its case.
  const std::string* header(const std::string& name) const;
  std::size_t headers_of(const std::string& name) const;
};

struct HttpAnswer {
  int status = 200;
  std::string type;
  std::string body;
  HttpFields headers = {};
};

/// {"error": "..."} with a status.
HttpAnswer http_error(int status, const std::string& what, HttpFields headers = {});

/// Who answers. All members are called from several threads at once, and throw nothing.
class HttpHandler {
 public:
  virtual ~HttpHandler() = default;
  /// Before the body is read. Nothing: the body is wanted.
  virtual std::optional<HttpAnswer> without_body(const HttpRequest& request) = 0;
  virtual HttpAnswer with_body(HttpRequest&& request) = 0;
  /// Something was refused before there was a request to answer.
  virtual void refused() {}
};

struct HttpOptions {
  std::string host;
  int port = 0;                   ///< 0: any that is free
  std::size_t connections = 64;   ///< that are served at the same time
  std::size_t most_waiting = 64;  ///< that wait for that; those beyond are sent away
  std::size_t most_body = 0;      ///< bytes
  std::size_t most_bodies = 0;    ///< bytes of all bodies that are being read or answered
  std::chrono::milliseconds timeout{10000};  ///< for a request, from its first byte to its answer
  std::chrono::milliseconds idle{5000};      ///< that a connection may stay without a request
};

/// Speaks HTTP/1.1 over TCP.
class HttpServer {
 public:
  virtual ~HttpServer() = default;
  virtual int port() const = 0;
  /// Accepts no more connections, answers what is in hand, and closes all: within the timeout.
  virtual void stop() = 0;
};

/// Starts it. nullptr, and `problem` says why, where it cannot listen.
using StartHttpServer = HttpServer* (*)(const HttpOptions& options, HttpHandler& handler,
                                        const char** problem);

}  // namespace semblance::serving
