// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <map>
#include <string>

#include "program.hpp"

namespace semblance::testing {

/// `semblance serve` on a free port of loopback; stopped in the end.
class Served {
 public:
  Served(const Workplace& work, const std::string& arguments);
  ~Served();
  Served(const Served&) = delete;
  Served& operator=(const Served&) = delete;

  int port() const noexcept { return port_; }
  pid_t process() const noexcept { return process_; }
  /// SIGTERM; the exit code.
  int stop();
  /// What it has said.
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
  bool whole = false;  ///< as long as its Content-Length says
};

/// A connection on which bytes are sent as they are.
class HttpConnection {
 public:
  /// `from` is an address of this machine that it comes from, such as 127.0.0.2.
  explicit HttpConnection(int port, const char* from = nullptr);
  ~HttpConnection();
  HttpConnection(const HttpConnection&) = delete;
  HttpConnection& operator=(const HttpConnection&) = delete;

  bool connected() const noexcept { return socket_ >= 0; }
  /// False where nobody takes them any more.
  bool send(const std::string& bytes) const;
  /// No more is sent; what comes is still read.
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

/// Sends this and reads the answer, on a connection of its own.
HttpReply exchange(int port, const std::string& request);

}  // namespace semblance::testing
