// SPDX-License-Identifier: MIT
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "semblance/plugin_testing.hpp"
#include "semblance/random.hpp"
#include "semblance/similarity.hpp"
#include "semblance/two_parts.hpp"

/// Pairs made for tests.
namespace semblance::two_domains::testing {

using Floats = std::vector<float>;

/// Some samples of both sides, and pairs of them.
struct MadePairs {
  Layout layout;
  std::array<std::vector<Floats>, 2> samples;
  std::vector<std::array<std::uint32_t, 2>> pairs;
  FloatMatrix rows;

  std::size_t count() const { return pairs.size(); }
  const Floats& sample(std::size_t side, std::size_t pair) const {
    return samples[side][pairs[pair][side]];
  }
};

/// `count` different pairs of `m` first samples of `first` values and `q` second ones.
inline MadePairs made_pairs(std::size_t m, std::size_t q, std::size_t first, std::size_t second,
                            std::size_t count, std::uint64_t seed = 1) {
  MadePairs made;
  made.layout = Layout::pair(Layout::vector(first), Layout::vector(second));
  Random random(seed);
  const std::size_t values[] = {first, second}, samples[] = {m, q};
  for (std::size_t s = 0; s < 2; ++s)
    for (std::size_t i = 0; i < samples[s]; ++i) {
      made.samples[s].emplace_back();
      for (std::size_t k = 0; k < values[s]; ++k)
        made.samples[s].back().push_back(static_cast<float>(random.normal()));
    }
  std::vector<std::array<std::uint32_t, 2>> all;
  for (std::uint32_t a = 0; a < m; ++a)
    for (std::uint32_t b = 0; b < q; ++b) all.push_back({a, b});
  random.shuffle(std::span(all));
  all.resize(count);
  made.pairs = std::move(all);
  const std::size_t size = pair_size(made.layout, first, second);
  made.rows = FloatMatrix::ragged(made.layout.size(), std::vector<std::size_t>(count, size));
  for (std::size_t i = 0; i < count; ++i)
    write_pair({made.pairs[i][0], made.sample(0, i), {}}, {made.pairs[i][1], made.sample(1, i), {}},
               made.layout, made.rows.view().row_span(i));
  return made;
}

/// exp(-gamma |a - b|^2) in double.
inline double gaussian(const Floats& a, const Floats& b, double gamma) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += (double{a[k]} - b[k]) * (double{a[k]} - b[k]);
  return std::exp(-gamma * sum);
}

}  // namespace semblance::two_domains::testing
