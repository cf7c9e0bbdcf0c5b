// SPDX-License-Identifier: MIT
#include "newton/span_newton.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "independent_problems.hpp"
#include "problem/linear_task.hpp"
#include "problem/sweep.hpp"
#include "semblance/testing.hpp"
#include "solver_testing.hpp"

namespace semblance::linear::span_newton_test {
namespace {

using namespace common::testing;

/// Requests a stop after a number of polls.
class StoppingContext final : public TestContext {
 public:
  explicit StoppingContext(std::size_t looks)
      : TestContext(1), left_(static_cast<std::ptrdiff_t>(looks)) {}

  StopReason stop_requested() const noexcept override {
    return --left_ < 0 ? StopReason::cancelled : StopReason::none;
  }

 private:
  mutable std::atomic<std::ptrdiff_t> left_;
};

std::vector<std::int32_t> one_against_the_rest(const Data& data) {
  if (data.classes.size() == 2) return {1};
  std::vector<std::int32_t> positives;
  for (std::size_t c = 0; c < data.classes.size(); ++c)
    positives.push_back(static_cast<std::int32_t>(c));
  return positives;
}

constexpr double bias = 0.5;

/// f of every row and problem, row by row, by the definition.
std::vector<double> decisions(const Vectors<double>& w, const Data& data) {
  std::vector<double> f;
  const std::size_t cols = data.values.cols;
  for (std::size_t i = 0; i < data.labels.size(); ++i)
    for (std::size_t c = 0; c < w.count(); ++c) {
      double sum = bias * w.row(c)[cols];
      for (std::size_t j = 0; j < cols; ++j) sum += w.row(c)[j] * data.values.values[i * cols + j];
      f.push_back(sum);
    }
  return f;
}

/// The objective of one problem, by the definition.
double objective(const Vectors<double>& w, std::size_t c, const Data& data, double cost) {
  const std::vector<double> f = decisions(w, data);
  const std::int32_t positive = one_against_the_rest(data)[c];
  double sum = 0;
  for (std::size_t j = 0; j < w.cols(); ++j) sum += w.row(c)[j] * w.row(c)[j] / 2;
  for (std::size_t i = 0; i < data.labels.size(); ++i) {
    const double y = data.labels[i] == positive ? 1 : -1;
    sum += cost * std::pow(std::max(0.0, 1 - y * f[i * w.count() + c]), 2);
  }
  return sum;
}

/// Solves with all columns from the beginning, or in the span of the rows first.
std::vector<Solution> solve(const Data& data, std::vector<double> costs, bool in_span,
                            double tolerance, Context& context) {
  const MemoryRows rows(data.values);
  SquaredLosses problem(
      {rows, HingeLosses(data.labels, one_against_the_rest(data)), costs.back(), bias}, context);
  const NewtonOptions options{.tolerance = tolerance};
  if (!in_span) return minimise(problem, costs, options, context);
  const std::optional<RowSpan> span = RowSpan::of(rows, bias, context);
  REQUIRE(span.has_value());
  return minimise_in_span(*span, problem, costs, options, context);
}

/// Checks that both ways lead to the same machine and that the figures of the second are correct.
void check_same(const Data& data, double cost) {
  CAPTURE(data.values.rows);
  CAPTURE(data.values.cols);
  CAPTURE(cost);
  TestContext context;
  const Solution all = std::move(solve(data, {cost}, false, 1e-7, context).back());
  const Solution span = std::move(solve(data, {cost}, true, 1e-7, context).back());
  CHECK(span.certificate == Certificate::converged);
  REQUIRE(span.outcomes.size() == all.outcomes.size());
  for (std::size_t c = 0; c < all.outcomes.size(); ++c) {
    const Outcome &a = all.outcomes[c], &b = span.outcomes[c];
    CHECK(b.primal <= a.primal * (1 + 1e-7));
    CHECK(b.primal == doctest::Approx(objective(span.weights, c, data, cost)).epsilon(1e-9));
    CHECK(proved(b, 1e-7));
    CHECK(b.dual <= a.primal * (1 + 1e-9));
    CHECK(b.gradient_norm < 1e-2);
  }
  // With all columns a large C is hard: then only objective and bound are compared.
  if (all.certificate != Certificate::converged) return;
  for (std::size_t c = 0; c < all.outcomes.size(); ++c)
    CHECK(span.outcomes[c].primal == doctest::Approx(all.outcomes[c].primal).epsilon(1e-6));
  const std::vector<double> f = decisions(all.weights, data), g = decisions(span.weights, data);
  for (std::size_t i = 0; i < f.size(); ++i)
    if (std::abs(f[i]) > 1e-2) REQUIRE((f[i] > 0) == (g[i] > 0));
  for (std::size_t i = 0; i < f.size(); ++i) REQUIRE(g[i] == doctest::Approx(f[i]).epsilon(0.01));
}

/// Half the rows twice, sometimes with another class the second time; two constant columns; a row
/// of zeros; one row in the last class.
Data peculiar(std::size_t rows, std::size_t cols) {
  Data data = clouds(rows, cols, 3);
  float* x = data.values.values.data();
  for (std::size_t i = 0; i < rows; ++i) {
    if (data.labels[i] == 2) data.labels[i] = static_cast<std::int32_t>(i % 2);
    if (i >= rows / 2) std::copy_n(x + (i - rows / 2) * cols, cols, x + i * cols);
    x[i * cols] = 0;
    x[i * cols + 1] = 3;
  }
  std::fill_n(x + 5 * cols, cols, 0.0F);
  data.labels[7] = 2;
  return data;
}

}  // namespace

TEST_CASE("coordinates have the products of the rows and expand to them") {
  const std::size_t n = 270, cols = 1500;  // two blocks, three tiles and two strips
  const Data data = clouds(n, cols, 2);
  TestContext context;
  const MemoryRows rows(data.values);
  const std::optional<RowSpan> span = RowSpan::of(rows, bias, context);
  REQUIRE(span.has_value());
  Vectors<double> z(n, n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto rounded = span->coordinates().view(i, 1).row_span(0);
    const auto split = span->split_coordinates().view(i, 1).row_span(0);
    REQUIRE(split.size() == 2 * n);
    for (std::size_t j = 0; j < n; ++j) {
      REQUIRE(rounded[j] == split[j]);
      z.row(i)[j] = double{split[j]} + double{split[n + j]};
    }
    for (std::size_t k = 0; k <= i; ++k) {
      double of_rows = bias * bias;
      for (std::size_t j = 0; j < cols; ++j)
        of_rows += double{data.values.values[i * cols + j]} * data.values.values[k * cols + j];
      REQUIRE(std::abs(dot(z.row(i), z.row(k), n) - of_rows) < 1e-8);
    }
  }
  const Vectors<double> expanded = span->expand(z, context);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < cols; ++j)
      REQUIRE(std::abs(expanded.row(i)[j] - data.values.values[i * cols + j]) < 1e-9);
    REQUIRE(expanded.row(i)[cols] == doctest::Approx(bias).epsilon(1e-9));
  }
}

