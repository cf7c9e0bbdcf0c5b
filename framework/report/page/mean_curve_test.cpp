// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>

#include "report/page/page_data.hpp"

namespace semblance::mean_curve_test {
namespace {

TEST_CASE("the mean of DET curves is the mean false non-match rate at each false match rate") {
  // Straight lines, one in reverse order.
  const Curve a{"det", "false_match_rate", "false_non_match_rate", {0.1, 0.5}, {0.5, 0.1}};
  const Curve b{"det", "false_match_rate", "false_non_match_rate", {0.4, 0.2}, {0.2, 0.4}};
  const Curve mean = page::mean_det_curve({&a, &b});
  CHECK(mean.x_label == "false_match_rate");
  REQUIRE(mean.x.size() == 200);
  CHECK(mean.x.front() == doctest::Approx(0.2));  // where both have started
  CHECK(mean.x.back() == doctest::Approx(0.5));
  for (std::size_t i = 0; i < mean.x.size(); ++i) {
    const double x = mean.x[i];
    // Beyond its last point the second curve has no error left.
    CHECK(mean.y[i] == doctest::Approx(((0.6 - x) + (x <= 0.4 ? 0.6 - x : 0)) / 2));
  }
}

TEST_CASE("of one curve the mean is itself, and without points there is none") {
  const Curve a{"det", "x", "y", {0.01, 0.2, 0.2, 0.6}, {0.7, 0.3, 0.2, 0.1}};
  const Curve mean = page::mean_det_curve({&a});
  for (std::size_t i = 0; i < mean.x.size(); ++i)
    if (mean.x[i] > 0.21) CHECK(mean.y[i] == doctest::Approx(0.2 - (mean.x[i] - 0.2) / 4));
  const Curve empty{"det", "x", "y", {NAN}, {0.5}};
  CHECK(page::mean_det_curve({&empty}).x.empty());
}

}  // namespace
}  // namespace semblance::mean_curve_test
