// SPDX-License-Identifier: MIT
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <initializer_list>
#include <memory>
#include <numeric>
#include <string_view>
#include <vector>

#include "semblance/memory_state.hpp"
#include "semblance/plugin_testing.hpp"
#include "semblance/random.hpp"
#include "semblance/similarity.hpp"
#include "semblance_numerics/lesser_targets.hpp"

/// Helpers for tests of measures of series.
namespace semblance::testing {

using Series = std::vector<std::vector<float>>;  // a series' values, step after step

inline FloatMatrix rows_of(const Layout& layout, const Series& series) {
  std::vector<std::size_t> sizes;
  for (const auto& values : series) sizes.push_back(values.size());
  FloatMatrix rows = FloatMatrix::ragged(layout.size(), sizes);
  for (std::size_t i = 0; i < series.size(); ++i) std::ranges::copy(series[i], rows.view().row(i));
  return rows;
}

/// Random walks of `least` steps up to the longest that the layout has.
inline Series random_walks(std::size_t count, const Layout& layout, std::size_t least,
                           std::uint64_t seed) {
  Random random(seed);
  Series series(count);
  for (auto& values : series) {
    const std::size_t steps = least + random.below(layout.width + 1 - least);
    for (std::size_t k = 0; k < steps * layout.depth; ++k)
      values.push_back(static_cast<float>(
          (k < layout.depth ? 0.0 : 0.7 * double(values[k - layout.depth])) + random.normal()));
  }
  return series;
}

/// A bound measure with these bases.
inline std::unique_ptr<Similarity> measure_of(std::string_view id, const Parameters& values,
                                              const Layout& layout, const FloatMatrix& bases) {
  auto measure = make_component<Similarity>(id, values);
  measure->bind(layout);
  TestContext context;
  const std::vector<std::int64_t> indices(bases.rows);
  measure->set_bases(bases.view(), indices, context);
  return measure;
}

inline FloatMatrix compare(const Similarity& measure, MatrixView samples) {
  TestContext context;
  FloatMatrix result(samples.rows, measure.bases());
  measure.apply(samples, result.view(), context);
  return result;
}

/// The distance of two series.
inline double distance_of(std::string_view id, Parameters values, const std::vector<float>& b,
                          const std::vector<float>& x, std::size_t channels = 1) {
  values.emplace_back("as", std::string("negative"));
  const Layout layout = Layout::sequence(std::max(b.size(), x.size()) / channels, channels);
  const auto measure = measure_of(id, values, layout, rows_of(layout, {b}));
  return -double(compare(*measure, rows_of(layout, {x}).view()).values[0]);
}

/// A table of cells with a border, (-1, -1) first, for definitions in double precision.
class CellTable {
 public:
  CellTable(std::size_t rows, std::size_t columns, double filled)
      : columns_(columns + 1), cells_((rows + 1) * (columns + 1), filled) {}
  double& operator()(std::ptrdiff_t i, std::ptrdiff_t j) {
    return cells_[static_cast<std::size_t>(i + 1) * columns_ + static_cast<std::size_t>(j + 1)];
  }
  /// The smallest of the three cells before this one.
  double before(std::ptrdiff_t i, std::ptrdiff_t j) {
    return std::min({(*this)(i - 1, j - 1), (*this)(i - 1, j), (*this)(i, j - 1)});
  }