TEST_CASE("the optimum of the span is that of the rows, without another step") {
  for (const double cost : {1e-4, 1.0, 10.0}) {
    CAPTURE(cost);
    TestContext context;
    const Solution span = std::move(solve(clouds(60, 800, 4), {cost}, true, 1e-7, context).back());
    CHECK(span.certificate == Certificate::converged);
    CHECK(span.sweeps == 3);  // products, expansion, evaluation
  }
}

TEST_CASE("the machine of the span is that of all columns") {
  for (const double cost : {1e-4, 0.01, 1.0, 100.0}) {
    check_same(clouds(40, 200, 3), cost);
    check_same(clouds(150, 400, 2), cost);
    check_same(clouds(300, 5000, 7), cost);
    check_same(clouds(60, 60, 3), cost);
    check_same(clouds(90, 30, 3), cost);  // rank 31 only
    check_same(peculiar(60, 200), cost);
    check_same(peculiar(60, 60), cost);
  }
}

TEST_CASE("rows of zeros leave nothing to learn but the bias") {
  Data data = clouds(30, 100, 2);
  std::fill(data.values.values.begin(), data.values.values.end(), 0.0F);
  check_same(data, 1);
  const auto trained = [&] {
    TestContext context;
    return train("solver/linear_svm", data, context, {{"bias", 0.0}});
  }();
  CHECK(trained.report.numbers.at("objective") == 30);
  for (const float score : scores(*trained.solver, data).values) REQUIRE(score == 0);
}

