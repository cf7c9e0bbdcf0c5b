// SPDX-License-Identifier: MIT
#include "newton/preconditioner.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "linear_testing.hpp"
#include "solver_testing.hpp"

namespace preconditioner_test {

using namespace semblance;
using namespace semblance::linear;
using namespace semblance::linear::testing;

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
  CHECK(training_error("solver/linear_svm", clouds(100, cols, 2),
                       {{"preconditioner", std::string("cholesky")}}, 3 << 20)
            .starts_with("a Cholesky preconditioner for 601 columns takes 3 MiB, of the memory "
                         "budget 2 MiB are left; raise --memory"));
}

TEST_CASE("a preconditioner of all rows, fewer than columns, inverts the Hessian as well") {
  // Far from 0, so that the direction of the mean dominates the Hessian.
  Data data = clouds(300, cols, 2);
  for (float& x : data.values.values) x += 3;
  const MemoryRows rows(data.values);
  std::vector<float> shares(300);
  for (std::size_t i = 0; i < 300; ++i) shares[i] = 0.1F * static_cast<float>(1 + i % 7);
  TestContext context;
  const auto preconditioner = sampled_preconditioner({rows, shares, 0.5, 2, 0}, context);
  REQUIRE(preconditioner);
  Applied applied;
  Random random(2);
  for (std::size_t j = 0; j <= cols; ++j) applied.r.row(0)[j] = random.normal();
  const std::vector<std::size_t> live{0};
  preconditioner->apply(applied.r, live, applied.out, context);
  const double* s = applied.out.row(0);
  std::vector<double> back(s, s + cols + 1);  // M s, with 2 appended to each row
  for (std::size_t i = 0; i < 300; ++i) {
    const float* x = &data.values.values[i * cols];
    double f = 2 * s[cols];
    for (std::size_t j = 0; j < cols; ++j) f += x[j] * s[j];
    f *= shares[i];
    for (std::size_t j = 0; j < cols; ++j) back[j] += f * x[j];
    back[cols] += 2 * f;
  }
  double error = 0, norm = 0;
  for (std::size_t j = 0; j <= cols; ++j) {
    error += std::pow(back[j] - applied.r.row(0)[j], 2);
    norm += std::pow(applied.r.row(0)[j], 2);
  }
  CHECK(std::sqrt(error / norm) < 1e-3);
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
  HessianSample sample{rows, shares, 0.5, 0};
  const std::vector<float> importances = row_importances(sample, context);
  REQUIRE(importances.size() == 4000);
  double sum = 0;
  for (const float x : importances) sum += x;
  sample.stretch = sum / 200;
  sample.importances = importances;
  const std::vector<WeightedRow> chosen = choose_rows(sample, context);
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

TEST_CASE(
    "a sampled preconditioner leads to the optimum in about as many sweeps as a factor does") {
  Data data = clouds(3000, 700, 5);
  // Many rows stay active, so that exact steps would cost more.
  for (std::size_t i = 0; i < 3000; i += 3) data.labels[i] = static_cast<std::int32_t>(i / 3 % 5);
  const auto figures = [&](const char* kind) {
    const Parameters parameters = {{"preconditioner", std::string(kind)}, {"C", 1e-4}};
    REQUIRE_FALSE(took_exact_steps(data, parameters));
    TestContext context;
    return train("solver/linear_svm", data, context, parameters).report;
  };
  const MemoryReport sampled = figures("sampled"), cholesky = figures("cholesky");
  const auto of = [](const MemoryReport& report, const char* name) {
    return report.numbers.at(name);
  };
  CHECK(of(sampled, "objective") == doctest::Approx(of(cholesky, "objective")).epsilon(1e-5));
  CHECK(of(sampled, "sweeps") < 2 * of(cholesky, "sweeps"));
}

TEST_CASE("without active rows the Hessian is the identity, for each kind of preconditioner") {
  const Data data = clouds(30, cols, 2);
  const MemoryRows rows(data.values);
  const std::vector<float> none(rows.rows(), 0.0F);
  TestContext context;
  const HessianSample sample{rows, none, 0.5, 1, 0};
  for (const auto& make :
       {&sampled_preconditioner, &cholesky_preconditioner, &diagonal_preconditioner}) {
    const auto preconditioner = make(sample, context);
    REQUIRE(preconditioner);
    Vectors<double> r(1, cols + 1), out(1, cols + 1);
    for (std::size_t j = 0; j <= cols; ++j) r.row(0)[j] = static_cast<double>(j) - 7;
    preconditioner->apply(r, std::vector<std::size_t>{0}, out, context);
    for (std::size_t j = 0; j <= cols; ++j) CHECK(out.row(0)[j] == doctest::Approx(r.row(0)[j]));
  }
}

}  // namespace preconditioner_test
