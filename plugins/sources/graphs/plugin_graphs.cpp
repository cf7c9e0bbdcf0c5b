// SPDX-License-Identifier: MIT
#include "../../common/component_list.hpp"

SEMBLANCE_COMPONENTS("semblance_graph_files", sources, json_graphs, jsonl, tudataset)
