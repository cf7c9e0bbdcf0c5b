// SPDX-License-Identifier: MIT
#include "semblance/plugin.hpp"

namespace semblance::libraries {
ComponentEntry declare_liblinear();
}

SEMBLANCE_PLUGIN("semblance_liblinear", SEMBLANCE_VERSION, "MIT",
                 semblance::libraries::declare_liblinear)
