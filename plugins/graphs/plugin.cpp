// SPDX-License-Identifier: MIT
#include "../common/component_list.hpp"

SEMBLANCE_COMPONENTS("semblance_graphs", graphs, graph_edit, graphlets, shortest_paths,
                     weisfeiler_lehman)
