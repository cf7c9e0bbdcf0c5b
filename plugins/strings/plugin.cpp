// SPDX-License-Identifier: MIT
#include "../common/component_list.hpp"

SEMBLANCE_COMPONENTS("semblance_strings", strings, edit, lcs, local_alignment, onehot, spectrum,
                     subsequence)
