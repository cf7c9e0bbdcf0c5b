// SPDX-License-Identifier: MIT
#include "semblance/plugin.hpp"

namespace semblance::linear {
ComponentEntry declare_greedy_selection(), declare_linear_svm();
}
using namespace semblance::linear;

SEMBLANCE_PLUGIN("semblance_linear", "0.1.0", "MIT", declare_greedy_selection, declare_linear_svm)