TEST_CASE("each cost of a path is solved in the span") {
  const Data data = clouds(80, 400, 4);
  TestContext context;
  const std::vector<double> costs = {1e-4, 0.01, 10};
  const auto all = solve(data, costs, false, 1e-8, context);
  const auto span = solve(data, costs, true, 1e-8, context);
  REQUIRE(span.size() == 3);
  for (std::size_t i = 0; i < costs.size(); ++i)
    for (std::size_t c = 0; c < 4; ++c) {
      CHECK(span[i].outcomes[c].primal == doctest::Approx(all[i].outcomes[c].primal).epsilon(1e-7));
      CHECK(span[i].outcomes[c].primal ==
            doctest::Approx(objective(span[i].weights, c, data, costs[i])).epsilon(1e-9));
      CHECK(proved(span[i].outcomes[c], 1e-8));
      CHECK(span[i].outcomes[c].gradient_norm < 1e-3);
    }
}

TEST_CASE("whenever a stop comes, the reported figures are those of the weights") {
  const Data data = clouds(50, 300, 3);
  const MemoryRows rows(data.values);
  const Layout layout = Layout::vector(300);
  std::size_t stopped = 0, learned = 0;
  for (std::size_t looks = 0; looks < 400; looks += 3) {
    CAPTURE(looks);
    StoppingContext context(looks);
    const LinearTask task{{rows, layout, data.labels, data.classes}, {1.0}, {}, bias, 1e-7, 1000};
    const auto solutions =
        train_independent_problems(task, Regularizer::l2, PreconditionerKind::automatic, context);
    const Solution& solution = solutions.back();
    stopped += solution.certificate == Certificate::cancelled;
    for (std::size_t c = 0; c < 3; ++c) {
      const double value = objective(solution.weights, c, data, 1);
      REQUIRE(solution.outcomes[c].primal == doctest::Approx(value).epsilon(1e-5));
      learned += value < 50 && solution.certificate == Certificate::cancelled;
    }
  }
  CHECK(stopped > 0);
  CHECK(learned > 0);
}

TEST_CASE("few rows of many columns: neither threads nor memory change the bits") {
  const Data data = clouds(300, 2000, 5);
  TestContext one(1), two(2);
  CHECK(worth_span(300, 2001, 5));
  CHECK(saved_bits(*train("solver/linear_svm", data, one).solver) ==
        saved_bits(*train("solver/linear_svm", data, two).solver));
  CHECK(same_bits_with_budgets("solver/linear_svm", data, {{"tolerance", 1e-7}},
                               {16 << 10, 64 << 10}));
  const std::string refused = training_error("solver/linear_svm", data, {}, 1 << 20);
  CAPTURE(refused);
  CHECK(refused.starts_with("training 5 of 5 problems at once on 300 rows of 2001 values takes "));
}

TEST_CASE("few rows of many columns: too few iterations are reported as such") {
  TestContext context;
  const auto trained = train("solver/linear_svm", clouds(100, 500, 3), context,
                             {{"max_iterations", std::int64_t{1}}, {"tolerance", 1e-9}});
  CHECK(trained.report.texts.at("certificate") == "iteration limit");
  CHECK(trained.report.numbers.at("duality_gap") > 1e-9);
  CHECK(trained.report.integers.at("iterations") == 1);
}

TEST_CASE("few rows of many columns: no extreme of C or scale is called converged that is not") {
  for (const double cost : {1e-300, 1e-30, 1e10, 1e30})
    for (const double scale : {1e-30, 1e-5, 1.0, 1e15, 1e30})
      for (const std::size_t classes : {2, 3}) {
        CAPTURE(cost);
        CAPTURE(scale);
        Data data = clouds(30, 80, classes);
        for (float& x : data.values.values) x = static_cast<float>(scale * x);
        TestContext context;
        try {
          const auto trained = train("solver/linear_svm", data, context,
                                     {{"C", cost}, {"max_iterations", std::int64_t{200}}});
          for (const float score : scores(*trained.solver, data).values)
            REQUIRE(!std::isnan(score));
          if (trained.report.texts.at("certificate") != "converged") continue;
          CHECK(std::isfinite(trained.report.numbers.at("objective")));
          CHECK(std::abs(trained.report.numbers.at("duality_gap")) <= 1e-5);
        } catch (const Error& error) {
          const std::string message = error.what();
          CAPTURE(message);
          const bool says_what_to_do = message.find("lower C") != std::string::npos ||
                                       message.find("scale") != std::string::npos;
          CHECK(says_what_to_do);
        }
      }
}

}  // namespace semblance::linear::span_newton_test
