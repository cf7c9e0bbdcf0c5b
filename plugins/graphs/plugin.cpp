// SPDX-License-Identifier: MIT
#include "semblance/plugin.hpp"

namespace semblance::graphs {
ComponentEntry declare_graph_edit(), declare_graphlets(), declare_shortest_paths(),
    declare_weisfeiler_lehman();
}
using namespace semblance::graphs;

SEMBLANCE_PLUGIN("semblance_graphs", SEMBLANCE_VERSION, "MIT", declare_graph_edit,
                 declare_graphlets, declare_shortest_paths, declare_weisfeiler_lehman)
