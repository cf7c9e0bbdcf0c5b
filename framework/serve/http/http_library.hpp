// SPDX-License-Identifier: MIT
#pragma once

#include "serve/http/http.hpp"

namespace semblance::serving {

/// The library that speaks HTTP, loaded when first asked for. Throws Error where it is not there.
StartHttpServer http_library();

}  // namespace semblance::serving
