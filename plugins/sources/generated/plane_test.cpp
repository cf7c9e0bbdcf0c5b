// SPDX-License-Identifier: MIT
#include <cmath>

#include "tests/sources_testing.hpp"

namespace plane_test {

using namespace semblance;
using namespace semblance::sources;
using namespace semblance::testing;

namespace {
const Parameters exact = {
    {"train", std::int64_t{600}}, {"test", std::int64_t{200}}, {"noise", 0.0}};
}

TEST_CASE("xor without noise is decided by the signs of the coordinates") {
  TestContext context;
  const auto data = open_checked(*make_component<Source>("source/xor", exact), context);
  CHECK(data->outline().train_rows == 600);
  CHECK(class_counts(*data, 600, 200) == std::vector<int>{100, 100});
  const FloatMatrix rows = all_rows(*data);
  for (std::size_t i = 0; i < rows.rows; ++i) {
    const float x = rows.view().row(i)[0], y = rows.view().row(i)[1];
    REQUIRE(std::max(std::abs(x), std::abs(y)) <= 1);
    CHECK((x * y > 0 ? 0 : 1) == data->labels()[i]);
  }
}

TEST_CASE("rings have their radii") {
  TestContext context;
  auto parameters = exact;
  parameters.push_back({"classes", std::int64_t{4}});
  const auto data = open_checked(*make_component<Source>("source/rings", parameters), context);
  CHECK(data->outline().classes.size() == 4);
  const FloatMatrix rows = all_rows(*data);
  for (std::size_t i = 0; i < rows.rows; ++i)
    CHECK(std::hypot(rows.view().row(i)[0], rows.view().row(i)[1]) ==
          doctest::Approx(data->labels()[i] + 1).epsilon(1e-5));
}

TEST_CASE("banana's crescents lie on half circles") {
  TestContext context;
  const auto data = open_checked(*make_component<Source>("source/banana", exact), context);
  const FloatMatrix rows = all_rows(*data);
  for (std::size_t i = 0; i < rows.rows; ++i) {
    const bool first = data->labels()[i] == 0;
    const double x = rows.view().row(i)[0] - (first ? 0.0 : 1.0);
    const double y = rows.view().row(i)[1] - (first ? 0.0 : 0.5);
    CHECK(std::hypot(x, y) == doctest::Approx(1).epsilon(1e-5));
    CHECK((first ? y : -y) >= -1e-6);
  }
}

TEST_CASE("noise has the standard deviation asked for") {
  TestContext context;
  const auto data =
      make_component<Source>("source/rings", {{"train", std::int64_t{4000}}, {"noise", 0.05}})
          ->open(context);
  double squares = 0;
  const FloatMatrix rows = all_rows(*data);
  for (std::size_t i = 0; i < 4000; ++i) {
    const double r = std::hypot(rows.view().row(i)[0], rows.view().row(i)[1]);
    squares += std::pow(r - (data->labels()[i] + 1), 2);
  }
  CHECK(std::sqrt(squares / 4000) == doctest::Approx(0.05).epsilon(0.05));
}

TEST_CASE("generated planes depend on the seed alone") {
  check_seeded(*make_component<Source>("source/xor"));
  check_seeded(*make_component<Source>("source/banana"));
  check_seeded(*make_component<Source>("source/rings"));
  CHECK_THROWS_WITH_AS(
      make_component<Source>("source/xor", {{"train", std::int64_t{0}}, {"test", std::int64_t{0}}}),
      doctest::Contains("no rows"), Error);
}

}  // namespace plane_test
