// SPDX-License-Identifier: MIT
#include "libraries/libsvm_solver.hpp"
#include "semblance/plugin.hpp"

SEMBLANCE_PLUGIN("semblance_libsvm", "0.1.0", "MIT", semblance::solvers::LibSvm)
