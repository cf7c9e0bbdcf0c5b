// SPDX-License-Identifier: MIT
#include "semblance/plugin.hpp"

#include "all_rows.hpp"
#include "index.hpp"
#include "k_medoids.hpp"
#include "random_per_class.hpp"
#include "random_rows.hpp"

SEMBLANCE_PLUGIN("semblance_bases", "0.1.0", "MIT", semblance::AllBases, semblance::IndexBases,
                 semblance::KMedoidsBases, semblance::RandomBases, semblance::RandomPerClassBases)
