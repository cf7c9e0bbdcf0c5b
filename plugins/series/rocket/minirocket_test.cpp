// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>
#include <numeric>

#include "rocket/minirocket_testing.hpp"
#include "semblance_numerics/lesser_targets.hpp"

namespace minirocket_test {

using namespace semblance;
using namespace semblance::series;

namespace {

RocketBank bank_of(const FloatMatrix& series, std::size_t channels, std::size_t each) {
  TestContext context;
  Random random(5);
  return learn_bank(training_on(series, channels), each, random, context);
}

}  // namespace

TEST_CASE("there are 84 kernels, each with three places out of nine") {
  const auto& kernels = rocket_kernels();
  CHECK(kernels.front() == std::array<std::uint8_t, 3>{0, 1, 2});
  CHECK(kernels.back() == std::array<std::uint8_t, 3>{6, 7, 8});
  CHECK(std::is_sorted(kernels.begin(), kernels.end()));
  for (const auto& k : kernels) CHECK((k[0] < k[1] && k[1] < k[2]));
}

TEST_CASE("dilations grow exponentially and share the biases") {
  RocketBank bank;
  choose_dilations(9, 119, bank);
  CHECK(bank.dilations == std::vector<std::uint32_t>{1});
  CHECK(bank.biases_each == std::vector<std::uint32_t>{119});
  // 32 exponents from 0 to log2(23 / 8) = 1.52: 21 of them are below 1. 119 / 32 = 3.72 for each.
  choose_dilations(24, 119, bank);
  CHECK(bank.dilations == std::vector<std::uint32_t>{1, 2});
  CHECK(bank.biases_each == std::vector<std::uint32_t>{79, 40});
  for (const std::size_t steps : {10, 57, 150, 249, 1345, 2001}) {
    for (const std::size_t each : {1, 7, 74, 119, 500}) {
      choose_dilations(steps, each, bank);
      CHECK(bank.dilations.front() == 1);
      CHECK(std::accumulate(bank.biases_each.begin(), bank.biases_each.end(), 0u) == each);
      CHECK(std::is_sorted(bank.dilations.begin(), bank.dilations.end()));
      if (each > 1) CHECK(bank.dilations.back() == (steps - 1) / 8);
    }
  }
}

TEST_CASE("biases are quantiles of the sums of a training series, zeros around it") {
  const FloatMatrix series = whole_series(1, Layout::sequence(70, 2), 70);
  const RocketBank bank = bank_of(series, 2, 74);
  std::size_t b = 0;
  for (std::size_t i = 0; i < bank.combinations(); ++i) {
    const std::size_t d = i / rocket_kernel_count, k = i % rocket_kernel_count;
    auto sums = sums_by_definition({series.values, 2}, bank.dilations[d], k, bank.subset(i), 0);
    std::sort(sums.begin(), sums.end());
    for (std::size_t n = 0; n < bank.biases_each[d]; ++n, ++b) {
      const double place = 69 * std::fmod(double(b + 1) * (std::sqrt(5.0) + 1) / 2, 1.0);
      const auto low = static_cast<std::size_t>(place);
      const double rise = sums[std::min<std::size_t>(low + 1, 69)] - sums[low];
      CHECK(std::abs(bank.biases[b] - (sums[low] + (place - double(low)) * rise)) < 1e-4);
    }
  }
  CHECK(b == bank.biases.size());
}

TEST_CASE("subsets of channels have 1 to 9 of them, small ones more often") {
  const FloatMatrix series = whole_series(3, Layout::sequence(100, 12), 100);
  const RocketBank bank = bank_of(series, 12, 74);
  std::array<int, 10> times{};
  for (std::size_t i = 0; i < bank.combinations(); ++i) {
    const auto subset = bank.subset(i);
    REQUIRE(subset.size() >= 1);
    REQUIRE(subset.size() <= 9);
    ++times[subset.size()];
    for (std::size_t c = 0; c < subset.size(); ++c) {
      CHECK(subset[c] < 12);
      if (c > 0) CHECK(subset[c - 1] < subset[c]);
    }
  }
  // log2 of the number is uniform: 1 has log2(2) / log2(10) = 0.30 of them, 9 has 0.046.
  const double all = double(bank.combinations());
  CHECK(times[1] / all == doctest::Approx(0.30).epsilon(0.15));
  CHECK(times[9] / all == doctest::Approx(0.046).epsilon(0.5));
}

TEST_CASE("all features equal their definition, to the bit where sums are exact") {
  for (const std::size_t channels : {1, 3})
    for (const std::size_t steps : {9, 24, 70, 150, 300}) {
      const Layout layout = Layout::sequence(steps, channels);
      const FloatMatrix series = whole_series(19, layout, 1);
      RocketBank bank = bank_of(series, channels, 20);
      for (float& bias : bank.biases) bias = std::floor(bias);
      const std::size_t biases = bank.biases.size();
      FloatMatrix four(series.rows, 4 * biases), one(series.rows, biases);
      const auto all = views(series, channels);
      pool_series(bank, RocketPooling::four, false, all, four.view(), [] {});
      pool_series(bank, RocketPooling::proportion, false, all, one.view(), [] {});
      std::array<std::size_t, 4> wrong{};
      for (std::size_t i = 0; i < series.rows; ++i) {
        const auto expected = features_by_definition(bank, all[i]);
        for (std::size_t c = 0; c < expected.size(); ++c) {
          const double difference = std::abs(double(four.view().row(i)[c]) - expected[c]);
          if (difference > 1e-6 * std::max(1.0, std::abs(expected[c])) + (c / biases == 1) * 1e-4)
            ++wrong[c / biases];
        }
        CHECK(std::equal(one.view().row(i), one.view().row(i) + biases, four.view().row(i)));
      }
      CAPTURE(channels);
      CAPTURE(steps);
      CHECK(wrong == std::array<std::size_t, 4>{});
    }
}

TEST_CASE("all SIMD targets of the CPU give the same bits") {
  for (const std::size_t channels : {1, 3}) {
    const Layout layout = Layout::sequence(170, channels);
    const FloatMatrix series = random_series(35, layout, 3);
    const RocketBank bank = bank_of(series, channels, 30);
    const auto pooled = [&](RocketPooling pooling) {
      FloatMatrix out(series.rows, rocket_columns(bank, pooling));
      pool_series(bank, pooling, true, views(series, channels), out.view(), [] {});
      return out.values;
    };
    const auto four = pooled(RocketPooling::four), one = pooled(RocketPooling::proportion);
    numerics::on_lesser_targets([&](const char* target) {
      CAPTURE(target);
      CHECK(pooled(RocketPooling::four) == four);
      CHECK(pooled(RocketPooling::proportion) == one);
    });
  }
}

TEST_CASE("differences are features of the differences") {
  const Layout layout = Layout::sequence(60, 2);
  const FloatMatrix series = whole_series(21, layout, 2);
  std::vector<std::vector<float>> differences;
  for (std::size_t i = 0; i < series.rows; ++i) {
    const auto x = series.view().row_span(i);
    differences.emplace_back();
    for (std::size_t k = 2; k < x.size(); ++k) differences.back().push_back(x[k] - x[k - 2]);
  }
  const FloatMatrix other = series_of(layout, differences);
  const RocketBank bank = bank_of(other, 2, 10);
  FloatMatrix a(series.rows, rocket_columns(bank, RocketPooling::four)), b = a;
  pool_series(bank, RocketPooling::four, true, views(series, 2), a.view(), [] {});
  pool_series(bank, RocketPooling::four, false, views(other, 2), b.view(), [] {});
  CHECK(a.values == b.values);
}

TEST_CASE("minirocket keeps the transforms' contract") {
  const auto minirocket = make_component<Normalizer>("normalizer/minirocket");
  CHECK(minirocket->bind(Layout::sequence(9, 1)) == Layout::vector(9996));
  check_rocket_contract("normalizer/minirocket", {{"features", std::int64_t{1000}}}, 924);
}

TEST_CASE("the columns are shares of positive values") {
  const Layout layout = Layout::sequence(50, 1);
  const FloatMatrix series = random_series(30, layout, 1);
  const auto minirocket =
      make_component<Normalizer>("normalizer/minirocket", {{"features", std::int64_t{500}}});
  minirocket->bind(layout);
  fit_series(*minirocket, layout, series);
  const FloatMatrix out = made(*minirocket, layout, series);
  for (const float x : out.values) CHECK((x >= 0 && x <= 1));
}

TEST_CASE("what is too short, empty or not finite is refused with its place") {
  const auto minirocket = make_component<Normalizer>("normalizer/minirocket");
  CHECK_THROWS_WITH_AS(minirocket->bind(Layout::vector(30)), doctest::Contains("feature/as_series"),
                       Error);
  CHECK_THROWS_WITH_AS(minirocket->bind(Layout::sequence(8, 1)),
                       doctest::Contains("minirocket needs series of at least 9 steps"), Error);
  const Layout layout = Layout::sequence(20, 1);
  minirocket->bind(layout);
  const std::vector<float> good(20, 1.0f), brief(8, 1.0f);
  CHECK_THROWS_WITH_AS(fit_series(*minirocket, layout, series_of(layout, {})),
                       doctest::Contains("no training rows"), Error);
  CHECK_THROWS_WITH_AS(fit_series(*minirocket, layout, series_of(layout, {brief, brief})),
                       doctest::Contains("the longest training series has 8 steps"), Error);
  CHECK_THROWS_WITH_AS(fit_series(*minirocket, layout, series_of(layout, {good, {}})),
                       doctest::Contains("training row 1 (counted from 0) is empty"), Error);
  auto bad = good;
  bad[7] = std::numeric_limits<float>::quiet_NaN();
  CHECK_THROWS_WITH_AS(fit_series(*minirocket, layout, series_of(layout, {good, good, bad})),
                       doctest::Contains("training row 2 (counted from 0) has a value "
                                         "that is not a number in step 7"),
                       Error);
  fit_series(*minirocket, layout, series_of(layout, {good, brief}));
  bad[7] = std::numeric_limits<float>::infinity();
  CHECK_THROWS_WITH_AS(made(*minirocket, layout, series_of(layout, {good, bad})),
                       doctest::Contains("row 1 of the block (counted from 0) has a value that is "
                                         "infinite in step 7"),
                       Error);
  CHECK_THROWS_WITH_AS(made(*minirocket, layout, series_of(layout, {{}})),
                       doctest::Contains("row 0 of the block (counted from 0) is empty"), Error);
}

TEST_CASE("a stop is heard, and a damaged state is refused") {
  const Layout layout = Layout::sequence(20, 1);
  const FloatMatrix series = random_series(30, layout, 9);
  const auto minirocket =
      make_component<Normalizer>("normalizer/minirocket", {{"features", std::int64_t{500}}});
  minirocket->bind(layout);
  TestContext stopped;
  stopped.stop = StopReason::cancelled;
  const MemoryRows rows(series);
  CHECK_THROWS_AS(minirocket->fit({rows, layout, {}, {}}, stopped), Cancelled);
  fit_series(*minirocket, layout, series);
  FloatMatrix out(series.rows, 420);
  CHECK_THROWS_AS(minirocket->apply(series.view(), out.view(), stopped), Cancelled);

  MemoryState state;
  minirocket->save(state);
  const auto other =
      make_component<Normalizer>("normalizer/minirocket", {{"features", std::int64_t{1000}}});
  other->bind(layout);
  TestContext context;
  CHECK_THROWS_WITH_AS(other->load(state, context),
                       doctest::Contains("the saved kernels are damaged: there are 420 biases"),
                       Error);
  CHECK_THROWS_WITH_AS(other->apply(series.view(), out.view(), context),
                       doctest::Contains("fit it before"), Error);
}

}  // namespace minirocket_test
