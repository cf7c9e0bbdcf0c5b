// SPDX-License-Identifier: MIT
#include "libsvm_solver.hpp"
#include "semblance/plugin.hpp"

SEMBLANCE_PLUGIN("semblance_libsvm", "0.1.0", "MIT", semblance::libraries::LibSvm)
