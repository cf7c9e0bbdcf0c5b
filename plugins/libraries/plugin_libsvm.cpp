// SPDX-License-Identifier: MIT
#include "semblance/plugin.hpp"

namespace semblance::libraries {
ComponentEntry declare_libsvm_solver();
}

SEMBLANCE_PLUGIN("semblance_libsvm", SEMBLANCE_VERSION, "MIT",
                 semblance::libraries::declare_libsvm_solver)
