// SPDX-License-Identifier: MIT
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "semblance/plugin_testing.hpp"
#include "semblance/similarity.hpp"

/// Similarities as the runtime calls them, for their own tests.
namespace semblance::testing {

/// The similarities of all samples to all bases of a measure, one row per sample.
inline FloatMatrix compared(const Similarity& measure, MatrixView samples) {
  TestContext context;
  FloatMatrix result(samples.rows, measure.bases());
  measure.apply(samples, result.view(), context);
  return result;
}

/// The same for a new measure, made by its id.
inline FloatMatrix measured(std::string_view id, const Parameters& values, const Layout& layout,
                            MatrixView bases, MatrixView samples) {
  TestContext context;
  const auto measure = make_component<Similarity>(id, values);
  measure->bind(layout);
  measure->set_bases(bases, {}, context);
  return compared(*measure, samples);
}

/// Checks each value against `expected(basis, sample)`, given by their indices, up to `tolerance`:
/// relative where the expected value is larger than 1, absolute elsewhere.
template <class Expected>
void check_values(const FloatMatrix& result, double tolerance, const Expected& expected) {
  double worst = 0;
  for (std::size_t i = 0; i < result.rows; ++i)
    for (std::size_t j = 0; j < result.cols; ++j) {
      const double right = expected(j, i);
      const double error =
          std::abs(result.view().row(i)[j] - right) / std::max(1.0, std::abs(right));
      worst = error <= worst ? worst : error;
    }
  CHECK(worst <= tolerance);
}

/// s(x, x) of each row, as a measure computes it without bases.
inline std::vector<float> compared_with_themselves(const Similarity& measure, MatrixView rows) {
  std::vector<float> values(rows.rows);
  measure.compare_with_itself(rows, values.data());
  return values;
}

/// Checks that the bits do not depend on the block, the range of bases or threads, and that a saved
/// and loaded measure reproduces them. There must be 20 samples or more, their number a multiple of
/// 10, and more bases than samples.
///
/// @return the measure with these bases
inline std::unique_ptr<Similarity> check_same_bits(std::string_view id, const Parameters& values,
                                                   const Layout& layout, MatrixView bases,
                                                   MatrixView samples) {
  TestContext context(4);
  auto measure = make_component<Similarity>(id, values);
  CHECK(measure->bind(layout) == Layout::vector(0));
  measure->set_bases(bases, {}, context);
  CHECK(measure->bind(layout) == Layout::vector(bases.rows));
  CHECK(measure->operations() > 0);
  const FloatMatrix all = compared(*measure, samples);

  const std::size_t last = samples.rows - 7;
  for (const std::size_t first : {std::size_t{0}, std::size_t{1}, std::size_t{13}, last}) {
    const FloatMatrix part = compared(*measure, samples.rows_range(first, 7));
    CHECK(std::equal(part.values.begin(), part.values.end(), all.view().row(first)));
    FloatMatrix range(samples.rows, bases.rows - last);
    measure->apply_range(samples, first, range.view(), context);
    for (std::size_t i = 0; i < samples.rows; ++i)
      REQUIRE(std::equal(range.view().row(i), range.view().row(i) + range.cols,
                         all.view().row(i) + first));
  }
  FloatMatrix apart(samples.rows, all.cols);
  const std::size_t block = samples.rows / 10;
  context.parallel_for(10, [&](std::size_t i) {
    measure->apply(samples.rows_range(i * block, block), apart.view().rows_range(i * block, block),
                   context);
  });
  CHECK(apart.values == all.values);

  MemoryState state;
  measure->save(state);
  const auto fresh = make_component<Similarity>(id, values);
  fresh->bind(layout);
  fresh->load(state, context);
  CHECK(compared(*fresh, samples).values == all.values);
  return measure;
}

}  // namespace semblance::testing
