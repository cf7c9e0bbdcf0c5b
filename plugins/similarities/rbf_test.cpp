// SPDX-License-Identifier: MIT
#include "rbf.hpp"

#include "similarity_testing.hpp"

namespace semblance {
namespace {

using namespace testing;

TEST_CASE("rbf is the Gaussian of the distance") {
  FloatMatrix bases = normal_rows(21, 67, 1), samples = normal_rows(30, 67, 2);
  for (float& x : samples.values) x *= 0.1f;
  for (float& x : bases.values) x *= 0.1f;
  auto measure = make_measure<Rbf>({{"gamma", 0.7}});
  TestContext context;
  measure->bind(Layout::vector(67));
  measure->set_bases(bases.view(), first_indices(21), context);
  check_pairs(
      *measure, bases, samples, 2e-6,
      [](const float* b, const float* x) {
        double distance = 0;
        for (int k = 0; k < 67; ++k) distance += (double(b[k]) - x[k]) * (double(b[k]) - x[k]);
        return std::exp(-0.7 * distance);
      },
      [](const float*, const float*) { return 1.0; });
}

TEST_CASE("rbf of a sample with itself is exactly one") {
  const FloatMatrix rows = normal_rows(40, 500, 3);
  auto measure = make_measure<Rbf>({{"gamma", 100.0}});
  TestContext context;
  measure->bind(Layout::vector(500));
  measure->set_bases(rows.view(), first_indices(40), context);
  const FloatMatrix result = compare(*measure, rows.view(), context);
  for (std::size_t i = 0; i < 40; ++i) CHECK(result.view().row(i)[i] == 1.0f);
}

TEST_CASE("rbf keeps the contract of similarities") {
  check_contract<Rbf>({{"gamma", 0.01}}, Layout::vector(29));
}

}  // namespace
}  // namespace semblance
