// SPDX-License-Identifier: MIT
#include <cmath>

#include "tests/sources_testing.hpp"

namespace interactions_test {

using namespace semblance;
using namespace semblance::testing;

namespace {

const std::vector<std::int64_t> two_categories{4, 7};

Parameters task(std::int64_t train, std::int64_t test, double bayes_error, const char* noise,
                std::int64_t pairs, std::vector<std::int64_t> indicators) {
  return {{"train", train},
          {"test", test},
          {"numeric", 2 * pairs + 1},
          {"pairs", pairs},
          {"indicators", std::move(indicators)},
          {"bayes_error", bayes_error},
          {"noise", std::string(noise)}};
}

/// The level of the category whose columns begin here, from 0.
std::size_t level_of(const float* columns, std::size_t levels) {
  std::size_t found = levels, ones = 0;
  for (std::size_t k = 0; k < levels; ++k) {
    REQUIRE((columns[k] == 0 || columns[k] == 1));
    if (columns[k] == 1) found = k, ++ones;
  }
  REQUIRE(ones == 1);
  return found;
}

/// The sum that decides the class.
double sum_of_products(const float* row, std::size_t pairs,
                       const std::vector<std::int64_t>& indicators) {
  std::vector<double> signs(pairs, 1);
  const float* columns = row + 2 * pairs + 1;
  for (std::size_t g = 0; g < indicators.size(); ++g) {
    const auto levels = static_cast<std::size_t>(indicators[g]);
    if (level_of(columns, levels) % 2 == 1) signs[g % pairs] *= -1;
    columns += levels;
  }
  double sum = 0;
  for (std::size_t p = 0; p < pairs; ++p) sum += signs[p] * row[2 * p] * row[2 * p + 1];
  return sum;
}

/// The share of rows whose class is not the sign of the sum.
double error_of_best(const Parameters& parameters, std::size_t pairs,
                     const std::vector<std::int64_t>& indicators) {
  TestContext context;
  const auto data = make_component<Source>("source/interactions", parameters)->open(context);
  const FloatMatrix rows = all_rows(*data);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < rows.rows; ++i)
    wrong +=
        (sum_of_products(rows.view().row(i), pairs, indicators) > 0) != (data->labels()[i] == 1);
  return double(wrong) / double(rows.rows);
}

}  // namespace

TEST_CASE("without noise the sign of the sum of products is the class") {
  TestContext context;
  const auto data =
      open_checked(*make_component<Source>("source/interactions",
                                           task(3000, 500, 0, "flipped", 3, two_categories)),
                   context);
  CHECK(data->outline().layout.size() == 7 + 4 + 7);
  CHECK(error_of_best(task(3000, 500, 0, "flipped", 3, two_categories), 3, two_categories) == 0);
  const auto ones = class_counts(*data, 0, 3000)[1];
  CHECK(std::abs(ones - 1500) < 5 * std::sqrt(750.0));
}

TEST_CASE("the best classifier has the error asked for") {
  constexpr std::int64_t rows = 60000;
  const auto tolerance = [&](double error) { return 4 * std::sqrt(error * (1 - error) / rows); };
  for (const double error : {0.03, 0.25})
    CHECK(std::abs(
              error_of_best(task(rows, 0, error, "flipped", 2, two_categories), 2, two_categories) -
              error) < tolerance(error));
  // Bessel functions of the orders 0, 1/2, 1, 13/2 and 29/2.
  for (const std::int64_t pairs : {1, 2, 3, 14, 30})
    for (const double error : {0.001, 0.05, 0.24, 0.45}) {
      CAPTURE(pairs);
      CHECK(std::abs(error_of_best(task(rows, 0, error, "logistic", pairs, {}),
                                   static_cast<std::size_t>(pairs), {}) -
                     error) < tolerance(error));
    }
}

TEST_CASE("levels have shares proportional to 1 / k") {
  TestContext context;
  const auto data =
      make_component<Source>("source/interactions", task(30000, 0, 0.1, "flipped", 1, {3}))
          ->open(context);
  const FloatMatrix rows = all_rows(*data);
  std::vector<double> counts(3);
  for (std::size_t i = 0; i < rows.rows; ++i) ++counts[level_of(rows.view().row(i) + 3, 3)];
  for (std::size_t k = 0; k < 3; ++k)
    CHECK(counts[k] / 30000 == doctest::Approx(6.0 / 11 / double(k + 1)).epsilon(0.05));
}

TEST_CASE("fewer rows are the first of more, and test rows do not depend on training rows") {
  TestContext context;
  const auto open = [&](std::int64_t train, std::int64_t test) {
    return make_component<Source>("source/interactions",
                                  task(train, test, 0.2, "logistic", 2, two_categories))
        ->open(context);
  };
  const auto fewer = open(100, 50), more = open(700, 80);
  FloatMatrix a(100, 16), b(100, 16), c(50, 16), d(50, 16);
  fewer->read(0, a.view());
  more->read(0, b.view());
  CHECK(a.values == b.values);
  fewer->read(100, c.view());
  more->read(700, d.view());
  CHECK(c.values == d.values);
  CHECK(std::ranges::equal(fewer->labels().first(100), more->labels().first(100)));
  CHECK(std::ranges::equal(fewer->labels().last(50), more->labels().subspan(700, 50)));
}

TEST_CASE("parameters of interactions that do not fit together are refused") {
  const auto refuse = [](const Parameters& parameters, const char* message) {
    CHECK_THROWS_WITH_AS(make_component<Source>("source/interactions", parameters), message, Error);
  };
  refuse({{"train", std::int64_t{0}}, {"test", std::int64_t{0}}},
         "'train' and 'test' are both 0, so there are no rows");
  refuse({{"numeric", std::int64_t{5}}, {"pairs", std::int64_t{3}}},
         "3 pairs need 6 numeric columns, and 'numeric' is 5");
  refuse({{"noise", std::string("logistic")}, {"bayes_error", 0.0001}},
         "'noise: logistic' takes a 'bayes_error' of at least 0.001, not 1e-04; use 'noise: "
         "flipped'");
}

}  // namespace interactions_test
