// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>

#include "feature_testing.hpp"

namespace log_test {

using namespace semblance;
using namespace semblance::testing;

TEST_CASE("log(x + 1), value by value, in any layout") {
  auto feature = make_component<Feature>("feature/log");
  for (const Layout& layout : {Layout::image(2, 3, 1), Layout::grid(1, 2, 3), Layout::vector(6)}) {
    CHECK(feature->bind(layout) == layout);
    FloatMatrix samples = random_samples(4, layout);
    samples.values[0] = 0;
    samples.values[1] = 255;
    const FloatMatrix out = described(*feature, layout, samples);
    CHECK(out.values[0] == 0);
    CHECK(out.values[1] == doctest::Approx(std::log(256.0)));
    for (std::size_t i = 0; i < out.values.size(); ++i)
      CHECK(out.values[i] == doctest::Approx(std::log(double(samples.values[i]) + 1)));
  }
  check_rows_alone(*feature, Layout::vector(9));
}

TEST_CASE("values without a logarithm are named") {
  auto feature = make_component<Feature>("feature/log");
  for (const float bad : {-1.0f, -7.0f, std::numeric_limits<float>::quiet_NaN()}) {
    FloatMatrix samples(2, 3);
    samples.values[5] = bad;
    CHECK_THROWS_WITH_AS(described(*feature, Layout::vector(3), samples),
                         doctest::Contains("row 1 of the block (counted from 0): value 2 is "),
                         Error);
  }
}

}  // namespace log_test
