// SPDX-License-Identifier: MIT
#include "serve/http/http.hpp"

#include <strings.h>

#include <algorithm>
#include <charconv>

#include "support/json_string.hpp"

namespace semblance::serving {
namespace {

auto named_so(const std::string& name) {
  return
      [&name](const auto& field) { return ::strcasecmp(field.first.c_str(), name.c_str()) == 0; };
}

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

}  // namespace

void HttpRequest::set_target(std::string_view target) {
  const std::size_t end = std::min(target.find('?'), target.size());
  path = unescape(target.substr(0, end), false);
  target.remove_prefix(std::min(target.size(), end + 1));
  while (!target.empty()) {
    const std::string_view one = target.substr(0, target.find('&'));
    target.remove_prefix(std::min(target.size(), one.size() + 1));
    const std::size_t equals = std::min(one.find('='), one.size());
    if (!one.empty())
      parameters.emplace_back(unescape(one.substr(0, equals), true),
                              unescape(one.substr(std::min(one.size(), equals + 1)), true));
  }
}

const std::string* HttpRequest::header(const std::string& name) const {
  const auto found = std::ranges::find_if(headers, named_so(name));
  return found == headers.end() ? nullptr : &found->second;
}

std::size_t HttpRequest::headers_of(const std::string& name) const {
  return static_cast<std::size_t>(std::ranges::count_if(headers, named_so(name)));
}

HttpAnswer http_error(int status, const std::string& what, HttpFields headers) {
  return {status, "application/json", "{\"error\": " + json_string(what) + "}\n",
          std::move(headers)};
}

}  // namespace semblance::serving
