// SPDX-License-Identifier: MIT
#include "nystrom.hpp"
#include "semblance/plugin.hpp"

SEMBLANCE_PLUGIN("semblance_nystrom", "0.1.0", "MIT", semblance::Nystrom)
