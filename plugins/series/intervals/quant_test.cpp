// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "intervals/quant_intervals.hpp"
#include "rocket/minirocket_testing.hpp"

namespace quant_test {

using namespace semblance;
using namespace semblance::series;

namespace {

using Values = std::vector<double>;

/// The four views of a series with one channel, as the paper defines them.
std::vector<Values> views_by_definition(const Values& x) {
  const auto n = static_cast<std::ptrdiff_t>(x.size());
  Values difference, slope, curvature, spectrum;
  for (std::ptrdiff_t t = 0; t + 1 < n; ++t) difference.push_back(x[t + 1] - x[t]);
  for (std::ptrdiff_t t = 0; t + 1 < n; ++t) {
    double sum = 0;
    for (std::ptrdiff_t k = t - 2; k <= t + 2; ++k)
      sum += difference[std::clamp(k, std::ptrdiff_t{0}, n - 2)];
    slope.push_back(sum / 5);
  }
  for (std::ptrdiff_t t = 0; t + 2 < n; ++t) curvature.push_back(difference[t + 1] - difference[t]);
  for (std::ptrdiff_t k = 0; k <= n / 2; ++k) {
    double re = 0, im = 0;
    for (std::ptrdiff_t t = 0; t < n; ++t) {
      re += x[t] * std::cos(2 * std::numbers::pi * double(k * t) / double(n));
      im += x[t] * std::sin(2 * std::numbers::pi * double(k * t) / double(n));
    }
    spectrum.push_back(std::hypot(re, im));
  }
  return {x, slope, curvature, spectrum};
}

/// The quantiles of view[begin, end), every second one without the interval's mean.
Values quantiles_by_definition(const Values& view, std::size_t begin, std::size_t end,
                               std::size_t count) {
  Values sorted(view.begin() + std::ptrdiff_t(begin), view.begin() + std::ptrdiff_t(end));
  std::sort(sorted.begin(), sorted.end());
  const double mean = std::accumulate(sorted.begin(), sorted.end(), 0.0) / double(sorted.size());
  Values quantiles;
  for (std::size_t q = 0; q < count; ++q) {
    const double level = count == 1 ? 0.5 : double(q) / double(count - 1);
    const double place = level * double(sorted.size() - 1);
    const auto low = static_cast<std::size_t>(place + 1e-9);
    const double rise = low + 1 < sorted.size() ? sorted[low + 1] - sorted[low] : 0;
    quantiles.push_back(sorted[low] + (place - double(low)) * rise - (q % 2 == 1 ? mean : 0));
  }
  return quantiles;
}

/// The features of a series of as many steps as the layout.
Values features_by_definition(const SeriesView& series, int depth, std::size_t divisor) {
  std::vector<std::vector<Values>> channels;
  for (std::size_t c = 0; c < series.channels; ++c) {
    Values x;
    for (std::size_t t = 0; t < series.steps(); ++t)
      x.push_back(series.values[t * series.channels + c]);
    channels.push_back(views_by_definition(x));
  }
  Values features;
  for (std::size_t v = 0; v < 4; ++v) {
    const std::size_t n = channels[0][v].size();
    const int levels = std::min(depth, int(std::log2(double(n))) + 1);
    for (int level = 0; level < levels; ++level) {
      const auto parts = static_cast<std::size_t>(std::exp2(level));
      std::vector<std::array<std::size_t, 2>> intervals;
      std::vector<std::size_t> lengths;
      for (std::size_t i = 0; i < parts; ++i) {
        const double width = double(n) / double(parts);
        intervals.push_back({std::size_t(width * double(i)), std::size_t(width * double(i + 1))});
        lengths.push_back(intervals.back()[1] - intervals.back()[0]);
      }
      std::sort(lengths.begin(), lengths.end());
      if (parts > 1 && lengths[(parts - 1) / 2] > 1) {
        const auto shift = std::size_t(std::ceil(double(n) / double(parts) / 2));
        for (std::size_t i = 0; i + 1 < parts; ++i)
          intervals.push_back({intervals[i][0] + shift, intervals[i][1] + shift});
      }
      for (const auto& [begin, end] : intervals)
        for (const auto& views : channels) {
          const auto quantiles =
              quantiles_by_definition(views[v], begin, end, 1 + (end - begin - 1) / divisor);
          features.insert(features.end(), quantiles.begin(), quantiles.end());
        }
    }
  }
  return features;
}

Parameters depth_and_divisor(int depth, std::size_t divisor) {
  return {{"depth", std::int64_t{depth}}, {"divisor", static_cast<std::int64_t>(divisor)}};
}

}  // namespace

TEST_CASE("intervals by hand") {
  const auto divisions = quant_divisions(7, 6, 4);
  REQUIRE(divisions.size() == 5);  // one of 1, two of 2, two of 4: 1, 2, 2 and 2 values
  const auto bounds = [&](std::size_t d, std::size_t i) {
    const auto [begin, end] = divisions[d].interval(i, 7);
    return std::array{begin, end};
  };
  CHECK(divisions[0].quantiles == std::vector<std::size_t>{2});
  CHECK(bounds(1, 0) == std::array<std::size_t, 2>{0, 3});
  CHECK(bounds(1, 1) == std::array<std::size_t, 2>{3, 7});
  CHECK(divisions[2].shifted);
  CHECK(bounds(2, 0) == std::array<std::size_t, 2>{2, 5});
  CHECK(bounds(3, 3) == std::array<std::size_t, 2>{5, 7});
  CHECK(divisions[4].shifted);
  CHECK(divisions[4].quantiles.size() == 3);
  CHECK(bounds(4, 0) == std::array<std::size_t, 2>{1, 2});
  CHECK(bounds(4, 2) == std::array<std::size_t, 2>{4, 6});
  CHECK(quant_divisions(6, 6, 4).size() == 4);  // 4 parts of 1, 2, 1 and 2 values: not shifted
}

TEST_CASE("all features equal their definition") {
  for (const std::size_t channels : {1, 3})
    for (const std::size_t steps : {3, 4, 5, 7, 9, 12, 16, 31, 60, 97, 128, 150, 301})
      for (const auto& [depth, divisor] :
           std::vector<std::pair<int, std::size_t>>{{6, 4}, {1, 1}, {9, 3}, {4, 100}}) {
        const Layout layout = Layout::sequence(steps, channels);
        const FloatMatrix series = random_series(4, layout, steps);
        const auto quant =
            make_component<Normalizer>("normalizer/quant", depth_and_divisor(depth, divisor));
        const FloatMatrix out = made(*quant, layout, series);
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < series.rows; ++i) {
          const auto expected =
              features_by_definition({series.view().row_span(i), channels}, depth, divisor);
          REQUIRE(out.cols == expected.size());
          // Views are rounded to float32 before means are subtracted; the largest has the sum of a
          // series.
          const double rounding = 1e-7 * double(steps + 5) * 5;
          for (std::size_t c = 0; c < expected.size(); ++c)
            if (!(std::abs(out.view().row(i)[c] - expected[c]) < rounding)) ++wrong;
        }
        CAPTURE(channels);
        CAPTURE(steps);
        CAPTURE(depth);
        CHECK(wrong == 0);
      }
}

