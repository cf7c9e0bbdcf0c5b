// SPDX-License-Identifier: MIT
#include "serve/http/http.hpp"

#include <strings.h>

#include <algorithm>

#include "support/json_string.hpp"

namespace semblance::serving {
namespace {

auto named_so(const std::string& name) {
  return
      [&name](const auto& field) { return ::strcasecmp(field.first.c_str(), name.c_str()) == 0; };
}

}  // namespace

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
