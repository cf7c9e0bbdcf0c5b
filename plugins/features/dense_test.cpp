// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "semblance/feature.hpp"
#include "semblance/plugin_testing.hpp"
#include "semblance/sparse_testing.hpp"

namespace dense_test {

using namespace semblance;
using namespace semblance::testing;

TEST_CASE("sparse vectors get their zeros") {
  const FloatMatrix dense = counts(50, 30, 0.1), sparse = sparse_of(dense.view());
  auto feature = make_component<Feature>("feature/dense");
  CHECK(feature->bind(Layout::sparse(30)) == Layout::vector(30));
  TestContext context;
  FloatMatrix out(50, 30);
  std::ranges::fill(out.values, 7.0F);
  feature->apply(sparse.view(), out.view(), context);
  CHECK(out.values == dense.values);
  CHECK_THROWS_WITH_AS(feature->bind(Layout::vector(30)),
                       "dense needs sparse vectors, not a vector of 30; remove it", Error);
}

}  // namespace dense_test
