// SPDX-License-Identifier: MIT
#include "zscore.hpp"

#include "normalizer_testing.hpp"

using namespace semblance;
using namespace semblance::testing;

TEST_CASE("z-scores have mean 0 and deviation 1, a constant column becomes 0") {
  ZScore z;
  z.bind(Layout::vector(6));
  const FloatMatrix m = sample_rows(2000, 6);
  fit(z, m);
  const FloatMatrix out = apply(z, m);
  for (std::size_t c = 0; c < 6; ++c) {
    double sum = 0, squares = 0;
    for (std::size_t i = 0; i < out.rows; ++i) {
      const double x = out.view().row(i)[c];
      sum += x, squares += x * x;
    }
    CHECK(sum / 2000 == doctest::Approx(0).epsilon(1e-5));
    CHECK(squares / 2000 == doctest::Approx(c == 1 ? 0 : 1).epsilon(1e-5));
  }
}

TEST_CASE("centring and scaling can be left out") {
  FloatMatrix m(2, 1);
  m.values = {1, 5};
  auto only_scale = make<ZScore>({{"center", false}});
  only_scale.bind(Layout::vector(1));
  fit(only_scale, m);
  CHECK(apply(only_scale, m).values == std::vector<float>{0.5f, 2.5f});
  auto only_center = make<ZScore>({{"scale", false}});
  only_center.bind(Layout::vector(1));
  fit(only_center, m);
  CHECK(apply(only_center, m).values == std::vector<float>{-2, 2});
}

TEST_CASE("zscore keeps the normalizers' contract") { check_contract(ZScore(), true); }
