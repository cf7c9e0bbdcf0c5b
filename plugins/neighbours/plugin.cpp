// SPDX-License-Identifier: MIT
#include "semblance/plugin.hpp"

namespace semblance::neighbours {
ComponentEntry declare_nearest_neighbour(), declare_neighbour_novelty(),
    declare_neighbour_regression();
}

SEMBLANCE_PLUGIN("semblance_neighbours", SEMBLANCE_VERSION, "MIT",
                 semblance::neighbours::declare_nearest_neighbour,
                 semblance::neighbours::declare_neighbour_novelty,
                 semblance::neighbours::declare_neighbour_regression)
