// SPDX-License-Identifier: MIT
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "semblance/component_testing.hpp"
#include "semblance/random.hpp"
#include "semblance/self_similarity.hpp"
#include "semblance/similarity.hpp"

/// What the tests of all measures of sets need.
namespace semblance::testing {

/// Points one after the other.
using Set = std::vector<float>;

inline FloatMatrix rows_of(const std::vector<Set>& sets, const Layout& layout) {
  std::vector<std::size_t> sizes;
  for (const Set& set : sets) sizes.push_back(set.size());
  FloatMatrix rows = FloatMatrix::ragged(layout.size(), sizes);
  for (std::size_t i = 0; i < sets.size(); ++i) std::ranges::copy(sets[i], rows.view().row(i));
  return rows;
}

/// Of 1 to `largest` points.
inline std::vector<Set> random_sets(std::size_t count, std::size_t largest, std::size_t dimension,
                                    std::uint64_t seed) {
  Random random(seed);
  std::vector<Set> sets(count);
  for (Set& set : sets) {
    set.resize((1 + random.below(largest)) * dimension);
    for (float& value : set) value = static_cast<float>(random.normal());
  }
  return sets;
}

inline double between(const float* p, const float* q, std::size_t dimension) {
  double sum = 0;
  for (std::size_t k = 0; k < dimension; ++k) sum += (double(p[k]) - q[k]) * (double(p[k]) - q[k]);
  return std::sqrt(sum);
}

/// Of each point of `from`, the distance to the nearest one of `to`.
inline std::vector<double> nearest_of(const Set& from, const Set& to, std::size_t dimension) {
  std::vector<double> nearest(from.size() / dimension, INFINITY);
  for (std::size_t i = 0; i < nearest.size(); ++i)
    for (std::size_t j = 0; j * dimension < to.size(); ++j)
      nearest[i] =
          std::min(nearest[i], between(&from[i * dimension], &to[j * dimension], dimension));
  return nearest;
}

template <class Measure>
std::unique_ptr<Similarity> make_measure(const Parameters& values) {
  auto measure = std::make_unique<Measure>();
  assign(*measure, Measure::declare().entry(), values);
  return measure;
}

inline FloatMatrix compared(const Similarity& measure, MatrixView samples) {
  TestContext context;
  FloatMatrix result(samples.rows, measure.bases());
  measure.apply(samples, result.view(), context);
  return result;
}

template <class Measure>
FloatMatrix measured(const Parameters& values, const Layout& layout, const std::vector<Set>& bases,
                     const std::vector<Set>& samples) {
  TestContext context;
  const auto measure = make_measure<Measure>(values);
  measure->bind(layout);
  measure->set_bases(rows_of(bases, layout).view(), {}, context);
  return compared(*measure, rows_of(samples, layout).view());
}

/// Of one basis and one sample.
template <class Measure>
float measured(const Parameters& values, std::size_t dimension, const Set& basis,
               const Set& sample) {
  return measured<Measure>(values, Layout::set(100, dimension), {basis}, {sample}).values[0];
}

/// A distance d is given as -d.
inline Parameters negative(Parameters values = {}) {
  values.push_back({"as", std::string("negative")});
  return values;
}

/// Checks every pair against `oracle(basis, sample)`.
template <class Measure, class Oracle>
void check_pairs(const Parameters& values, const Layout& layout, const std::vector<Set>& bases,
                 const std::vector<Set>& samples, double tolerance, const Oracle& oracle) {
  const FloatMatrix result = measured<Measure>(values, layout, bases, samples);
  double worst = 0;
  for (std::size_t i = 0; i < samples.size(); ++i)
    for (std::size_t j = 0; j < bases.size(); ++j) {
      const double expected = oracle(bases[j], samples[i]);
      const double error =
          std::abs(result.view().row(i)[j] - expected) / std::max(1.0, std::abs(expected));
      worst = error <= worst ? worst : error;
    }
  CHECK(worst <= tolerance);
}

/// Bits do not depend on the block, the range of bases or threads; a saved measure gives them
/// again; s(x, x) is what apply() gives; stops, empty and wrong rows are noticed.
template <class Measure>
void check_contract(const Parameters& values, const Layout& layout) {
  const FloatMatrix bases = rows_of(random_sets(30, layout.width, layout.depth, 5), layout);
  const FloatMatrix samples = rows_of(random_sets(20, layout.width, layout.depth, 6), layout);
  TestContext context(4);
  const auto measure = make_measure<Measure>(values);
  CHECK(measure->bind(layout) == Layout::vector(0));
  measure->set_bases(bases.view(), {}, context);
  CHECK(measure->bind(layout) == Layout::vector(30));
  CHECK(measure->operations() > 0);
  const FloatMatrix all = compared(*measure, samples.view());
  for (const std::size_t first : {0u, 1u, 13u}) {
    const FloatMatrix part = compared(*measure, samples.view().rows_range(first, 7));
    CHECK(std::equal(part.values.begin(), part.values.end(), all.view().row(first)));
    FloatMatrix range(samples.rows, 17);
    measure->apply_range(samples.view(), first, range.view(), context);
    for (std::size_t i = 0; i < samples.rows; ++i)
      REQUIRE(std::equal(range.view().row(i), range.view().row(i) + 17, all.view().row(i) + first));
  }
  FloatMatrix apart(samples.rows, all.cols);
  context.parallel_for(10, [&](std::size_t block) {
    measure->apply(samples.view().rows_range(block * 2, 2), apart.view().rows_range(block * 2, 2),
                   context);
  });
  CHECK(apart.values == all.values);

  MemoryState state;
  measure->save(state);
  const auto fresh = make_measure<Measure>(values);
  fresh->bind(layout);
  fresh->load(state, context);
  CHECK(compared(*fresh, samples.view()).values == all.values);

  const FloatMatrix among = compared(*measure, bases.view());
  std::vector<float> self(bases.rows);
  dynamic_cast<const SelfSimilarity&>(*measure).compare_with_itself(bases.view(), self.data());
  for (std::size_t i = 0; i < bases.rows; ++i)
    CHECK(self[i] == doctest::Approx(among.view().row(i)[i]).epsilon(1e-6));

  const FloatMatrix empty = FloatMatrix::ragged(layout.size(), std::vector<std::size_t>{0});
  CHECK_THROWS_WITH_AS(compared(*measure, empty.view()),
                       doctest::Contains("row 0 of the block (counted from 0) is empty"), Error);
  FloatMatrix strange = FloatMatrix::ragged(layout.size(), std::vector<std::size_t>{layout.depth});
  strange.values[0] = NAN;
  CHECK_THROWS_WITH_AS(compared(*measure, strange.view()),
                       doctest::Contains("value 0 of the sample is not a number"), Error);
  context.stop = StopReason::cancelled;
  CHECK_THROWS_AS(measure->apply(samples.view(), apart.view(), context), Cancelled);
}

}  // namespace semblance::testing
