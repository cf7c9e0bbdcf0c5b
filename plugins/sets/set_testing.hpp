// SPDX-License-Identifier: MIT
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "semblance/random.hpp"
#include "semblance/similarity_testing.hpp"

/// Helpers for tests of measures of sets.
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

/// Sets of 1 to `largest` points.
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

/// The distance of each point of `from` to the nearest one of `to`.
inline std::vector<double> nearest_of(const Set& from, const Set& to, std::size_t dimension) {
  std::vector<double> nearest(from.size() / dimension, INFINITY);
  for (std::size_t i = 0; i < nearest.size(); ++i)
    for (std::size_t j = 0; j * dimension < to.size(); ++j)
      nearest[i] =
          std::min(nearest[i], between(&from[i * dimension], &to[j * dimension], dimension));
  return nearest;
}

inline FloatMatrix measured(std::string_view id, const Parameters& values, const Layout& layout,
                            const std::vector<Set>& bases, const std::vector<Set>& samples) {
  return measured(id, values, layout, rows_of(bases, layout).view(),
                  rows_of(samples, layout).view());
}

/// The similarity of one basis and one sample.
inline float measured(std::string_view id, const Parameters& values, std::size_t dimension,
                      const Set& basis, const Set& sample) {
  return measured(id, values, Layout::set(100, dimension), {basis}, {sample}).values[0];
}

/// A distance d is given as -d.
inline Parameters negative(Parameters values = {}) {
  values.push_back({"as", std::string("negative")});
  return values;
}

/// Checks every pair against `oracle(basis, sample)`.
template <class Oracle>
void check_pairs(std::string_view id, const Parameters& values, const Layout& layout,
                 const std::vector<Set>& bases, const std::vector<Set>& samples, double tolerance,
                 const Oracle& oracle) {
  check_values(measured(id, values, layout, bases, samples), tolerance,
               [&](std::size_t j, std::size_t i) { return oracle(bases[j], samples[i]); });
}

/// Checks that bits do not depend on the block, the range of bases or threads; that a saved measure
/// reproduces them; that s(x, x) is the result of apply(); and that stops, empty and wrong rows are
/// noticed.
inline void check_contract(std::string_view id, const Parameters& values, const Layout& layout) {
  const FloatMatrix bases = rows_of(random_sets(30, layout.width, layout.depth, 5), layout);
  const FloatMatrix samples = rows_of(random_sets(20, layout.width, layout.depth, 6), layout);
  const auto measure = check_same_bits(id, values, layout, bases.view(), samples.view());
  const FloatMatrix among = compared(*measure, bases.view());
  const auto self = compared_with_themselves(*measure, bases.view());
  for (std::size_t i = 0; i < bases.rows; ++i)
    CHECK(self[i] == doctest::Approx(among.view().row(i)[i]).epsilon(1e-6));

  const FloatMatrix empty = FloatMatrix::ragged(layout.size(), std::vector<std::size_t>{0});
  CHECK_THROWS_WITH_AS(compared(*measure, empty.view()),
                       doctest::Contains("row 0 of the block (counted from 0) is empty"), Error);
  FloatMatrix strange = FloatMatrix::ragged(layout.size(), std::vector<std::size_t>{layout.depth});
  strange.values[0] = NAN;
  CHECK_THROWS_WITH_AS(compared(*measure, strange.view()),
                       doctest::Contains("value 0 of the sample is not a number"), Error);
  TestContext stopped;
  stopped.stop = StopReason::cancelled;
  FloatMatrix room(samples.rows, bases.rows);
  CHECK_THROWS_AS(measure->apply(samples.view(), room.view(), stopped), Cancelled);
}

}  // namespace semblance::testing
