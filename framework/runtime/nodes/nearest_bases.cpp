// SPDX-License-Identifier: MIT
#include "runtime/nodes/nearest_bases.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "runtime/session/node_row_sizes.hpp"
#include "runtime/stages/stage_builder.hpp"

namespace semblance {
namespace {

FloatMatrix source_row(RunProgress& progress, RunData& data, std::size_t map, std::size_t row) {
  const RowSizes sizes = row_sizes(progress, data, progress.facts(map).spec->origin);
  FloatMatrix values = sizes.rows(row, 1);
  data.dataset(map).read(row, values.view());
  return values;
}

/// The positions of the largest similarities. A NaN is similar to nothing.
std::vector<std::size_t> largest(std::span<const float> similarities, std::size_t count) {
  std::vector<std::size_t> places;
  for (std::size_t k = 0; k < similarities.size(); ++k)
    if (!std::isnan(similarities[k])) places.push_back(k);
  const std::size_t kept = std::min(count, places.size());
  const auto before = [&](std::size_t a, std::size_t b) {
    return similarities[a] > similarities[b] || (similarities[a] == similarities[b] && a < b);
  };
  std::ranges::partial_sort(places, places.begin() + static_cast<std::ptrdiff_t>(kept), before);
  places.resize(kept);
  return places;
}

}  // namespace

std::vector<NearBasis> nearest_bases(RunProgress& progress, RunData& data,
                                     const std::vector<std::size_t>& maps, std::size_t row,
                                     std::size_t count) {
  std::vector<NearBasis> nearest;
  for (std::size_t m = 0; m < maps.size(); ++m) {
    const NodeFacts& map = progress.facts(maps[m]);
    if (progress.facts(map.spec->origin).new_data) continue;
    const FloatMatrix sample = source_row(progress, data, maps[m], row);
    const Stage stage = StageBuilder(progress, data).of_given(maps[m], sample.view());
    FloatMatrix similarities(1, map.output.size());
    compute_block(stage, 0, similarities.view(), step_guard(data));
    const auto chosen = progress.node(*map.bases).chosen_rows();
    if (chosen.size() != similarities.cols)
      throw Error("internal error: the bases of '" + map.name() + "' are not at hand");
    const auto values = std::as_const(similarities).view().row_span(0);
    for (const std::size_t place : largest(values, count))
      nearest.push_back({m, static_cast<std::size_t>(chosen[place]), values[place]});
  }
  return nearest;
}

}  // namespace semblance
