// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "serve/http/http.hpp"

/// The files of assets/, compiled into the program.
namespace semblance::serving::assets {

extern const std::string_view style;
extern const std::string_view script;
extern const std::string_view body;

}  // namespace semblance::serving::assets

namespace semblance::serving {

/// A page in the style of the reports. It loads only resources of this server, and runs no script
/// but its own. `body` begins with <body>, whose end is added.
HttpAnswer served_page(const std::string& title, std::string_view style, std::string_view body,
                       std::string_view script);

}  // namespace semblance::serving
