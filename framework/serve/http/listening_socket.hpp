// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace semblance::serving {

/// A TCP socket that connections arrive at.
class ListeningSocket {
 public:
  /// Throws Error where nobody can listen there.
  ListeningSocket(const std::string& host, int port);
  ~ListeningSocket();
  ListeningSocket(const ListeningSocket&) = delete;
  ListeningSocket& operator=(const ListeningSocket&) = delete;

  int port() const noexcept { return port_; }
  /// The next connection, and the address that it comes from; -1 where none has come within a
  /// moment.
  int accept(std::string& client) const;

 private:
  int socket_ = -1;
  int port_ = 0;
};

}  // namespace semblance::serving
