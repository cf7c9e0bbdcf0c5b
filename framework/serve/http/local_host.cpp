// SPDX-License-Identifier: MIT
#include "serve/http/local_host.hpp"

#include <algorithm>
#include <cctype>

namespace semblance::serving {

bool names_this_machine(std::string host) {
  if (const std::size_t colon = host.rfind(':');
      colon != std::string::npos && host.find(']', colon) == std::string::npos)
    host.resize(colon);
  std::ranges::transform(host, host.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return host == "localhost" || host.starts_with('[') ||
         (!host.empty() && host.find_first_not_of("0123456789.") == std::string::npos);
}

}  // namespace semblance::serving
