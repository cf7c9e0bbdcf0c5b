// SPDX-License-Identifier: MIT
#include "semblance/plugin.hpp"

namespace semblance::kernel {
ComponentEntry declare_kernel_svm();
ComponentEntry declare_kernel_svr();
}  // namespace semblance::kernel

SEMBLANCE_PLUGIN("semblance_kernel", SEMBLANCE_VERSION, "MIT",
                 semblance::kernel::declare_kernel_svm, semblance::kernel::declare_kernel_svr)
