// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "serve/http/http.hpp"

namespace semblance::serving {

/// The answer to a request whose Host header does not name this machine. No name is looked up: a
/// web site whose name was made to resolve to this machine is not accepted.
std::optional<HttpAnswer> refuse_other_names(const HttpRequest& request);

}  // namespace semblance::serving
