// SPDX-License-Identifier: MIT
#include "semblance/plugin.hpp"

namespace semblance::sources {
ComponentEntry declare_json_graphs(), declare_jsonl(), declare_tudataset();
}
using namespace semblance::sources;

SEMBLANCE_PLUGIN("semblance_graph_files", SEMBLANCE_VERSION, "MIT", declare_json_graphs,
                 declare_jsonl, declare_tudataset)
