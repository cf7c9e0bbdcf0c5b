// SPDX-License-Identifier: MIT
#include "runtime/results/drawn_samples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace semblance {
namespace {

/// Of a class, right ones and wrong ones each; and classes.
constexpr std::size_t most_of_each = 2, most_classes = 12;
constexpr std::size_t most_steps = 150, most_points = 200, most_symbols = 120, most_channels = 7,
                      most_entries = 12;

FloatMatrix row_of(const Dataset& data, std::size_t row) {
  const std::size_t size = data.values(row);
  FloatMatrix values = room_for(data.outline().layout, {&size, 1});
  data.read(row, values.view());
  return values;
}

/// Evenly taken, and of the first channels only.
void draw_steps(DrawnSample& sample, std::span<const float> row, std::size_t channels) {
  sample.depth = std::min(channels, most_channels);
  const std::size_t steps = std::min(sample.size, most_steps);
  for (std::size_t s = 0; s < steps; ++s) {
    const std::size_t step = steps > 1 ? s * (sample.size - 1) / (steps - 1) : 0;
    const float* values = row.data() + step * channels;
    sample.values.insert(sample.values.end(), values, values + sample.depth);
  }
}

void draw_points(DrawnSample& sample, std::span<const float> row, std::size_t dimension) {
  sample.depth = std::min<std::size_t>(dimension, 2);
  for (std::size_t p = 0; p < std::min(sample.size, most_points); ++p)
    for (std::size_t k = 0; k < sample.depth; ++k) sample.values.push_back(row[p * dimension + k]);
}

void spell(DrawnSample& sample, std::span<const float> row,
           const std::vector<std::string>& symbols) {
  for (std::size_t k = 0; k < std::min(sample.size, most_symbols); ++k)
    sample.text += symbols.at(static_cast<std::size_t>(row[k]));
}

/// The largest, with the names of their columns or the columns' numbers.
std::string told_entries(MatrixView row, const std::vector<std::string>& names) {
  std::vector<std::size_t> order(row.size(0));
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto size = [&](std::size_t k) { return std::abs(row.row(0)[k]); };
  std::ranges::stable_sort(order, [&](auto a, auto b) { return size(a) > size(b); });
  std::string text;
  for (std::size_t k = 0; k < std::min(order.size(), most_entries); ++k) {
    const std::size_t column = row.columns_of(0)[order[k]];
    text +=
        fmt::format("{}{} {:.4g}", k > 0 ? ", " : "",
                    names.empty() ? std::to_string(column) : names[column], row.row(0)[order[k]]);
  }
  return text + (order.size() > most_entries ? ", …" : "");
}

DrawnSample drawn(const Dataset& data, std::size_t row) {
  const Layout& layout = data.outline().layout;
  const FloatMatrix values = row_of(data, row);
  DrawnSample sample;
  sample.kind = layout.kind;
  sample.size = values.values.size() / layout.depth;
  if (layout.kind == LayoutKind::sequence) draw_steps(sample, values.values, layout.depth);
  if (layout.kind == LayoutKind::set) draw_points(sample, values.values, layout.depth);
  if (layout.kind == LayoutKind::sparse)
    sample.text = told_entries(values.view(), data.outline().columns);
  if (layout.kind == LayoutKind::string) spell(sample, values.values, symbols_of(layout));
  return sample;
}

}  // namespace

std::vector<DrawnSample> drawn_samples(const Dataset& data, std::size_t first,
                                       std::span<const std::int32_t> predicted,
                                       const RowTags& tags) {
  const Outline& outline = data.outline();
  std::vector<DrawnSample> samples;
  if (!outline.layout.ragged()) return samples;
  const auto labels = data.labels();
  for (std::size_t c = 0; c < std::min(outline.classes.size(), most_classes); ++c)
    for (const bool right : {true, false}) {
      std::size_t taken = 0;
      for (std::size_t i = 0; i < predicted.size() && taken < most_of_each; ++i) {
        const auto label = static_cast<std::int32_t>(c);
        if (labels[first + i] != label || (predicted[i] == label) != right) continue;
        DrawnSample sample = drawn(data, first + i);
        sample.name = tags.named() && !tags.name(i).empty()
                          ? tags.name(i)
                          : "row " + std::to_string(tags.number(i));
        sample.label = outline.classes[c];
        sample.predicted = outline.classes.at(static_cast<std::size_t>(predicted[i]));
        samples.push_back(std::move(sample));
        ++taken;
      }
    }
  return samples;
}

}  // namespace semblance
