// SPDX-License-Identifier: MIT
#include <limits>

#include "semblance_numerics/sparse_testing.hpp"
#include "similarity_testing.hpp"

namespace semblance::vectors::laplacian_test {
namespace {

using namespace testing;

std::unique_ptr<Similarity> laplacian(const Layout& layout, const FloatMatrix& bases,
                                      const Parameters& values) {
  TestContext context;
  auto measure = make_component<Similarity>("similarity/laplacian", values);
  measure->bind(layout);
  measure->set_bases(bases.view(), first_indices(bases.rows), context);
  return measure;
}

TEST_CASE("laplacian is the exponential of the sum of absolute differences") {
  const FloatMatrix bases = normal_rows(21, 67, 1), samples = normal_rows(30, 67, 2);
  const auto distance = [](const float* b, const float* x) {
    double sum = 0;
    for (std::size_t k = 0; k < 67; ++k) sum += std::abs(double(b[k]) - x[k]);
    return sum;
  };
  const auto one = [](const float*, const float*) { return 1; };
  check_pairs(
      *laplacian(Layout::vector(67), bases, {{"gamma", 0.02}}), bases, samples, 1e-6,
      [&](const float* b, const float* x) { return std::exp(-0.02 * distance(b, x)); }, one);
  check_pairs(
      *laplacian(Layout::vector(67), bases, {}), bases, samples, 1e-6,
      [&](const float* b, const float* x) { return std::exp(-distance(b, x) / 67); }, one);
}

TEST_CASE("laplacian of sparse rows has the values of the definition, and 1 for equal rows") {
  TestContext context;
  const FloatMatrix rows = sparse_rows(60, 300, 0.1, 8);
  const auto measure = laplacian(Layout::sparse(300), rows, {{"gamma", 0.1}});
  const FloatMatrix values = compare(*measure, rows.view(), context);
  std::vector<double> expected(60);
  for (std::size_t i = 0; i < 60; ++i) {
    measure->compare_plainly(rows.view(), rows.view().rows_range(i, 1), expected.data());
    CHECK(values.view().row(i)[i] == 1);
    for (std::size_t j = 0; j < 60; ++j)
      CHECK(values.view().row(i)[j] == doctest::Approx(expected[j]).epsilon(2e-6));
  }
}

TEST_CASE("laplacian: levels far from 0 do not matter, and NaN stays NaN") {
  TestContext context;
  FloatMatrix rows(2, 2);
  rows.values = {100000, 0, 100001, 0};
  const auto measure = laplacian(Layout::vector(2), rows, {{"gamma", 1.0}});
  CHECK(compare(*measure, rows.view(), context).values[1] == doctest::Approx(std::exp(-1.0)));
  rows.values[1] = std::numeric_limits<float>::quiet_NaN();
  CHECK(std::isnan(compare(*measure, rows.view(), context).values[0]));
}

TEST_CASE("laplacian keeps the contract of similarities") {
  check_contract("similarity/laplacian", {{"gamma", 0.3}}, Layout::vector(29));
}

}  // namespace
}  // namespace semblance::vectors::laplacian_test
