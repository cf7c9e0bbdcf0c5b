// SPDX-License-Identifier: MIT
#include "reading.hpp"

using namespace semblance;
using namespace semblance::fuzzing;

// Two bytes of parameters, the second of which says which optional files there are, then the files,
// separated by NUL bytes; the last may be an archive instead.
FUZZ_TARGET(tudataset) {
  static const std::vector<std::string> parts = {
      "A",           "graph_indicator", "graph_labels",    "graph_attributes",
      "node_labels", "edge_labels",     "node_attributes", "edge_attributes"};
  const std::uint8_t form = input.byte(), present = input.byte();
  Parameters parameters = {{"edges", one_of({"auto", "undirected", "directed"}, form)},
                           {"target", one_of({"classes", "numbers"}, form / 3)},
                           {"attributes", (form & 16) == 0}};
  if (form & 32) parameters.emplace_back("test_fraction", 0.5);
  const std::filesystem::path folder = scratch_folder() / "tudataset";
  std::filesystem::remove_all(folder);
  if (form & 64) {
    parameters.emplace_back("path", scratch_file("tudataset/T.zip", input.rest()));
  } else {
    for (std::size_t k = 0; k < parts.size(); ++k)
      if (k < 2 || (present >> k & 1) != 0)
        scratch_file("tudataset/T_" + parts[k] + ".txt", input.until('\0'));
    parameters.emplace_back("path", folder.string());
  }
  const NewData model{
      "", Layout::graph({.nodes = 3, .edges = 2, .node_labels = {"0", "1"}}), {"x", "y"}, {}};
  read_source("source/tudataset", parameters, form & 128 ? &model : nullptr);
}
