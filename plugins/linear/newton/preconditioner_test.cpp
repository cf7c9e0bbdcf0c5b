// SPDX-License-Identifier: MIT
#include "newton/preconditioner.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "linear_testing.hpp"
#include "semblance/sparse_testing.hpp"
#include "solver_testing.hpp"

namespace preconditioner_test {

using namespace semblance;
using namespace semblance::linear;
using namespace semblance::linear::testing;

namespace {

constexpr std::size_t cols = 600;  // with the bias three tiles of the factor, two of the products

constexpr double bias = 2;

/// M^-1 r of a preconditioner of about `wanted` of the rows, whose shares differ, and r.
struct Applied {
  std::vector<float> shares;
  Vectors<double> r{1, cols + 1}, out{1, cols + 1};
};

Applied apply(const Data& data, std::size_t wanted, Context& context) {
  const MemoryRows rows(data.values);
  Applied applied;
  for (std::size_t i = 0; i < rows.rows(); ++i)
    applied.shares.push_back(0.1F * static_cast<float>(1 + i % 7));
  const auto preconditioner =
      sampled_preconditioner({rows, applied.shares, 0.5, bias}, wanted, context);
  REQUIRE(preconditioner);
  Random random(2);
  for (std::size_t j = 0; j <= cols; ++j) applied.r.row(0)[j] = random.normal();
  const std::vector<std::size_t> live{0};
  preconditioner->apply(applied.r, live, applied.out, context);
  return applied;
}

/// Far from 0, so that the direction of the mean dominates the Hessian.
Data far(std::size_t rows) {
  Data data = clouds(rows, cols, 2);
  for (float& x : data.values.values) x += 3;
  return data;
}

}  // namespace

TEST_CASE("a preconditioner of all rows inverts the Hessian, to float32 precision") {
  constexpr std::size_t count = 300;
  const Data data = far(count);
  TestContext context;
  const Applied applied = apply(data, count, context);
  const double* s = applied.out.row(0);
  std::vector<double> back(s, s + cols + 1);  // M s, with the bias appended to each row
  for (std::size_t i = 0; i < count; ++i) {
    const float* x = &data.values.values[i * cols];
    double f = bias * s[cols];
    for (std::size_t j = 0; j < cols; ++j) f += x[j] * s[j];
    f *= applied.shares[i];
    for (std::size_t j = 0; j < cols; ++j) back[j] += f * x[j];
    back[cols] += bias * f;
  }
  double error = 0, norm = 0;
  for (std::size_t j = 0; j <= cols; ++j) {
    error += std::pow(back[j] - applied.r.row(0)[j], 2);
    norm += std::pow(applied.r.row(0)[j], 2);
  }
  CHECK(std::sqrt(error / norm) < 1e-3);
}

TEST_CASE("the bits of a preconditioner do not depend on the threads") {
  const Data data = far(700);
  TestContext one(1), two(2);
  const Applied a = apply(data, 300, one), b = apply(data, 300, two);
  CHECK(std::equal(a.out.row(0), a.out.row(0) + cols + 1, b.out.row(0)));
}

TEST_CASE("a stop request ends the making of a preconditioner") {
  const Data data = clouds(700, cols, 2);
  const MemoryRows rows(data.values);
  const std::vector<float> shares(700, 1.0F);
  TestContext context;
  context.stop = StopReason::deadline;
  CHECK(sampled_preconditioner({rows, shares, 0.5, 1}, 300, context) == nullptr);
}

TEST_CASE("a preconditioner that does not fit the memory is refused with the arithmetic") {
  CHECK(training_error("solver/linear_svm", clouds(1000, cols, 2), {}, 1 << 20)
            .starts_with("a preconditioner of 158 sampled rows for 601 columns takes"));
}

TEST_CASE("less important rows are sampled, and represent the shares of all") {
  Data data = clouds(4000, 5, 2);
  for (std::size_t j = 0; j < 5; ++j) data.values.values[17 * 5 + j] = 1000;  // one long row
  const MemoryRows rows(data.values);
  std::vector<float> shares(4000);
  double all = 0;
  for (std::size_t i = 0; i < 4000; ++i) {
    shares[i] = i % 3 == 0 ? 0.0F : 0.2F;
    all += shares[i];
  }
  shares[17] = 0.2F;
  TestContext context;
  const ChosenRows found = choose_rows({rows, shares, 0.5, 0}, 200, context);
  CHECK_FALSE(found.all);
  const std::vector<WeightedRow>& chosen = found.rows;
  // The long row has three fifths of all importance, so that four fifths of a hundred remain.
  CHECK(chosen.size() > 75);
  CHECK(chosen.size() < 90);
  double stands_for = 0;
  bool has_long = false;
  for (const WeightedRow& row : chosen) {
    CHECK(row.row % 3 != 0);
    stands_for += row.weight;
    has_long = has_long || row.row == 17;
  }
  CHECK(has_long);
  CHECK(stands_for == doctest::Approx(all).epsilon(0.15));
}

TEST_CASE("the optimum takes few sweeps where many rows stay active") {
  Data data = clouds(3000, 700, 5);
  // So that exact steps would cost more.
  for (std::size_t i = 0; i < 3000; i += 3) data.labels[i] = static_cast<std::int32_t>(i / 3 % 5);
  const Parameters parameters = {{"C", 1e-4}};
  REQUIRE_FALSE(took_exact_steps(data, parameters));
  TestContext context;
  const MemoryReport report = train("solver/linear_svm", data, context, parameters).report;
  CHECK(report.texts.at("certificate") == "converged");
  CHECK(report.numbers.at("sweeps") < 40);
}

TEST_CASE("without active rows the Hessian is the identity") {
  const Data data = clouds(30, cols, 2);
  const MemoryRows rows(data.values);
  FloatMatrix values = data.values;
  const FloatMatrix sparse = sparse_of(values.view());
  const MemoryRows sparse_rows(sparse);
  const std::vector<float> none(rows.rows(), 0.0F);
  TestContext context;
  for (const auto& preconditioner :
       {sampled_preconditioner({rows, none, 0.5, 1}, 10, context),
        diagonal_preconditioner({sparse_rows, none, 0.5, 1}, context)}) {
    REQUIRE(preconditioner);
    Vectors<double> r(1, cols + 1), out(1, cols + 1);
    for (std::size_t j = 0; j <= cols; ++j) r.row(0)[j] = static_cast<double>(j) - 7;
    preconditioner->apply(r, std::vector<std::size_t>{0}, out, context);
    for (std::size_t j = 0; j <= cols; ++j) CHECK(out.row(0)[j] == doctest::Approx(r.row(0)[j]));
  }
}

}  // namespace preconditioner_test
