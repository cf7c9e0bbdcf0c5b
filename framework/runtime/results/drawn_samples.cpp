// SPDX-License-Identifier: MIT
#include <algorithm>

#include "report/drawings/reduced_sample.hpp"
#include "runtime/results/predictions.hpp"

namespace semblance {
namespace {

/// The most right and wrong samples of each class; and the most classes.
constexpr std::size_t most_of_each = 2, most_classes = 12;

FloatMatrix row_of(const Dataset& data, std::size_t row) {
  const std::size_t size = data.values(row);
  FloatMatrix values = room_for(data.outline().layout, {&size, 1});
  data.read(row, values.view());
  return values;
}

}  // namespace

nlohmann::ordered_json drawn_samples(const Dataset& data, std::size_t first,
                                     std::span<const std::int32_t> predicted, const RowTags& tags) {
  const Outline& outline = data.outline();
  auto samples = nlohmann::ordered_json::array();
  if (!outline.layout.ragged()) return samples;
  const auto labels = data.labels();
  for (std::size_t c = 0; c < std::min(outline.classes.size(), most_classes); ++c)
    for (const bool right : {true, false}) {
      std::size_t taken = 0;
      for (std::size_t i = 0; i < predicted.size() && taken < most_of_each; ++i) {
        const auto label = static_cast<std::int32_t>(c);
        if (labels[first + i] != label || (predicted[i] == label) != right) continue;
        const FloatMatrix row = row_of(data, first + i);
        DrawnSample sample = reduced_sample(outline.layout, row.values, {}, row.columns);
        sample.name = tags.named() && !tags.name(i).empty()
                          ? tags.name(i)
                          : "row " + std::to_string(tags.number(i));
        sample.label = outline.classes[c];
        sample.predicted = outline.classes.at(static_cast<std::size_t>(predicted[i]));
        samples.push_back(sample_to_json(sample));
        ++taken;
      }
    }
  return samples;
}

}  // namespace semblance
