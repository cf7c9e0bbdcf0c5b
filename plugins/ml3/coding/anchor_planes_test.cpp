// SPDX-License-Identifier: MIT
#include "coding/anchor_planes.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "ml3_testing.hpp"
#include "semblance/error.hpp"

namespace anchor_planes_test {

using namespace semblance;
using namespace semblance::ml3;
using namespace semblance::ml3::testing;
using semblance::testing::TestContext;

namespace {

FloatMatrix planes_of(const FloatMatrix& rows, std::span<const std::uint32_t> samples,
                      std::size_t count) {
  TestContext context;
  return anchor_planes(second_moments(TrainingRows(rows.view()), samples, context), samples.size(),
                       rows.cols, count);
}

}  // namespace

TEST_CASE("anchor planes are orthonormal singular vectors, the largest first") {
  const Points points = random_points(400, 9, 3);
  const auto samples = in_order(400);
  const FloatMatrix planes = planes_of(points.values, samples, 6);
  // X^T X v by sums of ten lines: it must be lambda v, with falling lambda.
  double before = INFINITY;
  for (std::size_t j = 0; j < 6; ++j) {
    const auto v = planes.view().row_span(j);
    for (std::size_t k = 0; k <= j; ++k) {
      const auto u = planes.view().row_span(k);
      CHECK(std::inner_product(v.begin(), v.end(), u.begin(), 0.0) ==
            doctest::Approx(j == k ? 1 : 0).epsilon(1e-6));
    }
    std::vector<double> image(9);
    for (std::size_t i = 0; i < 400; ++i) {
      const auto x = points.values.view().row_span(i);
      const double product = std::inner_product(v.begin(), v.end(), x.begin(), 0.0);
      for (std::size_t k = 0; k < 9; ++k) image[k] += product * double{x[k]};
    }
    const double lambda = std::inner_product(v.begin(), v.end(), image.begin(), 0.0);
    CHECK(lambda < before);
    for (std::size_t k = 0; k < 9; ++k)
      CHECK(std::abs(image[k] - lambda * double{v[k]}) < 1e-5 * lambda);
    before = lambda;
  }
  // The remaining length of the rows is in smaller singular values.
  double total = 0, last = 0;
  const FloatMatrix all = planes_of(points.values, samples, 9);
  for (std::size_t i = 0; i < 400; ++i) {
    const auto x = points.values.view().row_span(i), v = all.view().row_span(8);
    total += std::inner_product(x.begin(), x.end(), x.begin(), 0.0);
    last += std::pow(std::inner_product(x.begin(), x.end(), v.begin(), 0.0), 2);
  }
  CHECK(last < total / 9);
}

TEST_CASE("only the named rows count, and their rank bounds the number of planes") {
  FloatMatrix rows(5, 3);
  rows.values = {2, 0, 0, 0, 1, 0, 0, 0, 9, 0, 0, 9, -2, 0, 0};
  const std::vector<std::uint32_t> some{0, 1, 4};
  const FloatMatrix planes = planes_of(rows, some, 2);
  CHECK(planes.values == std::vector<float>{1, 0, 0, 0, 1, 0});
  CHECK(planes_of(rows, some, 3).values == planes.values);
}

TEST_CASE("moments of many columns are those of their pairs") {
  constexpr std::size_t cols = 1100;  // three tiles a side
  const Points points = random_points(40, cols, 2);
  const std::vector<std::uint32_t> some{1, 5, 17, 39};
  TestContext context;
  const auto moments = second_moments(TrainingRows(points.values.view()), some, context);
  for (std::size_t j = 0; j < cols; j += 3)
    for (std::size_t i = 0; i <= j; i += 7) {
      double sum = 0;
      for (const std::uint32_t s : some)
        sum += double{points.values.view().row(s)[i]} * double{points.values.view().row(s)[j]};
      REQUIRE(moments[j * cols + i] == doctest::Approx(sum).epsilon(1e-12).scale(1));
    }
}

TEST_CASE("codes are projections scaled to sum 1") {
  std::vector<float> absolute{3, -1, 0, 4}, squared = absolute, zeros{0, 0}, tiny{1e-30f, -1e-30f};
  code_planes(PlaneCoding::absolute, absolute);
  const std::vector<float> wanted{3 / 8.0f, 1 / 8.0f, 0, 4 / 8.0f};
  for (std::size_t j = 0; j < 4; ++j) CHECK(absolute[j] == doctest::Approx(wanted[j]));
  code_planes(PlaneCoding::squared, squared);
  const std::vector<float> squares{9 / 26.0f, 1 / 26.0f, 0, 16 / 26.0f};
  for (std::size_t j = 0; j < 4; ++j) CHECK(squared[j] == doctest::Approx(squares[j]));
  code_planes(PlaneCoding::squared, zeros);
  CHECK(zeros == std::vector<float>{0, 0});
  code_planes(PlaneCoding::squared, tiny);
  CHECK(tiny == std::vector<float>{0.5f, 0.5f});
}

}  // namespace anchor_planes_test
