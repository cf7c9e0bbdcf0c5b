// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "graphs/graph_set.hpp"
#include "graphs/tu_files.hpp"

namespace semblance::sources {

/// How files in TUDataset's format are read.
struct TuForm {
  std::string edges;   ///< auto, directed, undirected
  bool drops_empty;    ///< graphs without nodes
  std::string remedy;  ///< of edges that differ in the opposite direction
};

/// Appends the graphs of a data set, as GraphSource::read() does. Throws DataError naming file,
/// line and problem.
void read_tu_graphs(const TuFiles& files, const TuForm& form, const FactRules& rules, GraphSet& set,
                    Context& context);

}  // namespace semblance::sources
