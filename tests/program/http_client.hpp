// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <map>
#include <string>

#include "program.hpp"

namespace semblance::testing {

/// `semblance serve`, or another verb that serves, on a free port of loopback; stopped in the end.
class Served {
 public:
  Served(const Workplace& work, const std::string& arguments, const std::string& verb = "serve");
  ~Served();
  Served(const Served&) = delete;
  Served& operator=(const Served&) = delete;

  int port() const noexcept { return port_; }
  pid_t process() const noexcept { return process_; }
  /// SIGTERM; the exit code.
  int stop();
  /// The server's log.
  std::string log() const;

 private:
  const Workplace& work_;
  std::string log_;
  pid_t process_ = -1;
  int port_ = 0;
};

struct HttpReply {
  int status = 0;  ///< 0: the connection was closed without an answer
  std::map<std::string, std::string> headers;
  std::string body;
  bool whole = false;  ///< of the length given by Content-Length
};

/// A connection that sends raw bytes.
class HttpConnection {
 public:
  /// `from` is the local address of the connection, such as 127.0.0.2.
  explicit HttpConnection(int port, const char* from = nullptr);
  ~HttpConnection();
  HttpConnection(const HttpConnection&) = delete;
  HttpConnection& operator=(const HttpConnection&) = delete;

  bool connected() const noexcept { return socket_ >= 0; }
  /// False if the peer no longer accepts data.
  bool send(const std::string& bytes) const;
  /// Ends sending; incoming data are still read.
  void finish_sending() const;
  /// The next answer.
  HttpReply read();

 private:
  bool receive();
  int socket_ = -1;
  std::string input_;
};

/// The text of a request with a body.
std::string post(const std::string& type, const std::string& body,
                 const std::string& more_headers = "", const std::string& path = "/predict");

/// Sends a request and reads the answer, on a new connection.
HttpReply exchange(int port, const std::string& request);

}  // namespace semblance::testing
