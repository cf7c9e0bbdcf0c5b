// SPDX-License-Identifier: MIT

#include "products/stored_bases.hpp"
#include "semblance/formula.hpp"
#include "semblance/row_error.hpp"
#include "similarity_testing.hpp"

namespace semblance::vectors::cosine_test {
namespace {

using namespace testing;

FloatMatrix compared_rows(const Parameters& values, const FloatMatrix& bases,
                          const FloatMatrix& samples) {
  auto measure = make_component<Similarity>("similarity/cosine", values);
  TestContext context;
  measure->bind(Layout::vector(bases.cols));
  measure->set_bases(bases.view(), first_indices(bases.rows), context);
  return compare(*measure, samples.view(), context);
}

TEST_CASE("cosine is the inner product of the directions") {
  const FloatMatrix bases = normal_rows(21, 67, 1), samples = normal_rows(30, 67, 2);
  auto measure = make_component<Similarity>("similarity/cosine");
  TestContext context;
  measure->bind(Layout::vector(67));
  measure->set_bases(bases.view(), first_indices(21), context);
  const auto oracle = [](const float* b, const float* x) {
    return dot(b, x, 67) / std::sqrt(dot(b, b, 67) * dot(x, x, 67));
  };
  check_pairs(*measure, bases, samples, 1e-6, oracle, [](const float*, const float*) { return 1; });
}

TEST_CASE("a row meets itself, and rows of its direction, with 1, whatever the lengths") {
  FloatMatrix rows = normal_rows(12, 50, 3);
  for (std::size_t i = 0; i < 12; ++i)
    for (float& x : rows.view().row_span(i)) x = std::ldexp(x, 8 * static_cast<int>(i) - 44);
  const FloatMatrix result = compared_rows({}, rows, rows);
  for (std::size_t i = 0; i < 12; ++i) CHECK(result.view().row(i)[i] == 1.0F);
  FloatMatrix turned = rows;
  for (std::size_t i = 0; i < 12; ++i)
    for (float& x : turned.view().row_span(i)) x *= i % 2 == 0 ? -4.0F : 0.25F;
  const FloatMatrix other = compared_rows({}, rows, turned);
  for (std::size_t i = 0; i < 12; ++i) CHECK(other.view().row(i)[i] == (i % 2 == 0 ? -1.0F : 1.0F));
}

TEST_CASE("a row of zeros is similar to nothing, not even to itself") {
  FloatMatrix rows = normal_rows(3, 8, 4);
  std::fill_n(rows.view().row(1), 8, 0.0F);
  const FloatMatrix result = compared_rows({}, rows, rows);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(result.view().row(i)[1] == 0);
    CHECK(result.view().row(1)[i] == 0);
  }
  auto measure = make_component<Similarity>("similarity/cosine");
  measure->bind(Layout::vector(8));
  std::vector<float> own(3);
  measure->compare_with_itself(rows.view(), own.data());
  CHECK(own == std::vector<float>{1, 0, 1});
}

TEST_CASE("rows whose squares float32 cannot hold are refused, not compared wrongly") {
  const FloatMatrix bases = normal_rows(4, 8, 5);
  for (const auto& [factor, what] :
       {std::pair{1e-20F, "below 1e-15"}, {1e30F, "above 1e18"}, {NAN, "NaN"}}) {
    FloatMatrix samples = normal_rows(3, 8, 6);
    for (float& x : samples.view().row_span(2)) x *= factor;
    const std::string message = "the length of row 2 of the block (counted from 0) is " +
                                std::string(what) +
                                ", and its cosines would be wrong; scale the samples";
    CHECK_THROWS_WITH_AS(compared_rows({}, bases, samples), message.c_str(), Error);
    CHECK_THROWS_AS(compared_rows({}, samples, bases), Error);
  }
}

TEST_CASE("cosine keeps the contract of similarities") {
  check_contract("similarity/cosine", {}, Layout::grid(3, 4, 5));
  check_contract("similarity/cosine", {{"precision", std::string("bf16")}}, Layout::vector(40));
}

}  // namespace
}  // namespace semblance::vectors::cosine_test
