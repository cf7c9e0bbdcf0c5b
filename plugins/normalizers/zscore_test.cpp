// SPDX-License-Identifier: MIT
#include "normalizer_testing.hpp"

namespace zscore_test {

using namespace semblance;
using namespace semblance::testing;

TEST_CASE("z-scores have mean 0 and deviation 1, a constant column becomes 0") {
  const auto z = make_component<Normalizer>("normalizer/zscore");
  z->bind(Layout::vector(6));
  const FloatMatrix m = sample_rows(2000, 6);
  fit(*z, m);
  const FloatMatrix out = apply(*z, m);
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
  auto only_scale = make_component<Normalizer>("normalizer/zscore", {{"center", false}});
  only_scale->bind(Layout::vector(1));
  fit(*only_scale, m);
  CHECK(apply(*only_scale, m).values == std::vector<float>{0.5f, 2.5f});
  auto only_center = make_component<Normalizer>("normalizer/zscore", {{"scale", false}});
  only_center->bind(Layout::vector(1));
  fit(*only_center, m);
  CHECK(apply(*only_center, m).values == std::vector<float>{-2, 2});
}

TEST_CASE("zscore keeps the normalizers' contract") { check_contract("normalizer/zscore", true); }

TEST_CASE("columns far from 0 have the z-scores of the same columns near it") {
  check_far_from_0("normalizer/zscore");
}

TEST_CASE("a column that float32 can only just hold is scaled, and it is said") {
  FloatMatrix m(4, 3);
  m.values = {16000001, 5, 1, 16000000, 5, 2, 16000000, 5, 3, 16000001, 5, 4};
  const auto z = make_component<Normalizer>("normalizer/zscore");
  z->bind(Layout::vector(3));
  TestContext context;
  const MemoryRows rows(m);
  z->fit({rows, Layout::vector(3), {}, {}}, context);
  const FloatMatrix out = apply(*z, m);
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(out.view().row(i)[0] == (i == 0 || i == 3 ? 1 : -1));
    CHECK(out.view().row(i)[1] == 0);
  }
  REQUIRE(context.lines.size() == 1);
  CHECK(context.lines[0].starts_with(
      "column 0 (counted from 0) hardly varies: around 1.6e+07 its deviation is 0.5"));
}

TEST_CASE("a state with a centre of one row, as it was saved once, gives what it gave") {
  MemoryState state;
  const std::vector<float> offset = {0.1f, 2, 3}, scale = {2, 3, 4};
  state.floats("offset", {offset.data(), 1, 3, 3});
  state.floats("scale", {scale.data(), 1, 3, 3});
  const auto z = make_component<Normalizer>("normalizer/zscore");
  z->bind(Layout::vector(3));
  TestContext context;
  z->load(state, context);
  FloatMatrix m(1, 3);
  m.values = {1, 2, 4};
  CHECK(apply(*z, m).values == std::vector<float>{(1 - 0.1f) * 2, 0, 4});
}

}  // namespace zscore_test
