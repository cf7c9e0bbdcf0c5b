// SPDX-License-Identifier: MIT
#include "support/json_string.hpp"

#include <nlohmann/json.hpp>

namespace semblance::serving {

std::string json_string(std::string_view text) {
  return nlohmann::json(std::string(text))
      .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace semblance::serving
