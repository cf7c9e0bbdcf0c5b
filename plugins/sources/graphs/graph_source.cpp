// SPDX-License-Identifier: MIT
#include "graphs/graph_source.hpp"

#include <utility>

namespace semblance::sources {

std::unique_ptr<Dataset> GraphSource::open(Context& context) const {
  GraphSet set;
  if (model()) set = GraphSet::known_by(model()->layout);
  std::size_t numbered_rows = 0;
  const std::size_t first = read_files(train_file(), test_file(), set,
                                       [&](const std::string& file, const FactRules& rules) {
                                         const bool second = !set.graphs.empty();
                                         read(file, rules, set, context);
                                         if (!second) numbered_rows = set.read;
                                       });
  if (const std::size_t dropped = set.read - set.graphs.size(); dropped > 0)
    context.log(LogLevel::warning,
                train_file() + ": dropped by 'empty: drop': " + std::to_string(dropped) + " of " +
                    std::to_string(set.read) + " graphs, which have no node");
  else
    set.numbers.clear();  // they are their positions
  check_facts(set, context);
  if (!model()) {
    const auto name = [](const char* of) {
      return [of](std::size_t k) { return of + std::to_string(k + 1); };
    };
    set.node_precision.check(train_file(), name("node attribute "), context);
    set.edge_precision.check(train_file(), name("edge attribute "), context);
  }
  Split parts = finish_facts(set, first, context, numbered_rows);
  const Layout layout = model() ? model()->layout : Layout::graph(set.learn(parts.learned_rows()));
  auto rows = ragged(set.written(layout.shape, context));
  return make_dataset(layout, set.classes.names(), set.answers(), std::move(parts),
                      std::move(rows));
}

}  // namespace semblance::sources
