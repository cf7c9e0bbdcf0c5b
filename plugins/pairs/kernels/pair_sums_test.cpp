// SPDX-License-Identifier: MIT
#include "kernels/pair_sums.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "kernels/pair_columns.hpp"
#include "testing/pairs_testing.hpp"

namespace semblance::pairs::pair_sums_test {
namespace {

using namespace testing;

std::vector<std::pair<std::string, std::unique_ptr<PairKernel>>> sums() {
  std::vector<std::pair<std::string, std::unique_ptr<PairKernel>>> kernels;
  kernels.emplace_back("SD", pair_kernel("pair_kernel/symmetric_direct_sum"));
  kernels.emplace_back("ML", pair_kernel("pair_kernel/metric_learning"));
  kernels.emplace_back("TL", pair_kernel("pair_kernel/tensor_learning"));
  kernels.emplace_back("DS", pair_kernel("pair_kernel/direct_sum"));
  kernels.emplace_back("TM", pair_kernel("pair_kernel/tensor_metric_learning"));
  return kernels;
}

/// One of `part` unordered pairs of the examples, ascending.
PairColumns columns(std::int32_t examples, std::int32_t part) {
  std::vector<std::int32_t> first, second;
  for (std::int32_t i = 0; i < examples; ++i)
    for (std::int32_t j = i; j < examples; ++j)
      if ((i * 31 + j * 17) % part == 0) {
        first.push_back(i);
        second.push_back(j);
      }
  return {first, second};
}

/// Some pairs with weights.
struct Weighed {
  std::vector<std::uint32_t> pairs;
  std::vector<double> factors;
};

Weighed weighed(std::size_t pairs, std::size_t part) {
  Random random(7);
  Weighed made;
  for (std::uint32_t p = 0; p < pairs; p += static_cast<std::uint32_t>(part)) {
    made.pairs.push_back(p);
    made.factors.push_back(random.normal());
  }
  std::reverse(made.pairs.begin(), made.pairs.end());
  return made;
}

std::vector<double> added(const PairKernel& kernel, const FloatMatrix& k, const PairColumns& pairs,
                          const Weighed& w, PairRows::Sums how, std::size_t threads) {
  TestContext context(threads);
  std::vector<double> sums(pairs.size(), 0.25);
  PairRows(kernel, k.view(), pairs, how).add(w.pairs, w.factors, sums, context);
  return sums;
}

TEST_CASE("sums over pairs are the same by rows and by matrix products, of all pairs and of few") {
  const Examples data = clouds(150, 5, 6);
  for (const auto& [name, kernel] : sums()) {
    CAPTURE(name);
    const FloatMatrix k = standard_values(*kernel, data.values);
    REQUIRE(is_pair_sum(*kernel));
    for (const std::int32_t part : {1, 13})
      for (const std::size_t changed : {3, 400}) {
        const PairColumns pairs = columns(150, part);
        const Weighed w = weighed(pairs.size(), changed);
        const auto rows = added(*kernel, k, pairs, w, PairRows::Sums::rows, 1);
        const auto products = added(*kernel, k, pairs, w, PairRows::Sums::products, 1);
        double largest = 0, difference = 0;
        for (std::size_t p = 0; p < rows.size(); ++p) {
          largest = std::max(largest, std::abs(rows[p]));
          difference = std::max(difference, std::abs(rows[p] - products[p]));
        }
        CHECK(difference < 1e-5 * largest);  // rows are in float32
        CHECK(added(*kernel, k, pairs, w, PairRows::Sums::products, 4) == products);
      }
  }
}

TEST_CASE("few pairs of many examples are added row by row, many as products") {
  const Examples data = clouds(150, 5, 6);
  const auto kernel = pair_kernel("pair_kernel/tensor_learning");
  const FloatMatrix k = standard_values(*kernel, data.values);
  for (const std::int32_t part : {1, 997}) {
    const PairColumns pairs = columns(150, part);
    const Weighed w = weighed(pairs.size(), 2);
    const auto chosen = added(*kernel, k, pairs, w, PairRows::Sums::cheaper, 1);
    CHECK(chosen == added(*kernel, k, pairs, w,
                          part == 1 ? PairRows::Sums::products : PairRows::Sums::rows, 1));
    CHECK(chosen != added(*kernel, k, pairs, w,
                          part == 1 ? PairRows::Sums::rows : PairRows::Sums::products, 1));
  }
}

TEST_CASE("kernels that do not factor, or see the order of a pair, have no such sums") {
  CHECK_FALSE(is_pair_sum(*pair_kernel("pair_kernel/asymmetric_tensor")));
  CHECK_FALSE(is_pair_sum(*pair_kernel("pair_kernel/polynomial_tensor")));
  CHECK_FALSE(is_pair_sum(*pair_kernel("pair_kernel/ordered_representation")));
}

}  // namespace
}  // namespace semblance::pairs::pair_sums_test
