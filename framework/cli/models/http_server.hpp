// SPDX-License-Identifier: MIT
#pragma once

#include <signal.h>

#include <memory>
#include <string>

#include "serve/http/http.hpp"

/// What the verbs share that answer over HTTP.
namespace semblance::cli {

/// From now on these signals wait until a thread asks for them, also in threads that are started
/// later.
sigset_t block_interrupts();

/// Throws Error where it cannot listen.
std::unique_ptr<serving::HttpServer> start_server(const serving::HttpOptions& options,
                                                  serving::HttpHandler& handler);

/// Whether the address can be reached from this machine only.
bool is_loopback(const std::string& host);

/// "http://127.0.0.1:8080/"
std::string address(const std::string& host, int port);

}  // namespace semblance::cli
