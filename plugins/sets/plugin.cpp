// SPDX-License-Identifier: MIT
#include "semblance/plugin.hpp"

namespace semblance::sets {
ComponentEntry declare_as_set(), declare_chamfer(), declare_hausdorff(), declare_points(),
    declare_sum_match(), declare_wasserstein();
}
using namespace semblance::sets;

SEMBLANCE_PLUGIN("semblance_sets", SEMBLANCE_VERSION, "MIT", declare_as_set, declare_chamfer,
                 declare_hausdorff, declare_points, declare_sum_match, declare_wasserstein)