TEST_CASE("a series is divided at the fractions of its own length") {
  // Twice as long, each value twice: the same quantiles of the values themselves, up to
  // interpolation; exactly the same minimum of each interval.
  const Layout layout = Layout::sequence(64, 1);
  const auto quant = make_component<Normalizer>("normalizer/quant", depth_and_divisor(3, 1000));
  const FloatMatrix series = random_series(1, layout, 64);
  std::vector<float> half;
  for (std::size_t t = 0; t < 64; t += 2) half.push_back(series.values[t]);
  std::vector<float> twice;
  for (const float x : half) twice.insert(twice.end(), {x, x});
  const auto a = made_of(*quant, layout, half), b = made_of(*quant, layout, twice);
  REQUIRE(a.size() == b.size());
  // Medians of 1, 2 and 1, 4 and 3 intervals of the values.
  for (std::size_t c = 0; c < 11; ++c) CHECK(a[c] == doctest::Approx(b[c]));
  // Far shorter than there are parts: every interval has a value.
  const auto fine = make_component<Normalizer>("normalizer/quant");
  for (const std::vector<float>& few : {std::vector<float>{1, 2, 4}, {1, 3}, {7}})
    for (const float x : made_of(*fine, layout, few)) CHECK(std::abs(x) <= 7);
  CHECK(made_of(*fine, layout, {7})[1] == 0);
  CHECK(made_of(*fine, layout, {7})[2] == 7);
}

