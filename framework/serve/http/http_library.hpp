// SPDX-License-Identifier: MIT
#pragma once

#include "serve/http/http.hpp"

namespace semblance::serving {

/// The library that speaks HTTP, loaded on first use. Throws Error where it does not exist.
StartHttpServer http_library();

}  // namespace semblance::serving
