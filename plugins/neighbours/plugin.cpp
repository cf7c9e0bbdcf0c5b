// SPDX-License-Identifier: MIT
#include "../common/component_list.hpp"

SEMBLANCE_COMPONENTS("semblance_neighbours", neighbours, nearest_neighbour, neighbour_novelty,
                     neighbour_regression)
