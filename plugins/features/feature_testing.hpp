// SPDX-License-Identifier: MIT
#pragma once

#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "semblance/feature.hpp"
#include "semblance/plugin_testing.hpp"

namespace semblance::testing {

/// Samples with non-integer values in [0, 255).
inline FloatMatrix random_samples(std::size_t count, const Layout& layout) {
  FloatMatrix images(count, layout.size());
  Random random(3);
  for (float& x : images.values) x = static_cast<float>(random.uniform(0, 255));
  return images;
}

/// A feature's rows, bound to the layout first.
inline FloatMatrix described(Feature& feature, const Layout& layout, const FloatMatrix& samples) {
  FloatMatrix out(samples.rows, feature.bind(layout).size());
  TestContext context;
  feature.apply(samples.view(), out.view(), context);
  return out;
}

/// Checks for every feature: a row's bits depend neither on its place in a block nor on other
/// threads.
inline void check_rows_alone(Feature& feature, const Layout& layout) {
  const FloatMatrix samples = random_samples(60, layout);
  const FloatMatrix together = described(feature, layout, samples);
  FloatMatrix apart(samples.rows, together.cols);
  TestContext context(4);
  context.parallel_for(20, [&](std::size_t b) {
    feature.apply(samples.view().rows_range(b * 3, 3), apart.view().rows_range(b * 3, 3), context);
  });
  CHECK(std::memcmp(apart.values.data(), together.values.data(),
                    apart.values.size() * sizeof(float)) == 0);
}

}  // namespace semblance::testing
