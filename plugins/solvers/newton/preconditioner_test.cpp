// SPDX-License-Identifier: MIT
#include "newton/preconditioner.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "linear/linear_svm.hpp"
#include "solver_testing.hpp"

using namespace semblance;
using namespace semblance::solvers;
using namespace semblance::solvers::testing;

namespace {

constexpr std::size_t cols = 600;  // with the bias three tiles of the factor, two of the products

/// M^-1 r for all rows, and r.
struct Applied {
  Vectors<double> r{1, cols + 1}, out{1, cols + 1};
};

Applied apply(const Data& data, Context& context) {
  const MemoryRows rows(data.values);
  const std::vector<float> shares(rows.rows(), 1.0F);
  const auto preconditioner = cholesky_preconditioner({rows, shares, 0.5, 1, 0}, context);
  REQUIRE(preconditioner);
  Applied applied;
  Random random(2);
  for (std::size_t j = 0; j <= cols; ++j) applied.r.row(0)[j] = random.normal();
  const std::vector<std::size_t> live{0};
  preconditioner->apply(applied.r, live, applied.out, context);
  return applied;
}

}  // namespace

TEST_CASE("a Cholesky preconditioner of all rows inverts the Hessian, to float32 precision") {
  const Data data = clouds(700, cols, 2);
  TestContext context;
  const Applied applied = apply(data, context);
  const double* s = applied.out.row(0);
  std::vector<double> back(s, s + cols + 1);  // M s
  for (std::size_t i = 0; i < 700; ++i) {
    const float* x = &data.values.values[i * cols];
    double f = s[cols];
    for (std::size_t j = 0; j < cols; ++j) f += x[j] * s[j];
    for (std::size_t j = 0; j < cols; ++j) back[j] += f * x[j];
    back[cols] += f;
  }
  double error = 0, norm = 0;
  for (std::size_t j = 0; j <= cols; ++j) {
    error += std::pow(back[j] - applied.r.row(0)[j], 2);
    norm += std::pow(applied.r.row(0)[j], 2);
  }
  CHECK(std::sqrt(error / norm) < 1e-3);
}

TEST_CASE("the bits of a preconditioner do not depend on the threads") {
  const Data data = clouds(700, cols, 2);
  TestContext one(1), two(2);
  const Applied a = apply(data, one), b = apply(data, two);
  CHECK(std::equal(a.out.row(0), a.out.row(0) + cols + 1, b.out.row(0)));
}

TEST_CASE("a stop request ends the making of a preconditioner") {
  const Data data = clouds(700, cols, 2);
  const MemoryRows rows(data.values);
  const std::vector<float> shares(700, 1.0F);
  TestContext context;
  context.stop = StopReason::deadline;
  CHECK(cholesky_preconditioner({rows, shares, 0.5, 1, 0}, context) == nullptr);
}

TEST_CASE("a preconditioner that does not fit the memory is refused with the arithmetic") {
  CHECK(training_error<LinearSvm>(clouds(100, cols, 2),
                                  {{"preconditioner", std::string("cholesky")}}, 3 << 20)
            .starts_with("a Cholesky preconditioner for 601 columns takes 3 MiB, of the memory "
                         "budget 2 MiB are left; raise --memory"));
}
