// SPDX-License-Identifier: MIT
#include "normalizer_testing.hpp"

namespace mean_norm_test {

using namespace semblance;
using namespace semblance::testing;

TEST_CASE("mean_norm is eq. (4) computed by hand") {
  FloatMatrix m(3, 2);
  m.values = {0, 0, 3, 0, 0, 6};  // mean (1, 2), centred norms sqrt(5), sqrt(8), sqrt(17)
  const auto n = make_component<Normalizer>("normalizer/mean_norm");
  n->bind(Layout::vector(2));
  fit(*n, m);
  const double norm = (std::sqrt(5.0) + std::sqrt(8.0) + std::sqrt(17.0)) / 3;
  const FloatMatrix out = apply(*n, m);
  const std::vector<double> centred = {-1, -2, 2, -2, -1, 4};
  for (std::size_t k = 0; k < 6; ++k)
    CHECK(out.values[k] == doctest::Approx(centred[k] / norm).epsilon(1e-6));
}

TEST_CASE("after mean_norm the mean is 0 and the mean norm 1") {
  const FloatMatrix m = sample_rows(3000, 40);
  const auto n = make_component<Normalizer>("normalizer/mean_norm");
  n->bind(Layout::vector(40));
  fit(*n, m);
  const FloatMatrix out = apply(*n, m);
  double norms = 0, mean = 0;
  for (std::size_t i = 0; i < out.rows; ++i) {
    double squares = 0;
    for (const float x : out.view().row_span(i)) squares += double(x) * x, mean += x;
    norms += std::sqrt(squares);
  }
  CHECK(norms / 3000 == doctest::Approx(1).epsilon(1e-6));
  CHECK(std::abs(mean) / 3000 < 1e-5);
}

TEST_CASE("length is the mean norm afterwards") {
  const FloatMatrix m = sample_rows(500, 7);
  const auto one = make_component<Normalizer>("normalizer/mean_norm");
  auto half = make_component<Normalizer>("normalizer/mean_norm", {{"length", 0.5}});
  for (Normalizer* n : {one.get(), half.get()}) {
    n->bind(Layout::vector(7));
    fit(*n, m);
  }
  const FloatMatrix whole = apply(*one, m), part = apply(*half, m);
  for (std::size_t k = 0; k < whole.values.size(); ++k)
    CHECK(part.values[k] == doctest::Approx(whole.values[k] / 2).epsilon(1e-6));
}

TEST_CASE("equal rows become 0") {
  FloatMatrix m(5, 3);
  m.values.assign(15, 0.1f);
  const auto n = make_component<Normalizer>("normalizer/mean_norm");
  n->bind(Layout::vector(3));
  fit(*n, m);
  for (const float x : apply(*n, m).values) CHECK(std::abs(x) < 1e-6f);
}

TEST_CASE("a fitted state of another width is refused") {
  const auto n = make_component<Normalizer>("normalizer/mean_norm");
  n->bind(Layout::vector(3));
  fit(*n, sample_rows(10, 3));
  MemoryState state;
  n->save(state);
  const auto other = make_component<Normalizer>("normalizer/mean_norm");
  other->bind(Layout::vector(4));
  TestContext context;
  CHECK_THROWS_WITH_AS(other->load(state, context), doctest::Contains("rows of 4 values"), Error);
}

TEST_CASE("mean_norm keeps the normalizers' contract") {
  check_contract("normalizer/mean_norm", true);
}

TEST_CASE("rows far from 0 become what the same rows near it do") {
  check_far_from_0("normalizer/mean_norm");
}

}  // namespace mean_norm_test
