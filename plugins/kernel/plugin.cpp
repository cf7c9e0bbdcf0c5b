// SPDX-License-Identifier: MIT
#include "../common/component_list.hpp"

SEMBLANCE_COMPONENTS("semblance_kernel", kernel, kernel_intervals, kernel_ridge, kernel_svm,
                     kernel_svr, one_class_svm, svdd)