TEST_CASE("a constant series has its value, and no slope") {
  const Layout layout = Layout::sequence(20, 1);
  const auto quant = make_component<Normalizer>("normalizer/quant", depth_and_divisor(1, 10));
  CHECK(made_of(*quant, layout, std::vector<float>(20, 3.0f)) ==
        std::vector<float>{3, 0, 0, 0, 0, 0, 0, 60.0f - 60.0f / 11});
}

TEST_CASE("quant keeps the transforms' contract") {
  for (const std::size_t channels : {1, 3}) {
    const Layout layout = Layout::sequence(90, channels);
    const FloatMatrix series = random_series(50, layout, 1);
    const auto one = make_component<Normalizer>("normalizer/quant"),
               loaded = make_component<Normalizer>("normalizer/quant");
    one->bind(layout);
    fit_series(*one, layout, series, 1);
    const FloatMatrix expected = made(*one, layout, series);
    MemoryState state;
    one->save(state);
    TestContext context;
    loaded->bind(layout);
    loaded->load(state, context);
    CHECK(made(*loaded, layout, series).values == expected.values);
    check_series_alone(*one, layout, series);

    loaded->bind(Layout::sequence(91, channels));
    CHECK_THROWS_WITH_AS(loaded->load(state, context),
                         doctest::Contains("the saved intervals are those of series of 90 steps"),
                         Error);
  }
}

TEST_CASE("what quant cannot take is refused with its place") {
  const auto quant = make_component<Normalizer>("normalizer/quant");
  CHECK_THROWS_WITH_AS(quant->bind(Layout::vector(30)), doctest::Contains("feature/as_series"),
                       Error);
  CHECK_THROWS_WITH_AS(quant->bind(Layout::sequence(2, 1)),
                       doctest::Contains("quant needs series of at least 3 steps"), Error);
  const Layout layout = Layout::sequence(20, 1);
  quant->bind(layout);
  const std::vector<float> good(20, 1.0f);
  CHECK_THROWS_WITH_AS(fit_series(*quant, layout, series_of(layout, {})),
                       doctest::Contains("no training rows"), Error);
  CHECK_THROWS_WITH_AS(fit_series(*quant, layout, series_of(layout, {good, {}})),
                       doctest::Contains("training row 1 (counted from 0) is empty"), Error);
  fit_series(*quant, layout, series_of(layout, {good}));
  auto bad = good;
  bad[7] = std::numeric_limits<float>::quiet_NaN();
  CHECK_THROWS_WITH_AS(made(*quant, layout, series_of(layout, {good, bad})),
                       doctest::Contains("row 1 of the block (counted from 0) has a value that is "
                                         "not a number in step 7"),
                       Error);
  bad[7] = 3e38f, bad[8] = -3e38f;
  CHECK_THROWS_WITH_AS(made(*quant, layout, series_of(layout, {good, bad})),
                       doctest::Contains("the second differences of the series are larger than "
                                         "float32 can hold"),
                       Error);
  TestContext stopped;
  stopped.stop = StopReason::cancelled;
  FloatMatrix out(1, 1);
  CHECK_THROWS_WITH_AS(quant->apply(series_of(layout, {good}).view(), out.view(), stopped),
                       doctest::Contains("but there is room for 1"), Error);
  FloatMatrix room(1, quant->bind(layout).size());
  CHECK_THROWS_AS(quant->apply(series_of(layout, {good}).view(), room.view(), stopped), Cancelled);
}

}  // namespace quant_test
