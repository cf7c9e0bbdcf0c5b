// SPDX-License-Identifier: MIT
#include <cmath>
#include <numbers>

#include "tests/sources_testing.hpp"

namespace friedman_test {

using namespace semblance;
using namespace semblance::testing;

namespace {
Parameters rows(std::int64_t train, std::int64_t test, double noise, std::int64_t columns = 10) {
  return {{"train", train}, {"test", test}, {"noise", noise}, {"columns", columns}};
}

double formula(const float* x) {
  return 10 * std::sin(std::numbers::pi * x[0] * x[1]) + 20 * std::pow(x[2] - 0.5, 2) + 10 * x[3] +
         5 * x[4];
}
}  // namespace

TEST_CASE("without noise Friedman's function holds, and its mean is that of the integral") {
  TestContext context;
  const auto source = make_component<Source>("source/friedman", rows(3000, 1000, 0));
  CHECK(source->target_kind() == TargetKind::numbers);
  const auto data = open_checked(*source, context);
  CHECK(data->outline().targets == Texts{"y"});
  CHECK(data->outline().classes.empty());
  CHECK(labels(*data) == Labels(4000, -1));
  const FloatMatrix all = all_rows(*data);
  double sum = 0;
  for (std::size_t i = 0; i < 4000; ++i) {
    const double y = data->targets()[i];
    CHECK(std::abs(y - formula(all.view().row(i))) < 1e-9);
    for (std::size_t c = 0; c < 10; ++c)
      REQUIRE((all.view().row(i)[c] >= 0 && all.view().row(i)[c] <= 1));
    sum += y;
  }
  // 10 times the mean of sin(pi x1 x2) by the midpoint rule, and 20 / 12 + 5 + 2.5.
  double mean = 20.0 / 12 + 7.5;
  constexpr int steps = 400;
  for (int i = 0; i < steps; ++i)
    for (int k = 0; k < steps; ++k)
      mean += 10 * std::sin(std::numbers::pi * (i + 0.5) * (k + 0.5) / (steps * steps)) /
              (steps * steps);
  // The standard deviation of y is 4.9.
  CHECK(std::abs(sum / 4000 - mean) < 5 * 4.9 / std::sqrt(4000.0));
}

TEST_CASE("noise of Friedman's problem has its standard deviation, on all rows") {
  TestContext context;
  const auto data =
      make_component<Source>("source/friedman", rows(2000, 2000, 0.5, 5))->open(context);
  const FloatMatrix all = all_rows(*data);
  for (const std::size_t first : {0, 2000}) {
    double squares = 0;
    for (std::size_t i = first; i < first + 2000; ++i)
      squares += std::pow(data->targets()[i] - formula(all.view().row(i)), 2);
    CHECK(std::sqrt(squares / 2000) == doctest::Approx(0.5).epsilon(0.1));
  }
}

TEST_CASE("Friedman's rows depend on the seed and their number alone") {
  check_seeded(*make_component<Source>("source/friedman", rows(600, 300, 1)));
  TestContext context;
  const auto few = make_component<Source>("source/friedman", rows(10, 20, 1))->open(context);
  const auto many = make_component<Source>("source/friedman", rows(500, 20, 1))->open(context);
  for (std::size_t i = 0; i < 20; ++i) {
    CHECK(few->targets()[10 + i] == many->targets()[500 + i]);
    CHECK(row_of(*few, 10 + i) == row_of(*many, 500 + i));
  }
  CHECK(few->targets()[3] == many->targets()[3]);
  CHECK_THROWS_WITH(make_component<Source>("source/friedman", rows(0, 0, 1)),
                    "'train' and 'test' are both 0, so there are no rows");
}

}  // namespace friedman_test
