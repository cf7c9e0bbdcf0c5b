// SPDX-License-Identifier: MIT
#include "serve/http/request_reader.hpp"

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/beast/core/string.hpp>
#include <charconv>
#include <limits>

namespace semblance::serving {
namespace {

namespace beast = boost::beast;
namespace http = boost::beast::http;

constexpr std::size_t piece = 16384;

std::string text_of(beast::string_view text) { return {text.data(), text.size()}; }

/// Text of a URL with %41 as 'A' and, in a query, '+' as a blank.
std::string unescape(std::string_view escaped, bool in_query) {
  std::string text;
  for (std::size_t at = 0; at < escaped.size(); ++at) {
    unsigned char code = 0;
    const char* const digits = escaped.data() + at + 1;
    if (escaped[at] == '%' && at + 2 < escaped.size() &&
        std::from_chars(digits, digits + 2, code, 16).ptr == digits + 2) {
      text += static_cast<char>(code);
      at += 2;
    } else {
      text += in_query && escaped[at] == '+' ? ' ' : escaped[at];
    }
  }
  return text;
}

HttpFields parameters_of(std::string_view query) {
  HttpFields parameters;
  while (!query.empty()) {
    const std::string_view one = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(query.size(), one.size() + 1));
    const std::size_t equals = std::min(one.find('='), one.size());
    if (!one.empty())
      parameters.emplace_back(unescape(one.substr(0, equals), true),
                              unescape(one.substr(std::min(one.size(), equals + 1)), true));
  }
  return parameters;
}

}  // namespace

bool RequestReader::read_more() {
  std::array<char, piece> bytes;
  const long count = connection_.read(bytes.data(), bytes.size());
  if (count > 0) unread_.append(bytes.data(), static_cast<std::size_t>(count));
  return count > 0;
}

/// Parses the available bytes, and waits for more if they do not suffice.
bool RequestReader::parse() {
  if (unread_.empty() && !read_more()) return false;
  boost::system::error_code problem;
  const std::size_t parsed =
      parser_->put(boost::asio::buffer(unread_.data(), unread_.size()), problem);
  unread_.erase(0, parsed);
  if (problem == http::error::need_more) return read_more();
  if (problem && problem != http::error::need_buffer) problem_ = problem.message();
  return problem_.empty();
}

bool RequestReader::read_head() {
  parser_.emplace();
  parser_->header_limit(static_cast<std::uint32_t>(most_head));
  // The consumer of the body counts its bytes. (Boost 1.74 takes "no limit" for 0.)
  parser_->body_limit(std::numeric_limits<std::uint64_t>::max());
  problem_.clear();
  while (!parser_->is_header_done())
    if (!parse()) return false;
  return true;
}

HttpRequest RequestReader::request() const {
  const auto& head = parser_->get();
  const std::string target = text_of(head.target());
  const std::size_t end = std::min(target.find('?'), target.size());
  HttpRequest request;
  request.method = text_of(head.method_string());
  request.path = unescape(std::string_view(target).substr(0, end), false);
  if (end < target.size())
    request.parameters = parameters_of(std::string_view(target).substr(end + 1));
  for (const auto& field : head)
    request.headers.emplace_back(text_of(field.name_string()), text_of(field.value()));
  request.end = connection_.end();
  return request;
}

bool RequestReader::has_body() const {
  return parser_->chunked() || parser_->content_length().value_or(0) > 0 ||
         parser_->get().count(http::field::transfer_encoding) > 0;
}

bool RequestReader::expects_continue() const {
  return beast::iequals(parser_->get()[http::field::expect], "100-continue");
}

bool RequestReader::read_body(
    const std::function<bool(const char* bytes, std::size_t count)>& take) {
  parser_->eager(true);
  std::array<char, piece> bytes;
  auto& body = parser_->get().body();
  while (!parser_->is_done()) {
    // The lines between two chunks may precede the next piece.
    connection_.renew_allowance(most_head - std::min(most_head, unread_.size()));
    body.data = bytes.data();
    body.size = bytes.size();
    const bool sound = parse();
    const std::size_t count = bytes.size() - body.size;
    if (count > 0 && !take(bytes.data(), count)) return false;
    if (!sound) return false;
  }
  return true;
}

}  // namespace semblance::serving
