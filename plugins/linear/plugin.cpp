// SPDX-License-Identifier: MIT
#include "../common/component_list.hpp"

SEMBLANCE_COMPONENTS("semblance_linear", linear, greedy_selection, linear_svm, linear_svr,
                     quantile_regression, ridge, ridge_classifier)
