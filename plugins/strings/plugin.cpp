// SPDX-License-Identifier: MIT
#include "semblance/plugin.hpp"

namespace semblance::strings {
ComponentEntry declare_edit(), declare_lcs(), declare_local_alignment(), declare_onehot(),
    declare_spectrum(), declare_subsequence();
}
using namespace semblance::strings;

SEMBLANCE_PLUGIN("semblance_strings", SEMBLANCE_VERSION, "MIT", declare_edit, declare_lcs,
                 declare_local_alignment, declare_onehot, declare_spectrum, declare_subsequence)
