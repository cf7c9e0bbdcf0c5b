// SPDX-License-Identifier: MIT
#include "runtime/explain/gauss_legendre.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace gauss_legendre_test {

using namespace semblance;

TEST_CASE("n nodes integrate all powers up to 2n - 1") {
  for (const std::size_t n : {1, 2, 3, 4, 5, 8, 15, 64, 391}) {
    const QuadratureRule rule = gauss_legendre(n);
    REQUIRE(rule.nodes.size() == n);
    for (std::size_t power = 0; power < 2 * n; power += n < 10 ? 1 : 37) {
      double sum = 0;
      for (std::size_t i = 0; i < n; ++i)
        sum += rule.weights[i] * std::pow(rule.nodes[i], static_cast<double>(power));
      CHECK(sum * static_cast<double>(power + 1) == doctest::Approx(1).epsilon(1e-12));
    }
  }
}

}  // namespace gauss_legendre_test
