// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "rocket/minirocket_testing.hpp"
#include "semblance_numerics/lesser_targets.hpp"
#include "shapelets/shapelet_bank.hpp"
#include "shapelets/shapelet_distances.hpp"
#include "shapelets/shapelet_places.hpp"

namespace rdst_test {

using namespace semblance;
using namespace semblance::series;

namespace {

/// Every window of a series, in double: (window, channel and place).
std::vector<std::vector<double>> windows_by_definition(const SeriesView& series, std::size_t length,
                                                       std::size_t dilation, bool normalized) {
  std::vector<std::vector<double>> windows;
  const std::size_t reach = (length - 1) * dilation, steps = std::max(series.steps(), reach + 1);
  for (std::size_t p = 0; p + reach < steps; ++p) {
    auto& window = windows.emplace_back();
    for (std::size_t c = 0; c < series.channels; ++c) {
      std::vector<double> x;
      for (std::size_t t = 0; t < length; ++t)
        x.push_back(
            series.values[std::min(p + t * dilation, series.steps() - 1) * series.channels + c]);
      double mean = 0, variance = 0;
      for (const double v : x) mean += v / double(length);
      for (const double v : x) variance += (v - mean) * (v - mean) / double(length);
      const bool equal = std::ranges::all_of(x, [&](double v) { return v == x.front(); });
      for (const double v : x)
        window.push_back(!normalized ? v : equal ? 0 : (v - mean) / std::sqrt(variance));
    }
  }
  return windows;
}

/// The distances of a shapelet, then its figures.
std::vector<double> distances_by_definition(const ShapeletBank& bank, std::size_t shapelet,
                                            const SeriesView& series) {
  std::vector<double> distances;
  for (const auto& window : windows_by_definition(series, bank.length, bank.dilations[shapelet],
                                                  bank.normalized[shapelet] != 0)) {
    double sum = 0;
    for (std::size_t i = 0; i < window.size(); ++i)
      sum += std::abs(window[i] - double(bank.values_of(shapelet)[i]));
    distances.push_back(sum);
  }
  return distances;
}

FloatMatrix compared(const ShapeletBank& bank, const FloatMatrix& series) {
  FloatMatrix out(series.rows, bank.columns());
  compare_with_shapelets(bank, views(series, bank.channels), out.view(), [] {});
  return out;
}

ShapeletTraining training_from(const FloatMatrix& series, std::size_t channels,
                               std::span<const std::int32_t> labels) {
  ShapeletTraining training{channels, {}, labels, training_on(series, channels).series};
  for (const SeriesView& one : views(series, channels)) training.steps.push_back(one.steps());
  return training;
}

ShapeletBank drawn(const FloatMatrix& series, const ShapeletChoice& choice,
                   std::size_t channels = 1, std::vector<std::int32_t> labels = {}) {
  labels.resize(series.rows);
  TestContext context(2);
  Random random(5);
  return draw_shapelets(choice, training_from(series, channels, labels), random, context);
}

Parameters shapelets(std::int64_t count) { return {{"shapelets", count}}; }

}  // namespace

TEST_CASE("all figures equal their definition, to the bit where sums are exact") {
  for (const std::size_t channels : {1, 3})
    for (const std::size_t steps : {2, 9, 24, 70, 300}) {
      const Layout layout = Layout::sequence(steps, channels);
      const FloatMatrix series = whole_series(19, layout, 1);
      const ShapeletBank bank = drawn(series, {60, 11, 0, 0.5}, channels);
      const FloatMatrix out = compared(bank, series);
      const auto all = views(series, channels);
      std::size_t wrong = 0;
      for (std::size_t i = 0; i < series.rows; ++i)
        for (std::size_t s = 0; s < bank.count(); ++s) {
          const auto expected = distances_by_definition(bank, s, all[i]);
          const auto least = std::ranges::min_element(expected);
          const float* figures = out.view().row(i) + 3 * s;
          wrong += figures[0] != *least;
          // Of equal distances, of which small whole numbers have many, the first.
          wrong += figures[1] != double(least - expected.begin());
          wrong += figures[2] != double(std::ranges::count_if(expected, [&](double distance) {
                     return float(distance) < bank.thresholds[s];
                   }));
        }
      CAPTURE(channels);
      CAPTURE(steps);
      CHECK(wrong == 0);
    }
}

TEST_CASE("normalized windows: within rounding of the definition, at any level and scale") {
  for (const double level : {0.0, 1e6})
    for (const double scale : {1e-42, 1e-30, 1.0, 1e28}) {
      if (level > 0 && scale != 1) continue;
      FloatMatrix series = random_series(6, Layout::sequence(90, 2), 40);
      for (float& x : series.values) x = static_cast<float>(level + scale * x);
      const ShapeletBank bank = drawn(series, {80, 11, 1, 0.5}, 2);
      CAPTURE(level);
      CAPTURE(scale);
      const auto all = views(series, 2);
      for (std::size_t s = 0; s < bank.count(); ++s)
        for (const SeriesView& one : all) {
          const auto expected = distances_by_definition(bank, s, one);
          const auto distances = shapelet_distances(bank, s, one);
          REQUIRE(distances.size() == expected.size());
          // Denormal floats have few digits; their differences from the mean are rounded to them.
          const double tolerance = scale < 1e-40 ? 0.05 : 1e-5;
          for (std::size_t p = 0; p < expected.size(); ++p)
            CHECK(std::abs(distances[p] - expected[p]) <= tolerance * (1 + expected[p]));
        }
    }
}

TEST_CASE("a shapelet is at distance 0 from where it comes from") {
  const FloatMatrix series = random_series(7, Layout::sequence(120, 2), 60);
  for (const double normalized : {0.0, 1.0}) {
    const ShapeletBank bank = drawn(series, {50, 11, normalized, 0.5}, 2);
    const FloatMatrix out = compared(bank, series);
    for (std::size_t s = 0; s < bank.count(); ++s) {
      float least = 1;
      for (std::size_t i = 0; i < series.rows; ++i)
        least = std::min(least, out.view().row(i)[3 * s]);
      CHECK(least == 0);
    }
  }
}

TEST_CASE("all targets give the same bits") {
  for (const std::size_t channels : {1, 3}) {
    const FloatMatrix series = random_series(20, Layout::sequence(170, channels), 2);
    const ShapeletBank bank = drawn(series, {103, 11, 0.8, 0.5}, channels);
    const auto expected = compared(bank, series).values;
    numerics::on_lesser_targets([&](const char* target) {
      CAPTURE(target);
      CHECK(compared(bank, series).values == expected);
      const ShapeletBank other = drawn(series, {103, 11, 0.8, 0.5}, channels);
      CHECK(other.values == bank.values);
      CHECK(other.thresholds == bank.thresholds);
    });
  }
}

TEST_CASE("dilations are log-uniform, and a share is normalized") {
  const FloatMatrix series = random_series(20, Layout::sequence(161, 1), 161);
  const ShapeletBank bank = drawn(series, {4000, 11, 0.8, 0.5});
  CHECK(bank.length == 11);
  CHECK(std::ranges::is_sorted(bank.dilations));
  CHECK(bank.dilations.front() == 1);
  // floor(2^x), x < log2(160 / 10) = 4: a quarter each is in 1, in 2 to 3, in 4 to 7, in 8 to 15.
  CHECK(bank.dilations.back() == 15);
  for (const std::uint32_t first : {1, 2, 4, 8}) {
    const auto count = std::ranges::count_if(
        bank.dilations, [&](std::uint32_t d) { return d >= first && d < 2 * first; });
    CHECK(std::abs(double(count) - 1000) < 120);
  }
  const auto normalized = std::ranges::count(bank.normalized, 1);
  CHECK(std::abs(double(normalized) - 3200) < 100);
  // Half of the median series, but 2.
  CHECK(drawn(random_series(3, Layout::sequence(9, 1), 9), {5, 11, 0.8, 0.5}).length == 4);
  CHECK(drawn(random_series(3, Layout::sequence(2, 1), 2), {5, 11, 0.8, 0.5}).length == 2);
}

TEST_CASE("a very long or a very short series leaves dilations as they are") {
  std::vector<std::vector<float>> series(9, std::vector<float>(61));
  series[0].resize(1);
  series[1].resize(5000);
  const FloatMatrix rows = series_of(Layout::sequence(5000, 1), series);
  const ShapeletBank bank = drawn(rows, {500, 11, 0.8, 0.5});
  CHECK(bank.length == 11);
  CHECK(bank.dilations.back() == 5);
  // Half are of one step; the others have room for a shapelet of two.
  const FloatMatrix tiny = series_of(Layout::sequence(2, 1), {{1}, {2, 3}, {4}, {5}});
  CHECK(drawn(tiny, {50, 11, 0.8, 0.5}).length == 2);
}

TEST_CASE("places share few values, until none is left") {
  const std::vector<std::size_t> steps = {30, 3, 45};
  ShapeletPlaces places(steps, 5, 3, 3);
  Random random(2);
  std::vector<ShapeletPlaces::Place> all;
  const auto near = [](const auto& a, const auto& b) {
    const std::size_t away = a.step > b.step ? a.step - b.step : b.step - a.step;
    return a.series == b.series && away % 3 == 0 && away < 9;
  };
  // 18 places in the first series and 33 in the last: 6 and 11 of each remainder by 3, of which
  // from 2 to 2 and from 3 to 4 can be apart.
  for (std::size_t i = 0; i < 3 * (2 + 3); ++i) {
    const auto place = places.draw(random);
    CHECK((place.series == 0 || place.series == 2));
    CHECK(place.step + 12 < steps[place.series]);
    for (const auto& earlier : all) CHECK_FALSE(near(place, earlier));
    all.push_back(place);
  }
  // More than fit: earlier places come again.
  std::set<std::size_t> seen;
  for (int i = 0; i < 1000; ++i)
    if (const auto place = places.draw(random); place.series == 0) seen.insert(place.step);
  CHECK(seen.size() == 18);
}

TEST_CASE("places are drawn uniformly") {
  const std::vector<std::size_t> steps = {12, 22};
  std::map<std::pair<std::size_t, std::size_t>, int> drawn;
  Random random(9);
  for (int i = 0; i < 30000; ++i) {
    ShapeletPlaces places(steps, 3, 1, 2);
    const auto place = places.draw(random);
    ++drawn[{place.series, place.step}];
  }
  REQUIRE(drawn.size() == 10 + 20);
  for (const auto& [place, count] : drawn) CHECK(std::abs(count - 1000) < 150);
}

TEST_CASE("thresholds lie between the percentiles of a classmate's distances") {
  // Three series of one class and one of another; values tell them apart.
  FloatMatrix series = random_series(4, Layout::sequence(100, 1), 100);
  for (float& x : series.values) x = std::round(x);
  const std::vector<std::int32_t> labels = {1, 0, 1, 1};
  const ShapeletBank bank = drawn(series, {200, 11, 0.5, 0.5}, 1, labels);
  const auto all = views(series, 1);
  std::size_t between = 0;
  for (std::size_t s = 0; s < bank.count(); ++s) {
    std::size_t home = 4;
    for (std::size_t i = 0; i < 4; ++i)
      if (std::ranges::min(shapelet_distances(bank, s, all[i])) == 0) home = i;
    REQUIRE(home < 4);
    bool fits = false;
    for (std::size_t i = 0; i < 4; ++i) {
      if (labels[i] != labels[home] || (i == home && labels[home] == 1)) continue;
      auto sorted = distances_by_definition(bank, s, all[i]);
      std::ranges::sort(sorted);
      const auto at = [&](double share) {
        const double place = share * double(sorted.size() - 1);
        const auto below = std::size_t(place);
        return sorted[below] + (place - double(below)) * (sorted[below + 1] - sorted[below]);
      };
      fits |= bank.thresholds[s] >= at(0.05) - 1e-5 && bank.thresholds[s] <= at(0.1) + 1e-5;
    }
    between += fits;
  }
  CHECK(between == bank.count());
}

TEST_CASE("constant, tiny and short series have finite figures") {
  const Layout layout = Layout::sequence(40, 1);
  const FloatMatrix series =
      series_of(layout, {std::vector<float>(40, 3.0f), std::vector<float>(40, 0.1f), {2}, {1, 2}});
  for (const double normalized : {0.0, 1.0}) {
    const ShapeletBank bank = drawn(series, {30, 11, normalized, 0.5});
    for (const float x : bank.thresholds) CHECK(std::isfinite(x));
    const FloatMatrix out = compared(bank, series);
    for (std::size_t s = 0; s < bank.count(); ++s) {
      // All shapelets are constant.
      const float value = bank.values_of(s)[0];
      CHECK((normalized == 1 ? value == 0 : value == 3.0f || value == 0.1f));
      const float* constant = out.view().row(0) + 3 * s;
      const float sum = 11 * std::abs(value - 3.0f);
      CHECK(constant[0] == doctest::Approx(normalized == 1 ? 0 : sum));
      CHECK(constant[1] == 0);
      // One step, repeated: a single constant window for each shapelet.
      const float* short_one = out.view().row(2) + 3 * s;
      CHECK(short_one[0] == doctest::Approx(normalized == 1 ? 0 : 11 * std::abs(value - 2.0f)));
      CHECK(short_one[1] == 0);
    }
  }
}

TEST_CASE("rdst keeps the transforms' contract") {
  const auto rdst = make_component<Normalizer>("normalizer/rdst");
  CHECK(rdst->bind(Layout::sequence(2, 1)) == Layout::vector(30000));
  check_rocket_contract("normalizer/rdst", shapelets(70), 210);
}

TEST_CASE("classes decide about thresholds alone") {
  const Layout layout = Layout::sequence(60, 1);
  const FloatMatrix series = random_series(20, layout, 30);
  const auto fitted = [&](std::int32_t classes) {
    auto rdst = make_component<Normalizer>("normalizer/rdst", shapelets(40));
    rdst->bind(layout);
    TestContext context(2, 1);
    const MemoryRows rows(series);
    std::vector<std::int32_t> labels(series.rows);
    for (std::size_t i = 0; i < labels.size(); ++i)
      labels[i] = classes == 0 ? -1 : std::int32_t(i) % classes;
    const std::vector<std::string> names(static_cast<std::size_t>(classes), "a");
    rdst->fit({rows, layout, labels, names}, context);
    return made(*rdst, layout, series);
  };
  const FloatMatrix none = fitted(0), one = fitted(1), three = fitted(3);
  CHECK(none.values == one.values);
  std::size_t same = 0, counts = 0;
  for (std::size_t i = 0; i < one.values.size(); ++i)
    (i % 3 == 2 ? counts : same) += one.values[i] == three.values[i];
  CHECK(same == 2 * one.values.size() / 3);
  CHECK(counts < one.values.size() / 3);
}

TEST_CASE("what rdst cannot take is refused with its place") {
  const auto rdst = make_component<Normalizer>("normalizer/rdst", shapelets(20));
  CHECK_THROWS_WITH_AS(rdst->bind(Layout::sequence(1, 1)),
                       doctest::Contains("rdst needs series of at least 2 steps"), Error);
  const Layout layout = Layout::sequence(20, 1);
  rdst->bind(layout);
  const std::vector<float> good(20, 1.0f);
  CHECK_THROWS_WITH_AS(fit_series(*rdst, layout, series_of(layout, {})),
                       doctest::Contains("no training rows"), Error);
  CHECK_THROWS_WITH_AS(fit_series(*rdst, layout, series_of(layout, {{1}, {2}})),
                       doctest::Contains("the longest training series has 1 step, "
                                         "but kernels need at least 2"),
                       Error);
  auto bad = good;
  bad[7] = 2e30f;
  CHECK_THROWS_WITH_AS(fit_series(*rdst, layout, series_of(layout, {good, bad})),
                       doctest::Contains("training row 1 (counted from 0) has values beyond 1e30"),
                       Error);
  FloatMatrix out(1, 60);
  TestContext context;
  CHECK_THROWS_WITH_AS(rdst->apply(series_of(layout, {good}).view(), out.view(), context),
                       doctest::Contains("fit it before"), Error);
  // One series, which is its own classmate.
  fit_series(*rdst, layout, series_of(layout, {good}));
  for (const float x : made(*rdst, layout, random_series(4, layout, 1)).values)
    CHECK(std::isfinite(x));
  bad[7] = std::numeric_limits<float>::quiet_NaN();
  CHECK_THROWS_WITH_AS(made(*rdst, layout, series_of(layout, {good, bad})),
                       doctest::Contains("row 1 of the block (counted from 0) has a value that is "
                                         "not a number in step 7"),
                       Error);
  TestContext stopped;
  stopped.stop = StopReason::cancelled;
  CHECK_THROWS_AS(rdst->apply(series_of(layout, {good}).view(), out.view(), stopped), Cancelled);
}

TEST_CASE("a damaged state of rdst is refused") {
  const Layout layout = Layout::sequence(40, 2);
  const auto rdst = make_component<Normalizer>("normalizer/rdst", shapelets(20));
  rdst->bind(layout);
  fit_series(*rdst, layout, random_series(5, layout, 9));
  MemoryState state;
  rdst->save(state);
  TestContext context;
  const auto load = [&](const Layout& bound, Parameters parameters) {
    const auto other = make_component<Normalizer>("normalizer/rdst", parameters);
    other->bind(bound);
    other->load(state, context);
  };
  load(layout, shapelets(20));
  CHECK_THROWS_WITH_AS(load(layout, shapelets(30)),
                       doctest::Contains("the saved shapelets are damaged: there are 20 dilations "
                                         "and 440 values for 30 shapelets of 2 channels"),
                       Error);
  CHECK_THROWS_WITH_AS(load(Layout::sequence(40, 3), shapelets(20)),
                       doctest::Contains("for 20 shapelets of 3 channels"), Error);
  CHECK_THROWS_WITH_AS(load(layout, {{"shapelets", 20}, {"length", 5}}),
                       doctest::Contains("their length is 11, which is not in 2..5"), Error);
}

}  // namespace rdst_test
