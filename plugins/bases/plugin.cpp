// SPDX-License-Identifier: MIT
#include "../common/component_list.hpp"

SEMBLANCE_COMPONENTS("semblance_bases", bases, all_rows, index, k_medoids, random_rows,
                     random_per_class)
