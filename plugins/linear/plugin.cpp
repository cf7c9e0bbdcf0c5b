// SPDX-License-Identifier: MIT
#include "semblance/plugin.hpp"

namespace semblance::linear {
ComponentEntry declare_greedy_selection(), declare_linear_svm(), declare_linear_svr(),
    declare_quantile_regression(), declare_ridge(), declare_ridge_classifier();
}
using namespace semblance::linear;

SEMBLANCE_PLUGIN("semblance_linear", SEMBLANCE_VERSION, "MIT", declare_greedy_selection,
                 declare_linear_svm, declare_linear_svr, declare_quantile_regression, declare_ridge,
                 declare_ridge_classifier)
