// SPDX-License-Identifier: MIT
#include "semblance/plugin.hpp"

namespace semblance::pairs {
ComponentEntry declare_all_pairs(), declare_given(), declare_listed(), declare_sampled();
}
using namespace semblance::pairs;

SEMBLANCE_PLUGIN("semblance_pairs", SEMBLANCE_VERSION, "MIT", declare_all_pairs, declare_given,
                 declare_listed, declare_sampled)