 private:
  std::size_t columns_;
  std::vector<double> cells_;
};

/// Whether a window leaves steps i and j of series of n and m steps together.
inline bool in_window(double window, std::ptrdiff_t i, std::ptrdiff_t j, std::ptrdiff_t n,
                      std::ptrdiff_t m) {
  if (window >= 100) return true;
  const double longer = double(std::max(n, m)), shorter = double(std::min(n, m));
  const double off = std::abs(double(i) * double(m - 1) - double(j) * double(n - 1));
  return off <= std::max(std::ceil(window / 100 * longer - 1e-9) * (shorter - 1), (longer - 1) / 2);
}

/// Calls body(i, j) for the cells of a window, row by row.
template <class Body>
void for_cells(double window, std::size_t n, std::size_t m, const Body& body) {
  for (std::ptrdiff_t i = 0; i < std::ptrdiff_t(n); ++i)
    for (std::ptrdiff_t j = 0; j < std::ptrdiff_t(m); ++j)
      if (in_window(window, i, j, std::ptrdiff_t(n), std::ptrdiff_t(m))) body(i, j);
}

/// The length of the difference of step i of x and step j of b; steps before a series are zero.
inline double step_distance(std::span<const float> x, std::ptrdiff_t i, std::span<const float> b,
                            std::ptrdiff_t j, std::size_t channels) {
  double sum = 0;
  for (std::ptrdiff_t c = 0; c < std::ptrdiff_t(channels); ++c) {
    const std::ptrdiff_t k = std::ptrdiff_t(channels);
    const double d = (i < 0 ? 0.0 : double(x[std::size_t(i * k + c)])) -
                     (j < 0 ? 0.0 : double(b[std::size_t(j * k + c)]));
    sum += d * d;
  }
  return std::sqrt(sum);
}

using Definition = std::function<double(std::span<const float> b, std::span<const float> x)>;

/// Compares all pairs of some series, of equal and of different lengths, with the definition.
inline void check_definition(std::string_view id, Parameters values, std::size_t channels,
                             const Definition& definition, double tolerance = 1e-5) {
  struct Lengths {
    std::size_t least_base, longest_base, least_sample, longest_sample;
  };
  values.emplace_back("as", std::string("negative"));
  for (const Lengths& of :
       {Lengths{1, 30, 1, 30}, {30, 30, 30, 30}, {10, 10, 100, 100}, {90, 100, 10, 10}}) {
    const Layout layout = Layout::sequence(std::max(of.longest_base, of.longest_sample), channels);
    const Series bases =
        random_walks(37, Layout::sequence(of.longest_base, channels), of.least_base, 1);
    const Series samples =
        random_walks(9, Layout::sequence(of.longest_sample, channels), of.least_sample, 2);
    const auto measure = measure_of(id, values, layout, rows_of(layout, bases));
    const FloatMatrix result = compare(*measure, rows_of(layout, samples).view());
    for (std::size_t i = 0; i < samples.size(); ++i)
      for (std::size_t j = 0; j < bases.size(); ++j) {
        CAPTURE(samples[i].size());
        CAPTURE(bases[j].size());
        const double expected = definition(bases[j], samples[i]);
        REQUIRE(std::abs(-double(result.view().row(i)[j]) - expected) <=
                tolerance * std::max(1.0, std::abs(expected)));
      }
  }
}

/// Checks that the bits of a row's similarities are the same alone and in any block.
inline void check_blocks(const Similarity& measure, MatrixView samples, const FloatMatrix& all) {
  for (std::size_t first = 0; first < samples.rows; first += 4)
    for (std::size_t count : {1u, 3u}) {
      if (first + count > samples.rows) continue;
      const FloatMatrix part = compare(measure, samples.rows_range(first, count));
      REQUIRE(std::ranges::equal(part.values,
                                 std::span(all.view().row(first), count * measure.bases())));
    }
}

/// Checks the same for any range of the bases.
inline void check_ranges(const Similarity& measure, MatrixView samples, const FloatMatrix& all) {
  TestContext context;
  for (std::size_t first : {0u, 1u, 15u, 30u})
    for (std::size_t count : {0u, 1u, 5u, 16u}) {
      if (first + count > measure.bases()) continue;
      FloatMatrix part(samples.rows, count);
      measure.apply_range(samples, first, part.view(), context);
      for (std::size_t i = 0; i < samples.rows; ++i)
        REQUIRE(
            std::equal(part.view().row(i), part.view().row(i) + count, all.view().row(i) + first));
    }
}

/// Checks the guarantees of every measure about bits: blocks, ranges and the order of the bases do
/// not matter; s(a, b) = s(b, a) if it is declared symmetric; a saved measure is the same; AVX2 and
/// AVX-512 agree bit for bit, other targets up to `tolerance`.
inline void check_bits(std::string_view id, const Parameters& values, std::size_t channels = 1,
                       std::size_t least = 5, double tolerance = 1e-5) {
  const Layout layout = Layout::sequence(24, channels);
  const Series series = random_walks(37, layout, least, 3);
  const FloatMatrix rows = rows_of(layout, series);
  const auto measure = measure_of(id, values, layout, rows);
  const FloatMatrix all = compare(*measure, rows.view());
  const MatrixView bits = all.view();
  check_blocks(*measure, rows.view(), all);
  check_ranges(*measure, rows.view(), all);
  for (std::size_t i = 0; i < 37; ++i)
    for (std::size_t j = 0; j < i; ++j) REQUIRE(bits.row(i)[j] == bits.row(j)[i]);

  MemoryState state;
  measure->save(state);
  const auto loaded = make_component<Similarity>(id, values);
  loaded->bind(layout);
  TestContext context;
  loaded->load(state, context);
  CHECK(compare(*loaded, rows.view()).values == all.values);

  numerics::on_lesser_targets([&](const char* target) {
    CAPTURE(target);
    const FloatMatrix other = compare(*loaded, rows.view());
    if (std::string_view(target).starts_with("AVX")) REQUIRE(other.values == all.values);
    for (std::size_t k = 0; k < all.values.size(); ++k)
      REQUIRE(other.values[k] == doctest::Approx(all.values[k]).epsilon(tolerance));
  });
}

/// The bases in another order: the same bits in that order. `values` give a width.
inline void check_order(std::string_view id, const Parameters& values, std::size_t channels = 1,
                        std::size_t least = 5) {
  const Layout layout = Layout::sequence(24, channels);
  const Series series = random_walks(37, layout, least, 4);
  Series turned(series.rbegin(), series.rend());
  const FloatMatrix rows = rows_of(layout, series);
  const FloatMatrix all = compare(*measure_of(id, values, layout, rows), rows.view());
  const FloatMatrix reversed =
      compare(*measure_of(id, values, layout, rows_of(layout, turned)), rows.view());
  for (std::size_t i = 0; i < 37; ++i)
    for (std::size_t j = 0; j < 37; ++j)
      REQUIRE(all.view().row(i)[j] == reversed.view().row(i)[36 - j]);
}

/// Checks the errors for invalid series.
inline void check_refusals(std::string_view id, const Parameters& values) {
  const Layout layout = Layout::sequence(5, 1);
  auto measure =
      measure_of(id, values, layout, rows_of(layout, {{1, 2, 3, 4, 5}, {1, 2, 1, 2, 1}}));
  CHECK_THROWS_AS(compare(*measure, rows_of(layout, {{}}).view()), Error);
  CHECK_THROWS_AS(compare(*measure, rows_of(Layout::sequence(9, 1), {{1, 2, 3, 4, 5, 6}}).view()),
                  Error);
  CHECK_THROWS_AS(compare(*measure, rows_of(layout, {{1, 2, NAN, 4, 5}}).view()), Error);
  CHECK_THROWS_AS(measure_of(id, values, layout, rows_of(layout, {{1}, {}})), Error);
  CHECK_THROWS_AS(make_component<Similarity>(id, values)->bind(Layout::vector(5)), Error);
}

}  // namespace semblance::testing
