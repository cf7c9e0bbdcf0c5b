// SPDX-License-Identifier: MIT
#include "semblance/plugin.hpp"

#include "as_set.hpp"
#include "chamfer.hpp"
#include "hausdorff.hpp"
#include "points.hpp"
#include "sum_match.hpp"
#include "wasserstein.hpp"

SEMBLANCE_PLUGIN("semblance_sets", "0.1.0", "MIT", semblance::AsSet, semblance::Chamfer,
                 semblance::Hausdorff, semblance::Points, semblance::SumMatch,
                 semblance::Wasserstein)
