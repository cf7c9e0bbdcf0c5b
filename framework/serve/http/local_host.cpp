// SPDX-License-Identifier: MIT
#include "serve/http/local_host.hpp"

#include <algorithm>
#include <cctype>
#include <string>

#include "semblance_tables/text_values.hpp"

namespace semblance::serving {

namespace {

bool names_this_machine(std::string host) {
  if (const std::size_t colon = host.rfind(':');
      colon != std::string::npos && host.find(']', colon) == std::string::npos)
    host.resize(colon);
  std::ranges::transform(host, host.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return host == "localhost" || host.starts_with('[') ||
         (!host.empty() && host.find_first_not_of("0123456789.") == std::string::npos);
}

}  // namespace

std::optional<HttpAnswer> refuse_other_names(const HttpRequest& request) {
  const std::string* const host = request.header("Host");
  if (!host || names_this_machine(*host)) return std::nullopt;
  return http_error(421,
                    "this server is reached from its own machine only, as localhost or by its "
                    "address, not as " +
                        in_quotes(*host));
}

}  // namespace semblance::serving
