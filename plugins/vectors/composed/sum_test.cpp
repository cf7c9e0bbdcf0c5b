// SPDX-License-Identifier: MIT

#include "grids/deformable_kernel.hpp"
#include "products/stored_bases.hpp"
#include "semblance/formula.hpp"
#include "semblance/learns_from_samples.hpp"
#include "semblance/similarity.hpp"
#include "similarity_testing.hpp"

namespace semblance::vectors::sum_test {
namespace {

using namespace testing;

const Parts rbf_and_linear = {{"first", part("similarity/rbf", {{"gamma", 0.02}})},
                              {"second", part("similarity/linear")}};

double gaussian(const float* b, const float* x, std::size_t count) {
  double distance = 0;
  for (std::size_t k = 0; k < count; ++k) distance += std::pow(double(b[k]) - x[k], 2);
  return std::exp(-0.02 * distance);
}

std::unique_ptr<Similarity> make_sum(const Parameters& values, const FloatMatrix& bases) {
  auto measure = make_component<Similarity>("similarity/sum", values, rbf_and_linear);
  TestContext context;
  measure->bind(Layout::vector(bases.cols));
  measure->set_bases(bases.view(), first_indices(bases.rows), context);
  return measure;
}

TEST_CASE("a sum weighs two similarities of the whole sample") {
  const FloatMatrix bases = normal_rows(9, 20, 1), samples = normal_rows(13, 20, 2);
  for (const double weight : {0.0, 0.3, 0.5, 1.0})
    check_pairs(
        *make_sum({{"weight", weight}}, bases), bases, samples, 2e-6,
        [=](const float* b, const float* x) {
          return weight * gaussian(b, x, 20) + (1 - weight) * dot(b, x, 20);
        },
        [](const float* b, const float* x) {
          return 1 + std::sqrt(dot(b, b, 20) * dot(x, x, 20));
        });
}

TEST_CASE("a sum gives each similarity its part of the sample") {
  const FloatMatrix bases = normal_rows(9, 20, 1), samples = normal_rows(13, 20, 2);
  check_pairs(
      *make_sum({{"weight", 0.25}, {"columns", std::int64_t{7}}}, bases), bases, samples, 2e-6,
      [](const float* b, const float* x) {
        return 0.25 * gaussian(b, x, 7) + 0.75 * dot(b + 7, x + 7, 13);
      },
      [](const float* b, const float* x) { return 1 + std::sqrt(dot(b, b, 20) * dot(x, x, 20)); });
}

TEST_CASE("at the ends of the weight a sum has the bits of one similarity") {
  const FloatMatrix bases = normal_rows(9, 20, 1), samples = normal_rows(13, 20, 2);
  TestContext context;
  for (const double weight : {0.0, 1.0}) {
    auto alone = weight == 1 ? make_component<Similarity>("similarity/rbf", {{"gamma", 0.02}})
                             : make_component<Similarity>("similarity/linear");
    alone->bind(Layout::vector(20));
    alone->set_bases(bases.view(), first_indices(9), context);
    const auto sum = make_sum({{"weight", weight}}, bases);
    CHECK(compare(*sum, samples.view(), context).values ==
          compare(*alone, samples.view(), context).values);
    CHECK(sum->operations() == alone->operations());
  }
}

TEST_CASE("a sum is checked in double and has a gradient, as its similarities have") {
  const FloatMatrix bases = normal_rows(9, 20, 1);
  FloatMatrix samples = normal_rows(4, 20, 2);
  TestContext context;
  for (const double weight : {0.0, 0.3, 1.0})
    for (const std::int64_t columns : {0, 7}) {
      const auto sum = make_sum({{"weight", weight}, {"columns", columns}}, bases);
      CHECK(sum->abilities().compares_with_itself);
      CHECK(sum->abilities().compares_plainly);
      CHECK(sum->abilities().has_gradient);
      const FloatMatrix computed = compare(*sum, samples.view(), context);
      std::vector<double> plain(9), values(9), slopes(180), above(9), below(9);
      for (std::size_t i = 0; i < 4; ++i) {
        const MatrixView x = std::as_const(samples).view().rows_range(i, 1);
        sum->compare_plainly(bases.view(), x, plain.data());
        sum->compare_with_gradient(bases.view(), x, values.data(), slopes.data());
        CHECK(values == plain);
        for (std::size_t j = 0; j < 9; ++j)
          CHECK(double{computed.view().row(i)[j]} == doctest::Approx(plain[j]).epsilon(1e-5));
        for (std::size_t k = 0; k < 20; ++k) {
          const float at = samples.view().row(i)[k], high = at + 1e-3F, low = at - 1e-3F;
          samples.view().row(i)[k] = high;
          sum->compare_plainly(bases.view(), x, above.data());
          samples.view().row(i)[k] = low;
          sum->compare_plainly(bases.view(), x, below.data());
          samples.view().row(i)[k] = at;
          for (std::size_t j = 0; j < 9; ++j)
            CHECK(slopes[20 * j + k] ==
                  doctest::Approx((above[j] - below[j]) / (double{high} - double{low})));
        }
      }
      std::vector<float> self(9);
      sum->compare_with_itself(bases.view(), self.data());
      const FloatMatrix all = compare(*sum, bases.view(), context);
      for (std::size_t j = 0; j < 9; ++j) CHECK(self[j] == all.view().row(j)[j]);
    }
  const auto rigid = make_component<Similarity>(
      "similarity/sum", {},
      {{"first", part("similarity/rigid")}, {"second", part("similarity/linear")}});
  CHECK_FALSE(rigid->abilities().compares_plainly);
  CHECK_FALSE(rigid->abilities().has_gradient);
}

TEST_CASE("a sum of symmetric similarities is symmetric") {
  const FloatMatrix rows = normal_rows(20, 30, 1);
  TestContext context;
  const auto sum = make_sum({{"columns", std::int64_t{11}}}, rows);
  const FloatMatrix s = compare(*sum, rows.view(), context);
  for (std::size_t i = 0; i < 20; ++i)
    for (std::size_t j = 0; j < i; ++j)
      CHECK(s.view().row(i)[j] == doctest::Approx(s.view().row(j)[i]).epsilon(1e-5));
}

TEST_CASE("both similarities of a sum see the grid when both see the whole sample") {
  auto measure = make_component<Similarity>("similarity/sum", {},
                                            {{"first", part("similarity/deformable", {})},
                                             {"second", part("similarity/deformable", {})}});
  CHECK_NOTHROW(measure->bind(Layout::grid(3, 3, 2)));
  auto parts = make_component<Similarity>(
      "similarity/sum", {{"columns", std::int64_t{9}}},
      {{"first", part("similarity/deformable", {})}, {"second", part("similarity/linear")}});
  CHECK_THROWS_WITH_AS(parts->bind(Layout::grid(3, 3, 2)),
                       "the cells to displace must be a grid, not a vector of 9; use features that "
                       "are grids of cells, such as feature/hog",
                       Error);
}

TEST_CASE("a sum keeps the contract of similarities") {
  for (const std::int64_t columns : {0, 10})
    check_contract(
        [&] {
          return make_component<Similarity>("similarity/sum", {{"columns", columns}},
                                            rbf_and_linear);
        },
        Layout::vector(29));
}

TEST_CASE("a sum must leave values for its second similarity") {
  auto measure =
      make_component<Similarity>("similarity/sum", {{"columns", std::int64_t{5}}}, rbf_and_linear);
  CHECK_THROWS_WITH_AS(
      measure->bind(Layout::vector(5)),
      "columns: 5 leaves nothing for the second similarity of samples that are each a vector of 5; "
      "lower it, or set 0 to let both compare the whole sample",
      Error);
}

TEST_CASE("a sum refuses bases of the wrong size") {
  auto measure = make_component<Similarity>("similarity/sum", {}, rbf_and_linear);
  TestContext context;
  measure->bind(Layout::vector(5));
  CHECK_THROWS_AS(measure->set_bases(normal_rows(2, 6, 1).view(), first_indices(2), context),
                  Error);
}

TEST_CASE("the similarities of a sum learn from their part of the samples, whatever the bases") {
  const FloatMatrix samples = normal_rows(50, 8, 1), bases = normal_rows(4, 8, 2);
  FloatMatrix left(50, 3), left_bases(4, 3);
  for (std::size_t i = 0; i < 50; ++i) std::copy_n(samples.view().row(i), 3, left.view().row(i));
  for (std::size_t i = 0; i < 4; ++i) std::copy_n(bases.view().row(i), 3, left_bases.view().row(i));
  const Parts learning = {{"first", part("similarity/rbf")}, {"second", part("similarity/linear")}};
  TestContext context;
  for (const std::int64_t columns : {0, 3}) {
    auto sum = make_component<Similarity>("similarity/sum", {{"weight", 1.0}, {"columns", columns}},
                                          learning);
    auto alone = make_component<Similarity>("similarity/rbf");
    sum->bind(Layout::vector(8));
    alone->bind(Layout::vector(columns ? 3 : 8));
    CHECK(sum->learns_from_bases());
    learn_from_samples(*sum, MatrixRows(samples.view()), {}, context);
    learn_from_samples(*alone, MatrixRows((columns ? left : samples).view()), {}, context);
    CHECK_FALSE(sum->learns_from_bases());
    sum->set_bases(bases.view(), first_indices(4), context);
    alone->set_bases((columns ? left_bases : bases).view(), first_indices(4), context);
    CHECK(compare(*sum, samples.view(), context).values ==
          compare(*alone, (columns ? left : samples).view(), context).values);
  }
}

}  // namespace
}  // namespace semblance::vectors::sum_test
