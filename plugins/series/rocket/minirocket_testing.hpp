// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <vector>

#include "features/series_feature_testing.hpp"
#include "rocket/minirocket_kernels.hpp"
#include "rocket/minirocket_pooling.hpp"
#include "semblance/normalizer.hpp"

namespace semblance::series {

using namespace testing;

/// The rows, which have series of one size.
inline std::vector<SeriesView> views(const FloatMatrix& series, std::size_t channels) {
  std::vector<SeriesView> all;
  for (std::size_t i = 0; i < series.rows; ++i)
    all.push_back({series.view().row_span(i), channels});
  return all;
}

/// The definition, in double: z + b at all steps but `border` at both ends.
inline std::vector<double> sums_by_definition(const SeriesView& series, std::size_t dilation,
                                              std::size_t kernel,
                                              std::span<const std::uint32_t> channels,
                                              std::size_t border) {
  const auto steps = static_cast<std::ptrdiff_t>(series.steps());
  const auto& places = rocket_kernels()[kernel];
  std::vector<double> sums;
  for (auto j = static_cast<std::ptrdiff_t>(border); j < steps - std::ptrdiff_t(border); ++j) {
    double sum = 0;
    for (const std::uint32_t channel : channels)
      for (std::ptrdiff_t k = 0; k < 9; ++k) {
        const std::ptrdiff_t at = j + (k - 4) * std::ptrdiff_t(dilation);
        if (at < 0 || at >= steps) continue;
        const double weight = k == places[0] || k == places[1] || k == places[2] ? 2 : -1;
        sum += weight * series.values[std::size_t(at) * series.channels + channel];
      }
    sums.push_back(sum);
  }
  return sums;
}

/// The definition of the four figures of one bias.
inline std::array<double, 4> figures_by_definition(const std::vector<double>& sums, double bias) {
  double count = 0, total = 0, places = 0, run = 0, longest = 0;
  for (std::size_t j = 0; j < sums.size(); ++j) {
    const double z = sums[j] - bias;
    run = z > 0 ? run + 1 : 0;
    longest = std::max(longest, run);
    if (z > 0) ++count, total += z, places += double(j);
  }
  return {sums.empty() ? 0 : count / double(sums.size()), count > 0 ? total / count : 0,
          count > 0 ? places / count : -1, longest};
}

/// All figures, in the order of the columns of a bank.
inline std::vector<double> features_by_definition(const RocketBank& bank,
                                                  const SeriesView& series) {
  const std::size_t biases = bank.biases.size();
  std::vector<double> features(4 * biases);
  std::size_t b = 0;
  for (std::size_t d = 0; d < bank.dilations.size(); ++d)
    for (std::size_t k = 0; k < rocket_kernel_count; ++k) {
      const std::size_t border = (d + k) % 2 == 1 ? 4 * bank.dilations[d] : 0;
      const auto sums = sums_by_definition(series, bank.dilations[d], k,
                                           bank.subset(d * rocket_kernel_count + k), border);
      for (std::size_t i = 0; i < bank.biases_each[d]; ++i, ++b) {
        const auto figures = figures_by_definition(sums, double(bank.biases[b]));
        for (std::size_t p = 0; p < 4; ++p) features[p * biases + b] = figures[p];
      }
    }
  return features;
}

/// Series of small integers, whose sums are exact in any order.
inline FloatMatrix whole_series(std::size_t count, const Layout& layout, std::size_t least) {
  FloatMatrix series = random_series(count, layout, least);
  for (float& x : series.values) x = std::round(x);
  return series;
}

inline RocketTraining training_on(const FloatMatrix& series, std::size_t channels) {
  RocketTraining from;
  from.count = series.rows;
  from.channels = channels;
  for (std::size_t i = 0; i < series.rows; ++i)
    from.longest = std::max(from.longest, series.view().size(i) / channels);
  from.series = [&series](std::size_t row) {
    const auto values = series.view().row_span(row);
    return std::vector<float>(values.begin(), values.end());
  };
  return from;
}

inline void fit_series(Normalizer& normalizer, const Layout& layout, const FloatMatrix& series,
                       std::size_t threads = 2, std::uint64_t seed = 1) {
  TestContext context(threads, seed);
  const MemoryRows rows(series);
  const std::vector<std::int32_t> labels(series.rows, 0);
  const std::vector<std::string> classes = {"a"};
  normalizer.fit({rows, layout, labels, classes}, context);
}

/// Checks for both transforms: the same bits with any number of threads, from a loaded state, alone
/// and in any block; invalid series are refused with their position.
inline void check_rocket_contract(std::string_view id, const Parameters& parameters,
                                  std::size_t columns) {
  for (const std::size_t channels : {1, 3}) {
    const Layout layout = Layout::sequence(90, channels);
    const FloatMatrix series = random_series(50, layout, 5);
    const auto one = make_component<Normalizer>(id, parameters),
               many = make_component<Normalizer>(id, parameters),
               loaded = make_component<Normalizer>(id, parameters);
    for (Normalizer* component : {one.get(), many.get(), loaded.get()})
      CHECK(component->bind(layout) == Layout::vector(columns));
    fit_series(*one, layout, series, 1);
    fit_series(*many, layout, series, 5);
    const FloatMatrix expected = made(*one, layout, series);
    CHECK(made(*many, layout, series).values == expected.values);

    MemoryState state;
    one->save(state);
    TestContext context;
    loaded->load(state, context);
    CHECK(made(*loaded, layout, series).values == expected.values);
    check_series_alone(*one, layout, series);

    const auto other = make_component<Normalizer>(id, parameters);
    other->bind(layout);
    fit_series(*other, layout, series, 2, 7);
    CHECK(made(*other, layout, series).values != expected.values);
  }
}

}  // namespace semblance::series
