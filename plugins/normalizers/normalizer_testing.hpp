// SPDX-License-Identifier: MIT
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "semblance/normalizer.hpp"
#include "semblance/plugin_testing.hpp"

namespace semblance::testing {

/// Rows of normal values; column c has mean 3c and deviation 1 + c, except that the second is
/// constant.
inline FloatMatrix sample_rows(std::size_t rows, std::size_t cols) {
  FloatMatrix m(rows, cols);
  Random random(7);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t c = 0; c < cols; ++c)
      m.values[i * cols + c] =
          c == 1 ? 0.3f : static_cast<float>(3.0 * c + (1.0 + c) * random.normal());
  return m;
}

/// Integers between 0 and 11 above `level`, which are exact in float32; no column's mean is an
/// integer.
inline FloatMatrix rows_at(double level, std::size_t rows, std::size_t cols) {
  FloatMatrix m(rows, cols);
  Random random(9);
  for (float& value : m.values) value = static_cast<float>(level + double(random.below(12)));
  for (std::size_t c = 0; c < cols; ++c) m.values[c] = static_cast<float>(level + 11.0);
  return m;
}

/// Whether values are the same within `tolerance`.
inline bool near(const std::vector<float>& a, const std::vector<float>& b, double tolerance) {
  return std::ranges::equal(
      a, b, [&](float x, float y) { return std::abs(double(x) - double(y)) <= tolerance; });
}

inline void fit(Normalizer& n, const FloatMatrix& m, std::size_t threads = 2) {
  TestContext context(threads);
  const MemoryRows rows(m);
  const std::vector<std::int32_t> labels(m.rows, 0);
  const std::vector<std::string> classes = {"a"};
  const Layout layout = m.is_sparse ? Layout::sparse(m.cols) : Layout::vector(m.cols);
  n.fit({rows, layout, labels, classes}, context);
}

inline FloatMatrix apply(const Normalizer& n, const FloatMatrix& m) {
  TestContext context;
  FloatMatrix out(m.rows, m.cols);
  n.apply(m.view(), out.view(), context);
  return out;
}

/// Checks that a normalizer that subtracts a mean gives the same result for rows as far from 0 as
/// float32 permits, also after saving.
inline void check_far_from_0(const std::string& id, const Parameters& values = {}) {
  const auto made = [&] { return make_component<Normalizer>(id, values); };
  const auto near_0 = made(), far = made(), loaded = made();
  for (Normalizer* n : {near_0.get(), far.get(), loaded.get()}) n->bind(Layout::vector(5));
  fit(*near_0, rows_at(0, 301, 5));
  fit(*far, rows_at(16000000, 301, 5));
  const FloatMatrix expected = apply(*near_0, rows_at(0, 301, 5));
  const FloatMatrix rows = rows_at(16000000, 301, 5);
  CHECK(near(apply(*far, rows).values, expected.values, 1e-6));
  MemoryState state;
  far->save(state);
  TestContext context;
  loaded->load(state, context);
  CHECK(apply(*loaded, rows).values == apply(*far, rows).values);
}

/// Checks for every normalizer: unchanged layout, the same bits with 1 and 2 threads, at any place
/// of a block and after loading, and errors that name values that are not finite.
inline void check_contract(const std::string& id, bool learns, const Parameters& values = {}) {
  const Layout layout = Layout::grid(2, 3, 5);
  const FloatMatrix m = sample_rows(1111, layout.size());
  const auto made = [&] { return make_component<Normalizer>(id, values); };
  const auto one = made(), two = made(), loaded = made();
  for (Normalizer* n : {one.get(), two.get(), loaded.get()}) CHECK(n->bind(layout) == layout);
  fit(*one, m, 1);
  fit(*two, m, 2);
  const FloatMatrix expected = apply(*one, m);
  CHECK(apply(*two, m).values == expected.values);

  MemoryState state;
  one->save(state);
  TestContext context;
  loaded->load(state, context);
  CHECK(apply(*loaded, m).values == expected.values);

  FloatMatrix tail(100, m.cols);
  std::memcpy(tail.values.data(), m.view().row(1011), tail.values.size() * sizeof(float));
  const FloatMatrix alone = apply(*one, tail);
  CHECK(std::memcmp(alone.values.data(), expected.view().row(1011),
                    alone.values.size() * sizeof(float)) == 0);

  FloatMatrix bad = m;
  bad.values[600 * m.cols + 4] = std::numeric_limits<float>::quiet_NaN();
  CHECK_THROWS_WITH_AS(apply(*one, bad), doctest::Contains("row 600 of the block, column 4"),
                       Error);
  bad.values[600 * m.cols + 4] = std::numeric_limits<float>::infinity();
  if (learns)
    CHECK_THROWS_WITH_AS(fit(*one, bad), doctest::Contains("training row 600, column 4"), Error);
  if (learns) {
    CHECK_THROWS_WITH_AS(fit(*one, FloatMatrix(0, m.cols)), doctest::Contains("no training rows"),
                         Error);
    TestContext stopped;
    stopped.stop = StopReason::cancelled;
    const MemoryRows rows(m);
    CHECK_THROWS_AS(one->fit({rows, layout, {}, {}}, stopped), Cancelled);
  }
}

}  // namespace semblance::testing
