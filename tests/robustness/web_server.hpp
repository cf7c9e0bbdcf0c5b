// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>

namespace semblance::testing {

/// range_server.py on loopback, until destroyed.
class WebServer {
 public:
  /// Serves the files of `folder`; writes one line a request to `log`.
  WebServer(const std::filesystem::path& folder, std::filesystem::path log);
  ~WebServer();
  WebServer(const WebServer&) = delete;
  WebServer& operator=(const WebServer&) = delete;

  /// http://127.0.0.1:PORT/MODE/NAME
  std::string url(const std::string& mode, const std::string& name) const;

  /// All requests so far.
  std::string requests() const;

 private:
  pid_t process_ = -1;
  int input_ = -1;
  std::string port_;
  std::filesystem::path log_;
};

}  // namespace semblance::testing
