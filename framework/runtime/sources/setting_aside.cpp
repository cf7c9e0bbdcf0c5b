// SPDX-License-Identifier: MIT
#include "runtime/sources/setting_aside.hpp"

#include <algorithm>

#include "pipeline/row_setting.hpp"
#include "runtime/services/node_error.hpp"
#include "runtime/sources/slow_data.hpp"
#include "semblance/pairs.hpp"

namespace semblance {
namespace {

void check_set_aside(std::span<const std::int64_t> rows, const Outline& outline) {
  const auto train = static_cast<std::int64_t>(outline.train_rows);
  if (std::ranges::adjacent_find(rows) != rows.end() ||
      (!rows.empty() && (rows.front() < 0 || rows.back() >= train)))
    throw Error("it set a row aside twice, or a row that is not a training row");
  if (train > 0 && rows.size() == outline.train_rows)
    throw Error("it sets all " + std::to_string(train) +
                " training rows aside for testing, leaving none to train on");
}

}  // namespace

std::size_t data_bytes(const Outline& outline) {
  constexpr std::size_t besides = 64;  // a row's label, and its part of the class names
  const std::size_t values =
      outline.values > 0 ? outline.values : outline.rows() * outline.layout.size();
  return values * sizeof(float) + outline.rows() * besides;
}

void set_rows_aside(Compilation& graph, Node& source, const Catalogue& catalogue,
                    RunServices& services, SlowData* slow) {
  const Pipeline& pipeline = *graph.pipeline;
  std::shared_ptr<const Dataset> data;
  std::vector<std::int64_t> numbers;
  const PipelineNode* before = nullptr;
  for (const std::size_t p : nodes_setting_rows_aside(pipeline, source.facts().index, catalogue)) {
    const PipelineNode& spec = pipeline.nodes[p];
    if (!data && slow) data = slow->open(source);
    if (!data) {
      NodeContext context(services, source.name(),
                          mixed_seed(source.facts().spec->seed, source.facts().spec->component.id),
                          data_bytes(*source.facts().outline));
      data = source.as<Source>().open(context);
    }
    if (!before) numbers = row_numbers(*data);
    in_node(pipeline, spec, "setting rows aside", [&] {
      Node& pairs = *graph.nodes[p];
      pairs.parts.push_back(catalogue.create(spec.component));
      NodeContext context(services, spec.name, mixed_seed(spec.seed, spec.component.id));
      const Outline& outline = data->outline();
      auto rows = pairs.as<Pairs>().set_aside(
          {data->labels(), outline.train_rows, outline.classes, numbers}, context);
      std::ranges::sort(rows);
      check_set_aside(rows, outline);
      if (before && rows != source.facts().set_aside)
        throw Error("the rows of '" + source.name() +
                    "' that it keeps from training differ from those of '" + before->name +
                    "'; give each of them its own source");
      source.facts().set_aside = std::move(rows);
      before = &spec;
    });
  }
}

}  // namespace semblance
