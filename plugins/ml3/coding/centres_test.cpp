// SPDX-License-Identifier: MIT
#include "coding/centres.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "semblance/error.hpp"
#include "semblance/testing.hpp"

extern "C" {
#include <vl/generic.h>
#include <vl/kmeans.h>
}

namespace centres_test {

using namespace semblance;
using namespace semblance::ml3;
using semblance::testing::TestContext;

TEST_CASE("inverse distances: nearest centres only, summing to 1") {
  FloatMatrix centres(4, 1);
  centres.values = {0, 1, 3, 10};
  const InverseDistances distances(centres, 2);
  std::vector<float> beta(4);
  const std::vector<float> between{0.25f}, on{3};
  distances.weights(between, beta);
  CHECK(beta[0] == doctest::Approx(0.75));
  CHECK(beta[1] == doctest::Approx(0.25));
  CHECK(beta[2] == 0);
  distances.weights(on, beta);
  CHECK(beta == std::vector<float>{0, 0, 1, 0});
}

TEST_CASE("the first centres are the rows that VLFeat draws") {
  Random random(4);
  FloatMatrix rows(500, 7);
  for (float& x : rows.values) x = static_cast<float>(random.normal());
  TestContext context;
  for (const std::size_t count : {1u, 2u, 60u, 500u}) {
    vl_rand_seed(vl_get_rand(), 9);
    VlKMeans* const means = vl_kmeans_new(VL_TYPE_FLOAT, VlDistanceL2);
    vl_kmeans_init_centers_plus_plus(means, rows.values.data(), 7, 500, count);
    const auto* expected = static_cast<const float*>(vl_kmeans_get_centers(means));
    vl_rand_seed(vl_get_rand(), 9);
    const FloatMatrix chosen = spread_rows(rows, count, context);
    CHECK(std::equal(chosen.values.begin(), chosen.values.end(), expected));
    vl_kmeans_delete(means);
  }
  context.stop = StopReason::cancelled;
  const FloatMatrix stopped = spread_rows(rows, 3, context);
  CHECK(std::equal(stopped.values.begin(), stopped.values.end(), rows.values.begin()));
}

TEST_CASE("k-means finds separate groups and says when rows are too few") {
  Random random(1);
  FloatMatrix rows(300, 2);
  for (std::size_t i = 0; i < 300; ++i) {
    rows.values[2 * i] = static_cast<float>(double(i % 3) * 10 + 0.1 * random.normal());
    rows.values[2 * i + 1] = static_cast<float>(0.1 * random.normal());
  }
  TestContext context;
  const FloatMatrix centres = k_means(std::as_const(rows).view(), 3, Random(2), context);
  std::vector<float> x{centres.values[0], centres.values[2], centres.values[4]};
  std::sort(x.begin(), x.end());
  for (std::size_t j = 0; j < 3; ++j) CHECK(std::abs(double{x[j]} - 10 * double(j)) < 0.05);
  CHECK(k_means(std::as_const(rows).view(), 3, Random(2), context).values == centres.values);
  CHECK_THROWS_AS(k_means(std::as_const(rows).view(), 301, Random(2), context), Error);
}

TEST_CASE("k-means finds as near centres wherever the rows are") {
  Random random(3);
  FloatMatrix rows(1200, 4);  // on a grid, so that they are exact in float32 even far from 0
  for (std::size_t i = 0; i < 1200; ++i)
    for (std::size_t k = 0; k < 4; ++k) {
      const double corner = (i % 12 >> k) % 2 == 0 ? 0 : 2;
      rows.view().row(i)[k] =
          static_cast<float>(std::round(64 * (corner + 0.2 * random.normal())) / 64);
    }
  // The sum of squared distances to the nearest centres.
  const auto energy = [&](float shift) {
    FloatMatrix moved = rows;
    for (float& x : moved.values) x += shift;
    TestContext context;
    const FloatMatrix centres = k_means(std::as_const(moved).view(), 12, Random(2), context);
    double sum = 0;
    for (std::size_t i = 0; i < moved.rows; ++i) {
      float nearest = std::numeric_limits<float>::infinity();
      for (std::size_t j = 0; j < centres.rows; ++j)
        nearest = std::min(nearest, squared_distance(std::as_const(moved).view().row_span(i),
                                                     centres.view().row(j)));
      sum += double{nearest};
    }
    return sum;
  };
  const double here = energy(0);
  CHECK(here < 0.5 * 1200);
  for (const float shift : {1e3F, 1e5F})
    CHECK(energy(shift) == doctest::Approx(here).epsilon(0.02));
}

}  // namespace centres_test
