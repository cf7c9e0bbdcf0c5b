// SPDX-License-Identifier: MIT
#include "web_server.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <iterator>

namespace semblance::testing {

WebServer::WebServer(const std::filesystem::path& folder, std::filesystem::path log)
    : log_(std::move(log)) {
  int to[2], from[2];
  REQUIRE(::pipe2(to, O_CLOEXEC) == 0);
  REQUIRE(::pipe2(from, O_CLOEXEC) == 0);
  process_ = ::fork();
  if (process_ == 0) {
    ::dup2(to[0], STDIN_FILENO);
    ::dup2(from[1], STDOUT_FILENO);
    ::execlp("python3", "python3", SEMBLANCE_WEB_SERVER, folder.c_str(), log_.c_str(), nullptr);
    ::_exit(127);
  }
  ::close(to[0]);
  ::close(from[1]);
  input_ = to[1];
  for (char byte = 0; ::read(from[0], &byte, 1) == 1 && byte != '\n';) port_ += byte;
  ::close(from[0]);
  REQUIRE_MESSAGE(!port_.empty(), "the test's web server did not start");
}

WebServer::~WebServer() {
  ::close(input_);
  ::waitpid(process_, nullptr, 0);
}

std::string WebServer::url(const std::string& mode, const std::string& name) const {
  return "http://127.0.0.1:" + port_ + "/" + mode + "/" + name;
}

std::string WebServer::requests() const {
  std::ifstream in(log_);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace semblance::testing
