// SPDX-License-Identifier: MIT

#include "products/stored_bases.hpp"
#include "semblance/formula.hpp"
#include "similarity_testing.hpp"

namespace semblance::vectors::chi_square_test {
namespace {

using namespace testing;

double chi_square(const float* b, const float* x, std::size_t count, bool additive) {
  double sum = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const double total = double(b[k]) + x[k], difference = double(b[k]) - x[k];
    if (total > 0) sum += additive ? 2.0 * b[k] * x[k] / total : difference * difference / total;
  }
  return sum;
}

TEST_CASE("both forms of chi-square equal a plain loop") {
  const FloatMatrix bases = histogram_rows(21, 67, 1), samples = histogram_rows(30, 67, 2);
  for (const bool additive : {false, true}) {
    auto measure = make_component<Similarity>(
        "similarity/chi_square",
        {{"form", std::string(additive ? "additive" : "exponential")}, {"gamma", 0.1}});
    TestContext context;
    measure->bind(Layout::vector(67));
    measure->set_bases(bases.view(), first_indices(21), context);
    check_pairs(
        *measure, bases, samples, 3e-6,
        [=](const float* b, const float* x) {
          const double sum = chi_square(b, x, 67, additive);
          return additive ? sum : std::exp(-0.1 * sum);
        },
        [=](const float* b, const float* x) { return additive ? chi_square(b, x, 67, true) : 1; });
  }
}

TEST_CASE("chi-square refuses negative values among the bases and the samples") {
  auto measure = make_component<Similarity>("similarity/chi_square");
  TestContext context;
  measure->bind(Layout::vector(2));
  const std::vector<float> good = {0.0f, 1.0f}, bad = {0.5f, -0.25f};
  const std::vector<std::int64_t> index = {0};
  const std::string message =
      ", column 1 (both counted from 0) is -0.25, but chi_square compares histograms; use "
      "non-negative features, and no normalizer that can make them negative, as zscore and min_max "
      "can";
  CHECK_THROWS_WITH_AS(measure->set_bases({bad.data(), 1, 2, 2}, index, context),
                       ("basis 0" + message).c_str(), Error);
  measure->set_bases({good.data(), 1, 2, 2}, index, context);
  float result = 0;
  CHECK_THROWS_WITH_AS(measure->apply({bad.data(), 1, 2, 2}, {&result, 1, 1, 1}, context),
                       ("row 0 of the block" + message).c_str(), Error);
}

TEST_CASE("chi-square keeps the contract of similarities") {
  check_contract("similarity/chi_square", {}, Layout::vector(29), true);
  check_contract("similarity/chi_square", {{"form", std::string("additive")}}, Layout::vector(29),
                 true);
}

}  // namespace
}  // namespace semblance::vectors::chi_square_test
