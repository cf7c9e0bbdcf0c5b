// SPDX-License-Identifier: MIT
#include <cmath>

#include "features/series_feature_testing.hpp"

namespace znorm_test {

using namespace semblance;
using namespace semblance::testing;

TEST_CASE("each series and channel gets mean 0 and sample deviation 1") {
  const Layout layout = Layout::sequence(80, 3);
  const FloatMatrix series = random_series(30, layout, 5);
  for (const char* deviation : {"sample", "population"}) {
    const auto znorm =
        make_component<Feature>("feature/znorm", {{"deviation", std::string(deviation)}});
    const FloatMatrix out = made(*znorm, layout, series);
    for (std::size_t i = 0; i < out.rows; ++i) {
      const auto row = out.view().row_span(i);
      CHECK(row.size() == series.view().size(i));
      const double steps = double(row.size()) / 3;
      for (std::size_t c = 0; c < 3; ++c) {
        double sum = 0, squares = 0;
        for (std::size_t k = c; k < row.size(); k += 3)
          sum += row[k], squares += double(row[k]) * row[k];
        CHECK(sum / steps == doctest::Approx(0).epsilon(1e-6));
        const double degrees = std::string(deviation) == "sample" ? steps - 1 : steps;
        CHECK(squares / degrees == doctest::Approx(1).epsilon(1e-6));
      }
    }
  }
}

TEST_CASE("values computed by hand; channels do not mix") {
  const auto znorm = make_component<Feature>("feature/znorm");
  CHECK(made_of(*znorm, Layout::sequence(3, 1), {1, 2, 3}) == std::vector<float>{-1, 0, 1});
  CHECK(made_of(*znorm, Layout::sequence(3, 2), {1, 50, 2, 50, 3, 50}) ==
        std::vector<float>{-1, 0, 0, 0, 1, 0});
}

TEST_CASE("constant series become zeros, also those whose mean is rounded") {
  const auto znorm = make_component<Feature>("feature/znorm");
  for (const float value : {0.0f, 0.1f, -3e7f, 1e-30f})
    CHECK(made_of(*znorm, Layout::sequence(7, 1), std::vector<float>(7, value)) ==
          std::vector<float>(7, 0.0f));
  CHECK(made_of(*znorm, Layout::sequence(7, 1), {5}) == std::vector<float>{0});
}

TEST_CASE("a level takes nothing away, as far as float32 can hold the series") {
  const auto znorm = make_component<Feature>("feature/znorm");
  std::vector<float> near, far;
  for (const int step : {0, 1, 1, 0, 1, 0, 0, 0}) {
    near.push_back(float(step));
    far.push_back(16000000.0F + float(step));
  }
  CHECK(made_of(*znorm, Layout::sequence(8, 1), far) ==
        made_of(*znorm, Layout::sequence(8, 1), near));
}

TEST_CASE("large values do not overflow") {
  const auto znorm = make_component<Feature>("feature/znorm");
  const auto out = made_of(*znorm, Layout::sequence(2, 1), {3e38f, -3e38f});
  CHECK(out[0] == doctest::Approx(std::sqrt(0.5)));
  CHECK(out[1] == doctest::Approx(-std::sqrt(0.5)));
}

TEST_CASE("znorm refuses what is no series, and treats rows alone") {
  const auto znorm = make_component<Feature>("feature/znorm");
  CHECK_THROWS_WITH_AS(znorm->bind(Layout::vector(9)), doctest::Contains("feature/as_series"),
                       Error);
  const Layout layout = Layout::sequence(50, 2);
  check_series_alone(*znorm, layout, random_series(40, layout, 1));
}

}  // namespace znorm_test
