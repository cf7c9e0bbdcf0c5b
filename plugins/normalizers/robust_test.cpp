// SPDX-License-Identifier: MIT
#include "normalizer_testing.hpp"

namespace robust_test {

using namespace semblance;
using namespace semblance::testing;

TEST_CASE("robust: median, and the smaller of deviation and width of the middle half") {
  FloatMatrix m(5, 4);
  // Quartiles 2 and 4; 1 and 1, so the deviation counts; constant; 0 and 9, wider than the
  // deviation.
  m.values = {1, 1, 7, 0, 2, 1, 7, 0, 3, 1, 7, 5, 4, 1, 7, 9, 100, 6, 7, 9};
  const auto n = make_component<Normalizer>("normalizer/robust");
  n->bind(Layout::vector(4));
  fit(*n, m);
  const auto given = apply(*n, m);
  for (std::size_t i = 0; i < 5; ++i) {
    const float* const x = m.view().row(i);
    const float* const y = std::as_const(given).view().row(i);
    CHECK(y[0] == doctest::Approx((x[0] - 3) * 1.3489795 / 2));
    CHECK(y[1] == doctest::Approx((x[1] - 1) / 2));
    CHECK(y[2] == 0);
    CHECK(y[3] == doctest::Approx((x[3] - 5) / std::sqrt(16.24)));
  }
}

TEST_CASE("robust: rows far from 0 lose no digits") { check_far_from_0("normalizer/robust"); }

TEST_CASE("robust keeps the normalizers' contract") { check_contract("normalizer/robust", true); }

}  // namespace robust_test
