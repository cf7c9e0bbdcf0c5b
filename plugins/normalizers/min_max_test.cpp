// SPDX-License-Identifier: MIT
#include "normalizer_testing.hpp"

namespace min_max_test {

using namespace semblance;
using namespace semblance::testing;

TEST_CASE("min_max maps the training range, and the rest in proportion") {
  FloatMatrix m(3, 2);
  m.values = {1, 7, 3, 7, 5, 7};
  auto n = make_component<Normalizer>("normalizer/min_max", {{"low", -1.0}});
  n->bind(Layout::vector(2));
  fit(*n, m);
  CHECK(apply(*n, m).values == std::vector<float>{-1, -1, 0, -1, 1, -1});
  FloatMatrix beyond(1, 2);
  beyond.values = {9, 8};
  CHECK(apply(*n, beyond).values == std::vector<float>{3, 0});
}

TEST_CASE("an empty interval is refused") {
  CHECK_THROWS_WITH_AS(make_component<Normalizer>("normalizer/min_max", {{"low", 1.0}}),
                       "'low' must be smaller than 'high'", Error);
}

TEST_CASE("min_max keeps the normalizers' contract") { check_contract("normalizer/min_max", true); }

}  // namespace min_max_test
