// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <set>

#include "tests/sources_testing.hpp"

namespace clusters_test {

using namespace semblance;
using namespace semblance::testing;

TEST_CASE("without noise every row is one of its class's centres, and all of them occur") {
  TestContext context;
  const auto data =
      open_checked(*make_component<Source>("source/clusters", {{"classes", std::int64_t{3}},
                                                               {"clusters", std::int64_t{4}},
                                                               {"columns", std::int64_t{5}},
                                                               {"spread", 0.0},
                                                               {"train", std::int64_t{300}},
                                                               {"test", std::int64_t{60}}}),
                   context);
  CHECK(class_counts(*data, 0, 300) == std::vector<int>{100, 100, 100});
  const FloatMatrix rows = all_rows(*data);
  std::set<std::vector<float>> centres[3], all;
  for (std::size_t i = 0; i < rows.rows; ++i) {
    const std::span<const float> row = rows.view().row_span(i);
    centres[data->labels()[i]].insert({row.begin(), row.end()});
    all.insert({row.begin(), row.end()});
  }
  for (const auto& of_class : centres) CHECK(of_class.size() == 4);
  CHECK(all.size() == 12);
}

TEST_CASE("the noise on every coordinate has the spread asked for") {
  TestContext context;
  const auto open = [&](double spread, std::int64_t train) {
    return make_component<Source>(
               "source/clusters",
               {{"columns", std::int64_t{6}}, {"spread", spread}, {"train", train}})
        ->open(context);
  };
  const FloatMatrix exact = all_rows(*open(0, 4000)), noisy = all_rows(*open(0.5, 4000));
  std::vector<double> squares(6);
  for (std::size_t i = 0; i < exact.rows; ++i)
    for (std::size_t c = 0; c < 6; ++c)
      squares[c] += std::pow(noisy.view().row(i)[c] - exact.view().row(i)[c], 2);
  for (const double sum : squares)
    CHECK(std::sqrt(sum / double(exact.rows)) == doctest::Approx(0.5).epsilon(0.05));

  // A row depends on its number only: the test samples are the same after fewer training samples.
  const auto fewer = open(0.5, 10);
  FloatMatrix a(1000, 6), b(1000, 6);
  fewer->read(10, a.view());
  open(0.5, 4000)->read(4000, b.view());
  CHECK(a.values == b.values);
  CHECK(std::ranges::equal(fewer->labels().subspan(10), open(0.5, 4000)->labels().subspan(4000)));
}

TEST_CASE("clusters without any rows are refused") {
  CHECK_THROWS_WITH_AS(make_component<Source>("source/clusters", {{"train", std::int64_t{0}},
                                                                  {"test", std::int64_t{0}}}),
                       "'train' and 'test' are both 0, so there are no rows", Error);
}

}  // namespace clusters_test
