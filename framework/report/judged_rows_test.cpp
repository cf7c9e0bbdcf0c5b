// SPDX-License-Identifier: MIT
#include "report/judged_rows.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

namespace semblance::judged_rows_test {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

TEST_CASE("the losses of estimates are squared or absolute errors, and give the figure") {
  const std::vector<double> targets = {2001, 1999, 2010, 1985},
                            estimates = {2003, 1999, 2009, 1980};
  const auto squared = row_losses("rmse", estimates, targets, 1);
  REQUIRE(squared);
  CHECK(squared->losses == std::vector<double>{4, 0, 1, 25});
  CHECK(squared->figure == doctest::Approx(std::sqrt(7.5)).epsilon(1e-15));
  const auto absolute = row_losses("mae", estimates, targets, 1);
  REQUIRE(absolute);
  CHECK(absolute->losses == std::vector<double>{2, 0, 1, 5});
  CHECK(absolute->figure == 2);
  const auto r2 = row_losses("r2", estimates, targets, 1);
  REQUIRE(r2);
  CHECK(r2->losses == squared->losses);
  // The mean is 1998.75; the squared deviations add up to 320.75.
  CHECK(r2->figure == doctest::Approx(1 - 30 / 320.75).epsilon(1e-15));
}

TEST_CASE("with several numbers per sample its loss is their mean") {
  const auto losses =
      row_losses("mae", std::vector<double>{1, 2, 3, 4}, std::vector<double>{0, 4, 3, 8}, 2);
  REQUIRE(losses);
  CHECK(losses->losses == std::vector<double>{1.5, 2});
  CHECK(losses->figure == 1.75);
  CHECK_FALSE(row_losses("r2", std::vector<double>{1, 2}, std::vector<double>{1, 2}, 2));
  CHECK_FALSE(row_losses("rmse", std::vector<double>{1, 2}, std::vector<double>{1, 2}, 2));
}

TEST_CASE("other figures, unknown numbers and constant targets have no losses") {
  const std::vector<double> some = {1, 2};
  CHECK_FALSE(row_losses("spearman", some, some, 1));
  CHECK_FALSE(row_losses("rmse", some, std::vector<double>{1, unknown}, 1));
  CHECK_FALSE(row_losses("rmse", {}, {}, 1));
  CHECK_FALSE(row_losses("rmse", some, std::vector<double>{1}, 1));
  CHECK_FALSE(row_losses("r2", some, std::vector<double>{3, 3}, 1));
}

}  // namespace
}  // namespace semblance::judged_rows_test
