// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace semblance::serving {

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

}  // namespace semblance::serving
