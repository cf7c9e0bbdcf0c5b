// SPDX-License-Identifier: MIT
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "semblance/plugin_testing.hpp"
#include "semblance/random.hpp"
#include "semblance/similarity.hpp"

/// Helpers for tests of measures.
namespace semblance::testing {

inline FloatMatrix normal_rows(std::size_t rows, std::size_t cols, std::uint64_t seed) {
  Random random(seed);
  FloatMatrix matrix(rows, cols);
  for (float& x : matrix.values) x = static_cast<float>(random.normal());
  return matrix;
}

/// Values in [0, 1), a quarter of them zero.
inline FloatMatrix histogram_rows(std::size_t rows, std::size_t cols, std::uint64_t seed) {
  Random random(seed);
  FloatMatrix matrix(rows, cols);
  for (float& x : matrix.values)
    x = static_cast<float>(std::max(0.0, random.uniform(-1.0 / 3, 1.0)));
  return matrix;
}

inline std::vector<std::int64_t> first_indices(std::size_t count) {
  std::vector<std::int64_t> indices(count);
  std::iota(indices.begin(), indices.end(), 0);
  return indices;
}

inline FloatMatrix compare(const Similarity& measure, MatrixView samples, Context& context) {
  FloatMatrix result(samples.rows, measure.bases());
  measure.apply(samples, result.view(), context);
  return result;
}

inline double dot(const float* a, const float* b, std::size_t count) {
  double sum = 0;
  for (std::size_t k = 0; k < count; ++k) sum += double(a[k]) * b[k];
  return sum;
}

/// Checks every pair against `oracle(basis, sample)`; an error counts in units of
/// `scale(basis, sample)`.
template <class Oracle, class Scale>
void check_pairs(const Similarity& measure, const FloatMatrix& bases, const FloatMatrix& samples,
                 double tolerance, const Oracle& oracle, const Scale& scale) {
  TestContext context;
  const FloatMatrix result = compare(measure, samples.view(), context);
  double worst = 0;
  for (std::size_t i = 0; i < samples.rows; ++i)
    for (std::size_t j = 0; j < bases.rows; ++j) {
      const float* b = bases.view().row(j);
      const float* x = samples.view().row(i);
      const double error = std::abs(result.view().row(i)[j] - oracle(b, x)) / scale(b, x);
      worst = std::isnan(error) ? INFINITY : std::max(worst, error);
    }
  CHECK(worst <= tolerance);
}

/// Checks that the result for a row has the same bits alone and anywhere in a block.
inline void check_row_independence(const Similarity& measure, const FloatMatrix& samples) {
  TestContext context;
  const FloatMatrix all = compare(measure, samples.view(), context);
  for (std::size_t first : {0u, 1u, 5u, 6u, 17u, 101u, 255u})
    for (std::size_t count : {1u, 3u, 8u}) {
      if (first + count > samples.rows) continue;
      const FloatMatrix part = compare(measure, samples.view().rows_range(first, count), context);
      CHECK(std::equal(part.values.begin(), part.values.end(), all.view().row(first)));
    }
}

/// Checks that a range of the bases gives the bits of these columns of the whole result.
inline void check_ranges(const Similarity& measure, const FloatMatrix& samples) {
  TestContext context;
  const FloatMatrix all = compare(measure, samples.view(), context);
  for (std::size_t first : {0u, 1u, 15u, 17u, 36u})
    for (std::size_t count : {0u, 1u, 16u, 20u, 37u}) {
      if (first + count > measure.bases()) continue;
      FloatMatrix part(samples.rows, count);
      measure.apply_range(samples.view(), first, part.view(), context);
      for (std::size_t i = 0; i < samples.rows; ++i)
        REQUIRE(
            std::equal(part.view().row(i), part.view().row(i) + count, all.view().row(i) + first));
    }
  if (measure.chooses_bases()) {
    std::vector<std::uint32_t> chosen{0};
    for (std::size_t b = measure.bases(); b-- > 0; b -= std::min<std::size_t>(b, 2))
      chosen.push_back(static_cast<std::uint32_t>(b));
    const FloatMatrix some = compare(*measure.choose_bases(chosen), samples.view(), context);
    for (std::size_t i = 0; i < samples.rows; ++i)
      for (std::size_t k = 0; k < chosen.size(); ++k)
        REQUIRE(some.view().row(i)[k] == all.view().row(i)[chosen[k]]);
  }
  FloatMatrix wide(samples.rows, measure.bases());
  CHECK_THROWS_AS(measure.apply_range(samples.view(), 1, wide.view(), context), Error);
}

/// Saved and loaded into a fresh measure, the results have the same bits.
inline void check_saved(const Similarity& measure, Similarity& fresh, const Layout& layout,
                        const FloatMatrix& samples) {
  TestContext context;
  MemoryState state;
  measure.save(state);
  fresh.bind(layout);
  fresh.load(state, context);
  CHECK(fresh.bind(layout) == Layout::vector(measure.bases()));
  CHECK(compare(fresh, samples.view(), context).values ==
        compare(measure, samples.view(), context).values);
}

/// All the bit-for-bit checks above on 256 samples; also that blocks on two threads give the result
/// of one. `fresh_measure()` makes a measure.
template <class Make>
requires std::invocable<Make>
void check_contract(const Make& fresh_measure, const Layout& layout, bool histograms = false) {
  const std::size_t d = layout.size();
  const FloatMatrix bases = histograms ? histogram_rows(37, d, 5) : normal_rows(37, d, 5);
  const FloatMatrix samples = histograms ? histogram_rows(256, d, 6) : normal_rows(256, d, 6);
  TestContext context;
  auto measure = fresh_measure();
  CHECK(measure->bind(layout) == Layout::vector(0));
  measure->set_bases(bases.view(), first_indices(bases.rows), context);
  CHECK(measure->bind(layout) == Layout::vector(37));
  CHECK(measure->operations() > 0);
  check_row_independence(*measure, samples);
  check_ranges(*measure, samples);
  auto fresh = fresh_measure();
  check_saved(*measure, *fresh, layout, samples);

  const FloatMatrix one = compare(*measure, samples.view(), context);
  FloatMatrix two(samples.rows, bases.rows);
  context.parallel_for(8, [&](std::size_t block) {
    measure->apply(samples.view().rows_range(block * 32, 32), two.view().rows_range(block * 32, 32),
                   context);
  });
  CHECK(one.values == two.values);
  context.stop = StopReason::cancelled;
  CHECK_THROWS_AS(measure->apply(samples.view(), two.view(), context), Cancelled);
}

inline void check_contract(const std::string& id, const Parameters& values, const Layout& layout,
                           bool histograms = false) {
  check_contract([&] { return make_component<Similarity>(id, values); }, layout, histograms);
}

}  // namespace semblance::testing
