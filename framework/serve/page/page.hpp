// SPDX-License-Identifier: MIT
#pragma once

#include "serve/http/http.hpp"

namespace semblance::serving {

/// The page on which rows are tried out. It loads nothing but what this server answers.
HttpAnswer page();

}  // namespace semblance::serving
