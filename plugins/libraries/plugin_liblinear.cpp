// SPDX-License-Identifier: MIT
#include "semblance/plugin.hpp"

namespace semblance::libraries {
ComponentEntry declare_liblinear(), declare_liblinear_svr();
}

SEMBLANCE_PLUGIN("semblance_liblinear", SEMBLANCE_VERSION, "MIT",
                 semblance::libraries::declare_liblinear,
                 semblance::libraries::declare_liblinear_svr)
