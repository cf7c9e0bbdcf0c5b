// SPDX-License-Identifier: MIT
#include "semblance/plugin.hpp"

namespace semblance::libraries {
ComponentEntry declare_liblinear();
}

SEMBLANCE_PLUGIN("semblance_liblinear", "0.1.0", "MIT", semblance::libraries::declare_liblinear)
