// SPDX-License-Identifier: MIT
#include "normalizer_testing.hpp"

namespace unit_length_test {

using namespace semblance;
using namespace semblance::testing;

TEST_CASE("rows get length 1, zeros stay") {
  FloatMatrix m(3, 2);
  m.values = {3, 4, 0, 0, 1e-42f, 0};
  const auto n = make_component<Normalizer>("normalizer/unit_length");
  n->bind(Layout::vector(2));
  fit(*n, m);
  const FloatMatrix out = apply(*n, m);
  CHECK(out.values[0] == doctest::Approx(0.6));
  CHECK(out.values[1] == doctest::Approx(0.8));
  CHECK(out.values[2] == 0);
  CHECK(out.values[3] == 0);
  CHECK(out.values[4] == doctest::Approx(1));
}

TEST_CASE("centred rows get length 1 around the training mean") {
  FloatMatrix m(2, 2);
  m.values = {2, 1, 4, 1};
  auto n = make_component<Normalizer>("normalizer/unit_length", {{"center", true}});
  n->bind(Layout::vector(2));
  fit(*n, m);
  CHECK(apply(*n, m).values == std::vector<float>{-1, 0, 1, 0});
}

TEST_CASE("unit_length keeps the normalizers' contract") {
  check_contract("normalizer/unit_length", false);
  check_contract("normalizer/unit_length", true, {{"center", true}});
}

TEST_CASE("centred rows far from 0 become what the same rows near it do") {
  check_far_from_0("normalizer/unit_length", {{"center", true}});
}

}  // namespace unit_length_test
