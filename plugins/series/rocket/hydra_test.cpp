// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>

#include "rocket/hydra_counts.hpp"
#include "rocket/hydra_scale.hpp"
#include "rocket/minirocket_testing.hpp"
#include "semblance_numerics/lesser_targets.hpp"

namespace hydra_test {

using namespace semblance;
using namespace semblance::series;

namespace {

HydraBank bank_for(std::size_t steps, std::size_t channels, std::size_t groups) {
  HydraBank bank = hydra_layout(steps, channels, groups);
  Random random(3);
  draw_hydra_weights(bank, random);
  return bank;
}

/// Weights that are multiples of 1/8, so that sums of small whole numbers are exact, and ties are.
HydraBank coarse_bank(std::size_t steps, std::size_t channels, std::size_t groups) {
  HydraBank bank = bank_for(steps, channels, groups);
  for (float& w : bank.weights) w = std::round(8 * w) / 8;
  return bank;
}

/// The definition, step by step.
std::vector<double> features_by_definition(const HydraBank& bank, const SeriesView& series) {
  std::vector<double> features;
  for (std::size_t d = 0; d < bank.dilations.size(); ++d)
    for (const bool difference : {false, true}) {
      std::vector<double> sums, counts;
      const std::size_t steps = series.steps() - (difference ? 1 : 0);
      const auto value = [&](std::ptrdiff_t t, std::size_t c) -> double {
        if (t < 0 || t >= std::ptrdiff_t(steps)) return 0;
        const float* x = &series.values[std::size_t(t) * series.channels + c];
        return difference ? double(x[series.channels]) - *x : *x;
      };
      for (std::size_t g = 0; g < bank.groups; ++g) {
        const std::size_t number = bank.group_number(d, difference, g);
        double won[8] = {}, lost[8] = {};
        for (std::size_t j = 0; j < steps; ++j) {
          double responses[8] = {};
          for (std::size_t k = 0; k < 8; ++k)
            for (std::size_t tap = 0; tap < 9; ++tap)
              for (const std::uint32_t c : bank.channels_of(number))
                responses[k] += bank.weights_of(number)[tap * 8 + k] *
                                value(std::ptrdiff_t(j) + (std::ptrdiff_t(tap) - 4) *
                                                              std::ptrdiff_t(bank.dilations[d]),
                                      c);
          const auto best = std::max_element(responses, responses + 8);
          won[best - responses] += *best;
          ++lost[std::min_element(responses, responses + 8) - responses];
        }
        sums.insert(sums.end(), won, won + 8);
        counts.insert(counts.end(), lost, lost + 8);
      }
      features.insert(features.end(), sums.begin(), sums.end());
      features.insert(features.end(), counts.begin(), counts.end());
    }
  return features;
}

FloatMatrix counted(const HydraBank& bank, const FloatMatrix& series) {
  FloatMatrix out(series.rows, bank.columns());
  count_winners(bank, views(series, bank.channels), out.view(), [] {});
  return out;
}

Parameters groups(std::int64_t count, bool scale = true) {
  return {{"groups", count}, {"scale", scale}};
}

}  // namespace

TEST_CASE("dilations are powers of two, and channels are drawn") {
  CHECK(hydra_layout(9, 1, 32).dilations == std::vector<std::size_t>{1});
  CHECK(hydra_layout(16, 1, 32).dilations == std::vector<std::size_t>{1});
  CHECK(hydra_layout(17, 1, 32).dilations == std::vector<std::size_t>{1, 2});
  CHECK(hydra_layout(500, 1, 32).dilations.size() == 6);
  CHECK(hydra_layout(500, 1, 32).columns() == 6 * 1024);
  CHECK(hydra_layout(9, 2, 1).channels_each == 2);
  CHECK(hydra_layout(9, 7, 1).channels_each == 3);
  CHECK(hydra_layout(9, 40, 1).channels_each == 8);
  const HydraBank bank = bank_for(9, 5, 32);
  for (std::uint32_t c = 0; c < 5; ++c)
    CHECK(std::count(bank.channel_choices.begin(), bank.channel_choices.end(), c) > 0);
  CHECK(*std::max_element(bank.channel_choices.begin(), bank.channel_choices.end()) == 4);
}

TEST_CASE("a kernel's weights have the sum 0 and the size 1") {
  const HydraBank bank = bank_for(100, 1, 3);
  CHECK(bank.weights.size() == 4 * 2 * 3 * 8 * 9);
  for (std::size_t number = 0; number < bank.group_count(); ++number)
    for (std::size_t k = 0; k < 8; ++k) {
      double sum = 0, size = 0;
      for (std::size_t t = 0; t < 9; ++t) {
        sum += bank.weights_of(number)[t * 8 + k];
        size += std::abs(bank.weights_of(number)[t * 8 + k]);
      }
      CHECK(std::abs(sum) < 1e-7);
      CHECK(size == doctest::Approx(1));
    }
}

TEST_CASE("all figures equal their definition, to the bit where sums are exact") {
  for (const std::size_t channels : {1, 3})
    for (const std::size_t steps : {9, 24, 30, 31, 61, 150}) {
      const Layout layout = Layout::sequence(steps, channels);
      const FloatMatrix series = whole_series(19, layout, 2);
      const HydraBank bank = coarse_bank(steps, channels, 3);
      const FloatMatrix out = counted(bank, series);
      std::size_t wrong = 0;
      const auto all = views(series, channels);
      for (std::size_t i = 0; i < series.rows; ++i) {
        const auto expected = features_by_definition(bank, all[i]);
        REQUIRE(expected.size() == out.cols);
        for (std::size_t c = 0; c < expected.size(); ++c)
          wrong += double(out.view().row(i)[c]) != expected[c];
      }
      CAPTURE(channels);
      CAPTURE(steps);
      CHECK(wrong == 0);
    }
}

TEST_CASE("random weights and values: within rounding of the definition") {
  const FloatMatrix series = random_series(5, Layout::sequence(200, 1), 100);
  const HydraBank bank = bank_for(200, 1, 4);
  const FloatMatrix out = counted(bank, series);
  for (std::size_t i = 0; i < series.rows; ++i) {
    const auto expected = features_by_definition(bank, {series.view().row_span(i), 1});
    for (std::size_t c = 0; c < expected.size(); ++c)
      CHECK(out.view().row(i)[c] == doctest::Approx(expected[c]).epsilon(1e-5));
  }
}

TEST_CASE("AVX2 and AVX-512 give the same bits, others the same figures within rounding") {
  for (const std::size_t channels : {1, 3}) {
    const FloatMatrix series = random_series(35, Layout::sequence(170, channels), 2);
    const HydraBank exact = coarse_bank(170, channels, 3), bank = bank_for(170, channels, 3);
    const FloatMatrix whole = whole_series(35, Layout::sequence(170, channels), 2);
    const auto expected = counted(bank, series).values,
               expected_whole = counted(exact, whole).values;
    numerics::on_lesser_targets([&](const char* target) {
      CAPTURE(target);
      CHECK(counted(exact, whole).values == expected_whole);
      const auto values = counted(bank, series).values;
      if (std::string(target).find("AVX") != std::string::npos) CHECK(values == expected);
      std::size_t far = 0;
      for (std::size_t i = 0; i < values.size(); ++i)
        far += std::abs(values[i] - expected[i]) > 1e-4 * (1 + std::abs(expected[i]));
      CHECK(far <= 2);  // near ties
    });
  }
}

TEST_CASE("zeros are a tie, which the first kernel wins and loses") {
  const HydraBank bank = bank_for(40, 1, 1);
  const FloatMatrix out = counted(bank, FloatMatrix(1, 40));
  for (std::size_t c = 0; c < out.cols; ++c) {
    const bool count = c / 8 % 2 == 1, difference = c / 16 % 2 == 1;
    CHECK(out.values[c] == (count && c % 8 == 0 ? (difference ? 39 : 40) : 0));
  }
}

TEST_CASE("counts are scaled as the authors do") {
  // Columns: constant, zero, sparse, negative at times.
  const std::vector<std::vector<float>> counts = {
      {4, 0, 0, 9}, {4, 0, 16, -3}, {4, 0, 0, 1}, {4, 0, 25, 4}};
  FloatMatrix matrix(4, 4);
  for (std::size_t i = 0; i < 4; ++i)
    std::copy(counts[i].begin(), counts[i].end(), matrix.view().row(i));
  TestContext context(2);
  const HydraScale scale = learn_hydra_scale(4, 4, context, [&](std::size_t first, std::size_t n) {
    return FloatMatrix(matrix.view().rows_range(first, n));
  });
  // Roots of column 2: 0, 4, 0, 5; of column 3: 3, 0, 1, 2.
  const double spread = std::sqrt((2 * 2.25 * 2.25 + 1.75 * 1.75 + 2.75 * 2.75) / 3);
  CHECK(scale.means == std::vector<double>{2, 0, 2.25, 1.5});
  CHECK(scale.divisors[0] == 1);
  CHECK(scale.divisors[2] == doctest::Approx(spread + std::pow(0.5, 4) + 1e-8));
  CHECK(scale.divisors[3] == doctest::Approx(std::sqrt(5.0 / 3) + std::pow(0.25, 4) + 1e-8));
  std::vector<float> row = {4, 0, 16, -3};
  scale(row);
  CHECK(row[0] == 0);
  CHECK(row[1] == 0);
  CHECK(row[2] == doctest::Approx(1.75 / scale.divisors[2]));
  CHECK(row[3] == 0);
  // A single sample has no deviation.
  const HydraScale one = learn_hydra_scale(1, 4, context, [&](std::size_t, std::size_t) {
    return FloatMatrix(matrix.view().rows_range(0, 1));
  });
  CHECK(one.divisors == std::vector<double>{1, 1, 1, 1});
}

TEST_CASE("hydra keeps the transforms' contract") {
  const auto hydra = make_component<Normalizer>("normalizer/hydra");
  CHECK(hydra->bind(Layout::sequence(9, 1)) == Layout::vector(1024));
  // 90 steps: dilations 1, 2, 4 and 8.
  check_rocket_contract("normalizer/hydra", groups(2), 256);
  check_rocket_contract("normalizer/hydra", groups(1, false), 128);
}

TEST_CASE("what hydra cannot take is refused with its place") {
  const auto hydra = make_component<Normalizer>("normalizer/hydra", groups(2));
  CHECK_THROWS_WITH_AS(hydra->bind(Layout::sequence(8, 1)),
                       doctest::Contains("hydra needs series of at least 9 steps"), Error);
  const Layout layout = Layout::sequence(20, 1);
  const std::size_t columns = hydra->bind(layout).size();
  const std::vector<float> good(20, 1.0f);
  CHECK_THROWS_WITH_AS(fit_series(*hydra, layout, series_of(layout, {})),
                       doctest::Contains("no training rows"), Error);
  CHECK_THROWS_WITH_AS(fit_series(*hydra, layout, series_of(layout, {good, {1}})),
                       doctest::Contains("training row 1 (counted from 0) has 1 step, "
                                         "but needs at least 2"),
                       Error);
  auto bad = good;
  bad[7] = 2e30f;
  CHECK_THROWS_WITH_AS(fit_series(*hydra, layout, series_of(layout, {good, bad})),
                       doctest::Contains("training row 1 (counted from 0) has values beyond 1e30"),
                       Error);
  FloatMatrix out(1, columns);
  TestContext context;
  CHECK_THROWS_WITH_AS(hydra->apply(series_of(layout, {good}).view(), out.view(), context),
                       doctest::Contains("fit it before"), Error);
  fit_series(*hydra, layout, series_of(layout, {good, {1, 2}}));
  bad[7] = std::numeric_limits<float>::quiet_NaN();
  CHECK_THROWS_WITH_AS(made(*hydra, layout, series_of(layout, {good, bad})),
                       doctest::Contains("row 1 of the block (counted from 0) has a value that is "
                                         "not a number in step 7"),
                       Error);
  // One training sample gives finite columns, also for other series.
  fit_series(*hydra, layout, series_of(layout, {good}));
  for (const float x : made(*hydra, layout, random_series(4, layout, 2)).values)
    CHECK(std::abs(x) < 100);

  TestContext stopped;
  stopped.stop = StopReason::cancelled;
  CHECK_THROWS_AS(hydra->apply(series_of(layout, {good}).view(), out.view(), stopped), Cancelled);
}

TEST_CASE("a damaged state of hydra is refused") {
  const Layout layout = Layout::sequence(20, 2);
  const auto hydra = make_component<Normalizer>("normalizer/hydra", groups(2));
  hydra->bind(layout);
  fit_series(*hydra, layout, random_series(5, layout, 9));
  MemoryState state;
  hydra->save(state);
  TestContext context;
  const auto load = [&](const Layout& bound, std::int64_t count) {
    const auto other = make_component<Normalizer>("normalizer/hydra", groups(count));
    other->bind(bound);
    other->load(state, context);
  };
  load(layout, 2);
  CHECK_THROWS_WITH_AS(load(layout, 3),
                       doctest::Contains("the saved kernels are damaged: there are 576 weights "
                                         "instead of 864"),
                       Error);
  CHECK_THROWS_WITH_AS(load(Layout::sequence(20, 6), 2),
                       doctest::Contains("they are not those of 6 channels"), Error);
}

}  // namespace hydra_test
