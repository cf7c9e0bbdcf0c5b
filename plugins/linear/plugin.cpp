// SPDX-License-Identifier: MIT
#include "semblance/plugin.hpp"

#include "greedy/greedy_selection.hpp"
#include "kernel/kernel_svm.hpp"
#include "linear/linear_svm.hpp"
#include "neighbours/nearest_neighbour.hpp"

SEMBLANCE_PLUGIN("semblance_solvers", "0.1.0", "MIT", semblance::solvers::GreedySelection,
                 semblance::solvers::KernelSvm, semblance::solvers::LinearSvm,
                 semblance::solvers::NearestNeighbour)
