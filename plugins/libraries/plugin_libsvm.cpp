// SPDX-License-Identifier: MIT
#include "semblance/plugin.hpp"

namespace semblance::libraries {
ComponentEntry declare_libsvm_solver();
ComponentEntry declare_libsvm_svr();
ComponentEntry declare_libsvm_one_class();
}  // namespace semblance::libraries

SEMBLANCE_PLUGIN("semblance_libsvm", SEMBLANCE_VERSION, "MIT",
                 semblance::libraries::declare_libsvm_solver,
                 semblance::libraries::declare_libsvm_svr,
                 semblance::libraries::declare_libsvm_one_class)
