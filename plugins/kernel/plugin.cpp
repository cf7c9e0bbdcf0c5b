// SPDX-License-Identifier: MIT
#include "semblance/plugin.hpp"

namespace semblance::kernel {
ComponentEntry declare_kernel_ridge(), declare_kernel_svm();
}

SEMBLANCE_PLUGIN("semblance_kernel", SEMBLANCE_VERSION, "MIT",
                 semblance::kernel::declare_kernel_ridge, semblance::kernel::declare_kernel_svm)
