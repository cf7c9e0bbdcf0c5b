// SPDX-License-Identifier: MIT
#include <algorithm>
#include <functional>
#include <limits>

#include "tests/sources_testing.hpp"

namespace warped_series_test {

using namespace semblance;
using namespace semblance::testing;

namespace {

double squared(float a, float b) { return (double{a} - b) * (double{a} - b); }

double step_by_step(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
  for (std::size_t t = 0; t < a.size(); ++t) sum += squared(a[t], b[t]);
  return sum;
}

double aligned(std::span<const float> a, std::span<const float> b) {
  constexpr double far = std::numeric_limits<double>::infinity();
  std::vector<double> before(b.size() + 1, far), row(b.size() + 1, far);
  before[0] = 0;
  for (const float x : a) {
    row[0] = far;
    for (std::size_t j = 1; j <= b.size(); ++j)
      row[j] = squared(x, b[j - 1]) + std::min({before[j], row[j - 1], before[j - 1]});
    std::swap(before, row);
  }
  return before.back();
}

/// The error of the nearest training series.
template <class Measure>
double error_rate(const Dataset& data, const Measure& distance) {
  const FloatMatrix rows = all_rows(data);
  const std::size_t train = data.outline().train_rows;
  int wrong = 0;
  for (std::size_t i = train; i < rows.rows; ++i) {
    std::size_t nearest = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t j = 0; j < train; ++j)
      if (const double d = distance(rows.view().row_span(i), rows.view().row_span(j)); d < least)
        least = d, nearest = j;
    wrong += data.labels()[i] != data.labels()[nearest];
  }
  return wrong / double(rows.rows - train);
}

}  // namespace

TEST_CASE("series are compared far better after their time is aligned") {
  double plain = 0, warped = 0;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    TestContext context(2, seed);
    const auto data = open_checked(*make_component<Source>("source/warped_series"), context);
    CHECK(data->outline().layout == Layout::sequence(60, 1));
    CHECK(class_counts(*data, 0, 60) == std::vector<int>{15, 15, 15, 15});
    plain += error_rate(*data, step_by_step) / 3;
    warped += error_rate(*data, aligned) / 3;
  }
  CHECK(plain > 0.15);
  CHECK(warped < 0.1);
}

TEST_CASE("lengths and channels of warped series are those asked for") {
  TestContext context;
  const auto source =
      make_component<Source>("source/warped_series", {{"length", std::int64_t{30}},
                                                      {"shortest", std::int64_t{10}},
                                                      {"channels", std::int64_t{3}},
                                                      {"per_class", std::int64_t{100}}});
  const auto data = open_checked(*source, context);
  CHECK(data->outline().layout == Layout::sequence(30, 3));
  std::size_t least = 90, most = 0;
  for (std::size_t i = 0; i < data->outline().rows(); ++i) {
    CHECK(data->values(i) % 3 == 0);
    least = std::min(least, data->values(i));
    most = std::max(most, data->values(i));
  }
  CHECK(least == 30);
  CHECK(most == 90);
  check_seeded(*source);
}

TEST_CASE("a test series does not depend on how many there are for training") {
  TestContext context;
  const auto few = make_component<Source>("source/warped_series", {{"per_class", std::int64_t{2}}})
                       ->open(context);
  const auto many = make_component<Source>("source/warped_series", {{"per_class", std::int64_t{9}}})
                        ->open(context);
  CHECK(row_of(*few, 8 + 5) == row_of(*many, 36 + 5));
}

TEST_CASE("without warp and noise every series is its class's curve") {
  TestContext context;
  const auto data = make_component<Source>("source/warped_series", {{"warp", 0.0}, {"noise", 0.0}})
                        ->open(context);
  CHECK(row_of(*data, 0) == row_of(*data, 4));
  CHECK(row_of(*data, 0) != row_of(*data, 1));
}

TEST_CASE("a warp of time keeps the ends and the order") {
  TestContext context;
  const auto with = [&](double warp) {
    return make_component<Source>("source/warped_series", {{"warp", warp},
                                                           {"noise", 0.0},
                                                           {"bumps", std::int64_t{1}},
                                                           {"length", std::int64_t{200}}})
        ->open(context);
  };
  const auto curve = row_of(*with(0), 0), warped = row_of(*with(1), 0);
  CHECK(curve != warped);
  CHECK(curve.front() == warped.front());
  CHECK(curve.back() == warped.back());
  // The only bump rises, and then falls.
  const auto top = std::ranges::max_element(warped);
  CHECK(std::is_sorted(warped.begin(), top));
  CHECK(std::is_sorted(top, warped.end(), std::greater()));
}

TEST_CASE("warped series that cannot be are refused") {
  CHECK_THROWS_WITH_AS(
      make_component<Source>("source/warped_series", {{"shortest", std::int64_t{70}}}),
      "'shortest: 70' is more than 'length: 60'; lower it, or set it to 0 for series of one length",
      Error);
  CHECK_THROWS_WITH_AS(
      make_component<Source>("source/warped_series",
                             {{"per_class", std::int64_t{0}}, {"test_per_class", std::int64_t{0}}}),
      "'per_class' and 'test_per_class' are both 0, so there are no rows", Error);
}

TEST_CASE("a model is applied to newly drawn samples, not to those of a file") {
  TestContext context;
  const auto source = make_component<Source>("source/warped_series");
  source->apply_model({"", Layout::sequence(60, 1), {}, {}});
  CHECK(source->open(context)->outline().layout == Layout::sequence(60, 1));
  CHECK_THROWS_AS(source->apply_model({"file.tsv", Layout::sequence(60, 1), {}, {}}), Error);
}

}  // namespace warped_series_test
