// SPDX-License-Identifier: MIT
#include "../common/component_list.hpp"

SEMBLANCE_COMPONENTS("semblance_sets", sets, as_set, chamfer, hausdorff, points, sum_match,
                     wasserstein)
