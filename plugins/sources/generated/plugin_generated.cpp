// SPDX-License-Identifier: MIT
#include "../../common/component_list.hpp"

SEMBLANCE_COMPONENTS("semblance_generated", sources, banana, checkerboard, clusters,
                     double_interval, friedman, glyphs, interactions, pulses, random_graphs,
                     random_strings, rings, warped_series, xor)
