// SPDX-License-Identifier: MIT
#include "graphs/graph_source.hpp"

#include <utility>

#include "memory_limit.hpp"

namespace semblance::sources {
namespace {

/// What a model knows of its graphs.
GraphSet known_by(const Layout& layout) {
  const GraphShape& shape = layout.shape;
  GraphSet set;
  set.parts = {!shape.node_labels.empty(), !shape.edge_labels.empty(), shape.node_attributes,
               shape.edge_attributes};
  set.directed = shape.directed;
  set.node_labels.know(shape.node_labels);
  set.edge_labels.know(shape.edge_labels);
  return set;
}

SpillingRows written(GraphSet& set, const GraphShape& shape, Context& context) {
  SpillingRows rows;
  rows.values.spill(context.memory_budget() / 2, context);
  std::vector<float> row;
  for (SampleGraph& graph : set.graphs) {
    context.check_stop();
    row.clear();
    graph.write(shape, row);
    for (const float value : row) rows.values.push_back(value);
    rows.end_row();
    graph = {};
  }
  return rows;
}

}  // namespace

std::unique_ptr<Dataset> GraphSource::open(Context& context) const {
  GraphSet set;
  if (model()) set = known_by(model()->layout);
  read(train_file(), may_lack_labels(), set, context);
  const std::size_t first = set.graphs.size();
  if (!test_file().empty()) read(test_file(), true, set, context);
  if (!model()) set.sort_labels();
  check_labels(set.labels, set.classes, context);
  if (!model())
    set.targets.check(
        train_file(), [](std::size_t) { return std::string("the target"); }, context);
  const Layout layout = model() ? model()->layout : Layout::graph(set.shape());
  SpillingRows rows = written(set, layout.shape, context);
  return finish_ragged(layout, std::move(set.classes), std::move(rows), std::move(set.labels),
                       first, context, {{}, std::move(set.names), {}, {}, set.targets.take()});
}

}  // namespace semblance::sources
