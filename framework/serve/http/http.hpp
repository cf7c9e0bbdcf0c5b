// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// The interface between the service and the library that speaks HTTP. The library is a door: it is
/// loaded when a program serves, so that other programs do not need its libraries.
namespace semblance::serving {

using HttpClock = std::chrono::steady_clock;
using HttpFields = std::vector<std::pair<std::string, std::string>>;

/// A request; its body is present only if it was requested.
struct HttpRequest {
  std::string method;
  std::string path;
  HttpFields parameters;  ///< of the query
  HttpFields headers;
  std::string body;
  HttpClock::time_point end;  ///< deadline for the answer

  /// Sets path and parameters from "/path?name=value&name=value", both unescaped.
  void set_target(std::string_view target);
  /// The first header of this name, ignoring case.
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

/// The object that answers requests. All members are called from several threads at once, and throw
/// nothing.
class HttpHandler {
 public:
  virtual ~HttpHandler() = default;
  /// The answer without reading the body. Nothing: the body is needed.
  virtual std::optional<HttpAnswer> without_body(const HttpRequest& request) = 0;
  virtual HttpAnswer with_body(HttpRequest&& request) = 0;
  /// Called when something was refused before there was a request to answer.
  virtual void refused() {}
};

struct HttpOptions {
  std::string host;
  int port = 0;                              ///< 0: any free port
  std::size_t connections = 128;             ///< at the same time; further ones are rejected
  std::size_t most_body = 0;                 ///< bytes
  std::size_t most_bodies = 0;               ///< bytes of all bodies being read or answered
  std::chrono::milliseconds timeout{10000};  ///< for a request, from its first byte to its answer
  std::chrono::milliseconds idle{5000};      ///< for a connection without a request
};

/// Speaks HTTP/1.1 over TCP.
class HttpServer {
 public:
  virtual ~HttpServer() = default;
  virtual int port() const = 0;
  /// Accepts no more connections, answers pending requests, and closes all connections: within the
  /// timeout.
  virtual void stop() = 0;
};

/// Starts the server. Where it cannot listen, returns nullptr, with the reason in `problem`.
using StartHttpServer = HttpServer* (*)(const HttpOptions& options, HttpHandler& handler,
                                        const char** problem);

}  // namespace semblance::serving
