// SPDX-License-Identifier: MIT
#include "liblinear.hpp"
#include "semblance/plugin.hpp"

SEMBLANCE_PLUGIN("semblance_liblinear", "0.1.0", "MIT", semblance::libraries::LibLinear)
