// SPDX-License-Identifier: MIT
#include "reading.hpp"

using namespace semblance;
using namespace semblance::fuzzing;

// A byte of parameters, then the lines of JSON.
FUZZ_TARGET(graphs) {
  const std::uint8_t form = input.byte();
  Parameters parameters = {{"edges", one_of({"undirected", "directed"}, form)},
                           {"target", one_of({"classes", "numbers"}, form / 2)},
                           {"missing_labels", one_of({"refuse", "drop"}, form / 4)}};
  if (form & 8) parameters.emplace_back("test_fraction", 0.5);
  parameters.emplace_back("path", scratch_file("graphs.jsonl", input.rest()));
  const NewData model{"",
                      Layout::graph({.nodes = 3,
                                     .edges = 2,
                                     .directed = (form & 1) != 0,
                                     .node_attributes = form & 32U ? 1U : 0U,
                                     .node_labels = {"C", "O"}}),
                      {"x", "y"},
                      {}};
  read_source("source/graphs", parameters, form & 16 ? &model : nullptr);
}
