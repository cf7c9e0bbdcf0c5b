// SPDX-License-Identifier: MIT
#include "cli/models/http_server.hpp"

#include <fmt/format.h>

#include "registry/doors.hpp"
#include "runtime/services/run_context.hpp"
#include "semblance/error.hpp"

namespace semblance::cli {

sigset_t block_interrupts() {
  sigset_t signals;
  ::sigemptyset(&signals);
  for (const int signal : stop_signals()) ::sigaddset(&signals, signal);
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  return signals;
}

std::unique_ptr<serving::HttpServer> start_server(const serving::HttpOptions& options,
                                                  serving::HttpHandler& handler) {
  // The library that speaks HTTP is loaded on first use.
  const auto start = reinterpret_cast<serving::StartHttpServer>(
      door_function("http", "semblance_http_server", "rebuild or reinstall the program"));
  const char* problem = nullptr;
  std::unique_ptr<serving::HttpServer> server(start(options, handler, &problem));
  if (!server) throw Error(problem ? problem : "the server cannot be started");
  return server;
}

bool is_loopback(const std::string& host) {
  return host == "localhost" || host == "::1" || host.starts_with("127.");
}

std::string address(const std::string& host, int port) {
  const bool v6 = host.find(':') != std::string::npos;
  return fmt::format("http://{}{}{}:{}/", v6 ? "[" : "", host, v6 ? "]" : "", port);
}

}  // namespace semblance::cli
