// SPDX-License-Identifier: MIT
#include "serve/http/listening_socket.hpp"

#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <memory>
#include <system_error>
#include <thread>

#include "semblance/error.hpp"

namespace semblance::serving {
namespace {

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

}  // namespace

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

}  // namespace semblance::serving
