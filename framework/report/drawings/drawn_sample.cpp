// SPDX-License-Identifier: MIT
#include "report/drawings/drawn_sample.hpp"

namespace semblance {

nlohmann::ordered_json sample_to_json(const DrawnSample& sample) {
  nlohmann::ordered_json json = {{"name", sample.name},           {"label", sample.label},
                                 {"predicted", sample.predicted}, {"layout", name(sample.kind)},
                                 {"size", sample.size},           {"depth", sample.depth},
                                 {"values", sample.values},       {"text", sample.text}};
  if (!sample.columns.empty()) json["columns"] = sample.columns;
  return json;
}

}  // namespace semblance
