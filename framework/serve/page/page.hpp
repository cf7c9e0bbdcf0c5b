// SPDX-License-Identifier: MIT
#pragma once

#include "serve/http/http.hpp"

namespace semblance::serving {

/// The page for trying out rows. It loads only resources of this server.
HttpAnswer page();

}  // namespace semblance::serving
