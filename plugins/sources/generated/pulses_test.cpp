// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numbers>

#include "tests/sources_testing.hpp"

namespace pulses_test {

using namespace semblance;
using namespace semblance::testing;

namespace {
Parameters series(std::int64_t train, std::int64_t test, double jitter = 0.1, double noise = 0.5,
                  std::int64_t length = 200) {
  return {
      {"train", train}, {"test", test}, {"jitter", jitter}, {"noise", noise}, {"length", length}};
}

/// The frequency, in cycles per 100 steps, with the largest autocorrelation at its period.
double rate_by_autocorrelation(std::vector<float> values) {
  double best = 0, found = 0;
  // Differences have no slow drift.
  for (std::size_t t = values.size() - 1; t > 0; --t) values[t] -= values[t - 1];
  values[0] = 0;
  for (std::size_t lag = 7; lag < 40; ++lag) {
    double sum = 0;
    for (std::size_t t = lag; t < values.size(); ++t)
      sum += double{values[t]} * double{values[t - lag]};
    sum /= static_cast<double>(values.size() - lag);
    if (sum > best) best = sum, found = 100.0 / static_cast<double>(lag);
  }
  return found;
}
}  // namespace

TEST_CASE("the rate of pulses is what their autocorrelation says") {
  TestContext context;
  const auto source = make_component<Source>("source/pulses", series(300, 0, 0, 0.05, 400));
  CHECK(source->target_kind() == TargetKind::numbers);
  const auto data = open_checked(*source, context);
  CHECK(data->outline().targets == Texts{"rate"});
  double least = 100, most = 0;
  int right = 0;
  for (std::size_t i = 0; i < 300; ++i) {
    const double rate = data->targets()[i];
    least = std::min(least, rate), most = std::max(most, rate);
    const double found = rate_by_autocorrelation(row_of(*data, i));
    // Lags are whole steps; twice the period correlates as well.
    right += std::abs(found / rate - 1) < 0.07 || std::abs(2 * found / rate - 1) < 0.07 ||
             std::abs(3 * found / rate - 1) < 0.07;
  }
  CHECK(right > 290);
  CHECK(least > 3);
  CHECK(least < 3.3);
  CHECK(most < 12);
  CHECK(most > 11.7);
}

TEST_CASE("pulses depend on the seed and their number alone") {
  check_seeded(*make_component<Source>("source/pulses", series(300, 100)));
  TestContext context;
  const auto few = make_component<Source>("source/pulses", series(10, 20))->open(context);
  const auto many = make_component<Source>("source/pulses", series(500, 20))->open(context);
  for (std::size_t i = 0; i < 20; ++i) {
    CHECK(few->targets()[10 + i] == many->targets()[500 + i]);
    CHECK(row_of(*few, 10 + i) == row_of(*many, 500 + i));
  }
  CHECK_THROWS_WITH(make_component<Source>("source/pulses", series(0, 0)),
                    "'train' and 'test' are both 0, so there are no rows");
}

}  // namespace pulses_test
