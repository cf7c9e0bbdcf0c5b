// SPDX-License-Identifier: MIT
#include "semblance/plugin.hpp"

namespace semblance::sources {
ComponentEntry declare_banana(), declare_checkerboard(), declare_clusters(),
    declare_double_interval(), declare_friedman(), declare_glyphs(), declare_interactions(),
    declare_pulses(), declare_random_graphs(), declare_random_strings(), declare_rings(),
    declare_warped_series(), declare_xor();
}
using namespace semblance::sources;

SEMBLANCE_PLUGIN("semblance_generated", SEMBLANCE_VERSION, "MIT", declare_banana,
                 declare_checkerboard, declare_clusters, declare_double_interval, declare_friedman,
                 declare_glyphs, declare_interactions, declare_pulses, declare_random_graphs,
                 declare_random_strings, declare_rings, declare_warped_series, declare_xor)
