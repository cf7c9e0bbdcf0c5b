// SPDX-License-Identifier: MIT
#include "fast_product.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "semblance/plugin_testing.hpp"
#include "semblance/random.hpp"
#include "semblance/state.hpp"
#include "semblance_numerics/symmetric_eigen.hpp"

namespace semblance::fast_product_test {
namespace {

FloatMatrix random_matrix(std::size_t rows, std::size_t cols, std::uint64_t seed) {
  Random random(seed);
  FloatMatrix matrix(rows, cols);
  for (float& x : matrix.values) x = static_cast<float>(random.normal());
  return matrix;
}

TEST_CASE("the installed product equals a plain loop, to what rounding each term may cost") {
  const std::size_t n = 251, m = 67, k = 300;
  const FloatMatrix samples = random_matrix(n, k, 1), bases = random_matrix(m, k, 2);
  testing::TestContext context;
  const auto measure = testing::make_component<Similarity>("similarity/fast_product");
  measure->bind(Layout::vector(k));
  measure->set_bases(bases.view(), {}, context);
  FloatMatrix products(n, m);
  measure->apply(samples.view(), products.view(), context);

  std::size_t wrong = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < m; ++j) {
      double sum = 0, magnitude = 0;
      for (std::size_t p = 0; p < k; ++p) {
        const double term = double{samples.view().row(i)[p]} * bases.view().row(j)[p];
        sum += term;
        magnitude += std::abs(term);
      }
      const double bound = double{k} * std::numeric_limits<float>::epsilon() * magnitude;
      wrong += !(std::abs(products.view().row(i)[j] - sum) <= bound);
    }
  CHECK(wrong == 0);

  FloatMatrix columns(n, 20);
  measure->apply_range(samples.view(), 30, columns.view(), context);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < 20; ++j)
      REQUIRE(columns.view().row(i)[j] == products.view().row(i)[30 + j]);
}

TEST_CASE("the installed library comes with LAPACK's eigenvalues") {
  const auto found = numerics::symmetric_eigen(std::vector<double>{2, 1, 1, 2}, 2);
  CHECK(found.values[0] == doctest::Approx(1));
  CHECK(found.values[1] == doctest::Approx(3));
}

}  // namespace
}  // namespace semblance::fast_product_test
