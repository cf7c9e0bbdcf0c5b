// SPDX-License-Identifier: MIT
#include "linear_svm.hpp"
#include "semblance/plugin.hpp"

SEMBLANCE_PLUGIN("semblance_solvers", "0.1.0", "MIT", semblance::solvers::LinearSvm)
