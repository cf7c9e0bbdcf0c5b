// SPDX-License-Identifier: MIT
#include "normalizer_testing.hpp"

namespace none_test {

using namespace semblance;
using namespace semblance::testing;

TEST_CASE("none copies") {
  const auto n = make_component<Normalizer>("normalizer/none");
  n->bind(Layout::vector(5));
  const FloatMatrix m = sample_rows(20, 5);
  CHECK(apply(*n, m).values == m.values);
}

TEST_CASE("none keeps the normalizers' contract") { check_contract("normalizer/none", false); }

}  // namespace none_test
