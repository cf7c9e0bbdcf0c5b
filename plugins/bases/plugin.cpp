// SPDX-License-Identifier: MIT
#include "semblance/plugin.hpp"

namespace semblance::bases {
ComponentEntry declare_all_rows(), declare_index(), declare_k_medoids(), declare_random_rows(),
    declare_random_per_class();
}
using namespace semblance::bases;

SEMBLANCE_PLUGIN("semblance_bases", SEMBLANCE_VERSION, "MIT", declare_all_rows, declare_index,
                 declare_k_medoids, declare_random_rows, declare_random_per_class)
