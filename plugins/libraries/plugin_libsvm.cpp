// SPDX-License-Identifier: MIT
#include "semblance/plugin.hpp"

namespace semblance::libraries {
ComponentEntry declare_libsvm_solver();
}

SEMBLANCE_PLUGIN("semblance_libsvm", "0.1.0", "MIT", semblance::libraries::declare_libsvm_solver)
