// SPDX-License-Identifier: MIT
#pragma once

#include <doctest/doctest.h>

#include <cstring>
#include <initializer_list>
#include <vector>

#include "semblance/feature.hpp"
#include "semblance/plugin_testing.hpp"

namespace semblance::testing {

/// Series with these values, of `layout`.
inline FloatMatrix series_of(const Layout& layout, const std::vector<std::vector<float>>& series) {
  std::vector<std::size_t> sizes;
  sizes.reserve(series.size());
  for (const auto& values : series) sizes.push_back(values.size());
  FloatMatrix rows = FloatMatrix::ragged(layout.size(), sizes);
  for (std::size_t i = 0; i < series.size(); ++i)
    std::copy(series[i].begin(), series[i].end(), rows.view().row(i));
  return rows;
}

/// Series of `least` steps or more, up to the longest that the layout has (the first one).
inline FloatMatrix random_series(std::size_t count, const Layout& layout, std::size_t least,
                                 std::uint64_t seed = 3) {
  Random random(seed);
  std::vector<std::vector<float>> series;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t steps =
        i == 0 ? layout.width : least + random.below(layout.width + 1 - least);
    series.emplace_back(steps * layout.depth);
    for (float& x : series.back()) x = static_cast<float>(2 + 3 * random.normal());
  }
  return series_of(layout, series);
}

/// Room for the rows that a bound component makes of these.
inline FloatMatrix room_for(const Transform& made_by, const Layout& layout, MatrixView samples) {
  if (!layout.ragged()) return {samples.rows, layout.size()};
  std::vector<std::size_t> sizes;
  for (std::size_t i = 0; i < samples.rows; ++i)
    sizes.push_back(made_by.values_of(samples.size(i)));
  return FloatMatrix::ragged(layout.size(), sizes);
}

/// A component's rows, bound to the layout first.
inline FloatMatrix made(Transform& component, const Layout& layout, const FloatMatrix& samples) {
  FloatMatrix out = room_for(component, component.bind(layout), samples.view());
  TestContext context;
  component.apply(samples.view(), out.view(), context);
  return out;
}

inline std::vector<float> made_of(Transform& component, const Layout& layout,
                                  const std::vector<float>& series) {
  return made(component, layout, series_of(layout, {series})).values;
}

/// Checks that a row's bits depend neither on its place in a block nor on other threads.
inline void check_series_alone(Transform& component, const Layout& layout,
                               const FloatMatrix& samples) {
  const Layout output = component.bind(layout);
  FloatMatrix together = room_for(component, output, samples.view()), apart = together;
  TestContext one;
  component.apply(samples.view(), together.view(), one);
  TestContext context(4);
  const std::size_t step = 3, blocks = (samples.rows + step - 1) / step;
  context.parallel_for(blocks, [&](std::size_t b) {
    const std::size_t first = b * step, count = std::min(step, samples.rows - first);
    component.apply(samples.view().rows_range(first, count), apart.view().rows_range(first, count),
                    context);
  });
  CHECK(std::memcmp(apart.values.data(), together.values.data(),
                    apart.values.size() * sizeof(float)) == 0);
}

}  // namespace semblance::testing
