// SPDX-License-Identifier: MIT
#include "semblance/plugin.hpp"

namespace semblance::kernel {
ComponentEntry declare_kernel_intervals();
ComponentEntry declare_kernel_ridge();
ComponentEntry declare_kernel_svm();
ComponentEntry declare_kernel_svr();
ComponentEntry declare_one_class_svm();
ComponentEntry declare_svdd();
}  // namespace semblance::kernel

SEMBLANCE_PLUGIN("semblance_kernel", SEMBLANCE_VERSION, "MIT",
                 semblance::kernel::declare_kernel_intervals,
                 semblance::kernel::declare_kernel_ridge, semblance::kernel::declare_kernel_svm,
                 semblance::kernel::declare_kernel_svr, semblance::kernel::declare_one_class_svm,
                 semblance::kernel::declare_svdd)
