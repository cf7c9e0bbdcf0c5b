// SPDX-License-Identifier: MIT
#include "http_client.hpp"

#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

namespace semblance::testing {
namespace {

std::string next_log() {
  static std::atomic<int> number = 0;
  return "served" + std::to_string(number++) + ".log";
}

}  // namespace

Served::Served(const Workplace& work, const std::string& arguments, const std::string& verb)
    : work_(work), log_(next_log()), process_(work.start(verb + " --port 0 " + arguments, log_)) {
  const std::string before = "http://127.0.0.1:";
  for (int i = 0; i < 3000 && port_ == 0; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    if (!std::filesystem::exists(work.path / log_)) continue;
    const std::string said = log();
    const std::size_t at = said.find(before);
    if (at != said.npos && said.find('\n', at) != said.npos)
      port_ = std::atoi(said.c_str() + at + before.size());
  }
  INFO(log());
  REQUIRE(port_ > 0);
}

Served::~Served() {
  if (process_ > 0) stop();
}

int Served::stop() {
  ::kill(process_, SIGTERM);
  const int exit = wait_for(process_);
  process_ = -1;
  return exit;
}

std::string Served::log() const { return work_.content(log_); }

HttpConnection::HttpConnection(int port, const char* from) {
  socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in own = {};
  own.sin_family = AF_INET;
  if (from && (::inet_pton(AF_INET, from, &own.sin_addr) != 1 ||
               ::bind(socket_, reinterpret_cast<const sockaddr*>(&own), sizeof own) != 0))
    throw std::runtime_error(std::string("cannot connect from ") + from);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return;
  ::close(socket_);
  socket_ = -1;
}

HttpConnection::~HttpConnection() {
  if (socket_ >= 0) ::close(socket_);
}

bool HttpConnection::send(const std::string& bytes) const {
  for (std::size_t sent = 0; sent < bytes.size();) {
    const ssize_t count = ::send(socket_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (count <= 0) return false;
    sent += static_cast<std::size_t>(count);
  }
  return true;
}

void HttpConnection::finish_sending() const { ::shutdown(socket_, SHUT_WR); }

bool HttpConnection::receive() {
  char bytes[16384];
  const ssize_t count = ::recv(socket_, bytes, sizeof bytes, 0);
  if (count > 0) input_.append(bytes, static_cast<std::size_t>(count));
  return count > 0;
}

HttpReply HttpConnection::read() {
  HttpReply reply;
  while (input_.find("\r\n\r\n") == input_.npos)
    if (!receive()) return reply;
  const std::size_t end = input_.find("\r\n\r\n");
  std::string head = input_.substr(0, end);
  input_.erase(0, end + 4);
  reply.status = std::atoi(head.c_str() + 9);
  for (std::size_t at = head.find("\r\n"); at != head.npos;) {
    const std::size_t next = head.find("\r\n", at + 2);
    const std::string line = head.substr(at + 2, next - at - 2);
    reply.headers[line.substr(0, line.find(':'))] = line.substr(line.find(':') + 2);
    at = next;
  }
  const std::size_t length = std::stoul("0" + reply.headers["Content-Length"]);
  while (input_.size() < length && receive()) {
  }
  reply.body = input_.substr(0, length);
  reply.whole = reply.body.size() == length;
  input_.erase(0, length);
  return reply;
}

std::string post(const std::string& type, const std::string& body, const std::string& more_headers,
                 const std::string& path) {
  return "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: " + type +
         "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" + more_headers + "\r\n" +
         body;
}

HttpReply exchange(int port, const std::string& request) {
  HttpConnection connection(port);
  REQUIRE(connection.connected());
  connection.send(request);
  return connection.read();
}

}  // namespace semblance::testing
