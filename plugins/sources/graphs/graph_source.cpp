// SPDX-License-Identifier: MIT
#include "graphs/graph_source.hpp"

#include <utility>

namespace semblance::sources {

std::unique_ptr<Dataset> GraphSource::open(Context& context) const {
  GraphSet set;
  if (model()) set = GraphSet::known_by(model()->layout);
  read(train_file(), may_lack_labels(), set, context);
  const std::size_t first = set.graphs.size();
  if (!test_file().empty()) read(test_file(), true, set, context);
  if (!model()) set.sort_labels();
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
  const Layout layout = model() ? model()->layout : Layout::graph(set.shape());
  SpillingRows rows = set.written(layout.shape, context);
  return finish_ragged(layout, std::move(set.classes), std::move(rows), std::move(set.labels),
                       first, context, {{}, std::move(set.names), {}, {}, set.targets.take()});
}

}  // namespace semblance::sources
