// SPDX-License-Identifier: MIT
#include "graphs/graph_source.hpp"

#include <utility>

namespace semblance::sources {

std::unique_ptr<Dataset> GraphSource::open(Context& context) const {
  GraphSet set;
  if (model()) set = GraphSet::known_by(model()->layout);
  read(train_file(), may_lack_labels(), set, context);
  const std::size_t first = set.graphs.size(), numbered_rows = set.read;
  if (!test_file().empty()) read(test_file(), true, set, context);
  if (const std::size_t dropped = set.read - set.graphs.size(); dropped > 0)
    context.log(LogLevel::warning,
                train_file() + ": dropped by 'empty: drop': " + std::to_string(dropped) + " of " +
                    std::to_string(set.read) + " graphs, which have no node");
  else
    set.numbers.clear();  // they are their positions
  check_labels(set.labels, set.classes, context);
  if (!model()) {
    set.targets.check(
        train_file(), [](std::size_t) { return std::string("the target"); }, context);
    const auto name = [](const char* of) {
      return [of](std::size_t k) { return of + std::to_string(k + 1); };
    };
    set.node_precision.check(train_file(), name("node attribute "), context);
    set.edge_precision.check(train_file(), name("edge attribute "), context);
  }
  RowOrigins origins{std::move(set.numbers), std::move(set.names), {}, {}, set.targets.take()};
  Split parts = finish_labels(set.classes, set.labels, origins, first, context, numbered_rows);
  const Layout layout = model() ? model()->layout : Layout::graph(set.learn(parts.learned_rows()));
  return make_ragged_dataset(layout, set.classes.names(), set.written(layout.shape, context),
                             std::move(set.labels), std::move(parts), std::move(origins));
}

}  // namespace semblance::sources
