// SPDX-License-Identifier: MIT
#pragma once

#include <boost/beast/http/buffer_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <functional>
#include <optional>
#include <string>

#include "serve/http/connection.hpp"

namespace semblance::serving {

/// Reads the requests of one connection with Boost.Beast's parser, which uses no socket: the
/// connection limits time and bytes.
class RequestReader {
 public:
  explicit RequestReader(Connection& connection) : connection_(connection) {}

  /// Whether bytes of the next request arrived with the last one.
  bool any_unread() const noexcept { return !unread_.empty(); }

  /// Reads a request to the end of its headers. False where there is none; problem() says why,
  /// unless the connection does.
  bool read_head();
  const std::string& problem() const noexcept { return problem_; }

  /// The request without its body.
  HttpRequest request() const;
  std::size_t target_length() const { return parser_->get().target().size(); }
  bool has_body() const;
  bool expects_continue() const;
  /// Whether the client wants to send another request on this connection.
  bool keeps_alive() const { return parser_->keep_alive() && parser_->get().version() >= 11; }

  /// Passes the body to `take`, piece by piece. False where the body is damaged or incomplete, or
  /// where `take` returns false.
  bool read_body(const std::function<bool(const char* bytes, std::size_t count)>& take);

 private:
  bool parse();
  bool read_more();

  Connection& connection_;
  std::optional<boost::beast::http::request_parser<boost::beast::http::buffer_body>> parser_;
  std::string unread_;
  std::string problem_;
};

}  // namespace semblance::serving
