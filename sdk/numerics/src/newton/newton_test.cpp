// SPDX-License-Identifier: MIT
#include "semblance_numerics/newton.hpp"

#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <bit>
#include <string>

#include "semblance/ranks_testing.hpp"
#include "semblance/testing.hpp"

namespace semblance::newton_test {

using namespace numerics;
using testing::TestContext;

namespace {

using Live = NewtonOperator::Live;

/// The functions w.x_i of dense samples, by plain loops.
class PlainFunctions final : public NewtonOperator {
 public:
  PlainFunctions(const Eigen::MatrixXd& x, std::size_t problems, Context& context)
      : x_(x), n_(problems), context_(context), parts_(static_cast<std::size_t>(x.rows())) {}

  std::size_t exact_after = std::numeric_limits<std::size_t>::max();  // products
  std::size_t exact_steps = 0;

  std::size_t dimension() const override { return static_cast<std::size_t>(x_.cols()); }
  bool multiply(const Vectors<double>& v, Live live, std::span<double> f) override {
    const OwnParts own = context_.collectives().own(parts_);
    for (std::size_t i = 0; i < own.rows; ++i)
      for (const std::size_t c : live) f[i * n_ + c] = row(own.first_row + i).dot(of(v, c));
    return !stopped();
  }
  bool transpose(std::span<const double> z, Live live, Vectors<double>& out) override {
    return sum(live, out, [&](std::size_t i, std::size_t c, const auto&) { return z[i * n_ + c]; });
  }
  bool curve(const Vectors<double>& v, Live live, std::span<const float> curvatures,
             std::span<const double> shifts, Vectors<double>& out) override {
    return sum(live, out, [&](std::size_t i, std::size_t c, const auto& x) {
      return double{curvatures[i * n_ + c]} * (x.dot(of(v, c)) - shifts[c]);
    });
  }
  bool may_be_exact() const override { return true; }
  double squared_length() override { return x_.squaredNorm() / double(x_.rows()); }
  bool worth_exact(std::size_t products, double) const override { return products >= exact_after; }
  bool solve(const SquaredLosses& losses, const Vectors<double>& gradient, Live live,
             Vectors<double>& steps) override {
    for (const std::size_t c : live) {
      Eigen::MatrixXd h = Eigen::MatrixXd::Identity(x_.cols(), x_.cols());
      for (const std::size_t i : losses.active_samples(c))
        h += 2 * losses.working_cost(c) * losses.weight(i) * row(i) * row(i).transpose();
      Eigen::Map<Eigen::VectorXd>(steps.row(c), x_.cols()) = -h.llt().solve(of(gradient, c));
      ++exact_steps;
    }
    return !stopped();
  }

 private:
  bool stopped() const { return context_.stop_requested() != StopReason::none; }
  Eigen::VectorXd row(std::size_t i) const {
    return x_.row(static_cast<Eigen::Index>(i)).transpose();
  }
  Eigen::Map<const Eigen::VectorXd> of(const Vectors<double>& v, std::size_t c) const {
    return {v.row(c), x_.cols()};
  }
  template <class Factor>
  bool sum(Live live, Vectors<double>& out, const Factor& factor) {
    const std::size_t d = dimension(), first = context_.collectives().own(parts_).first_row;
    std::vector<double> total(n_ * d);
    sum_over_parts(context_, parts_, total, [&](std::size_t part, std::span<double> sums) {
      for (std::size_t i = parts_.first_row(part); i < parts_.first_row(part + 1); ++i)
        for (const std::size_t c : live)
          Eigen::Map<Eigen::VectorXd>(&sums[c * d], x_.cols()) +=
              factor(i - first, c, row(i)) * row(i);
    });
    for (const std::size_t c : live) std::copy_n(&total[c * d], d, out.row(c));
    return !stopped();
  }

  const Eigen::MatrixXd& x_;
  std::size_t n_;
  Context& context_;
  RowParts parts_;
};

/// Samples about a centre for each of three classes, labels, targets and weights.
struct Samples {
  explicit Samples(std::size_t count, double scale = 1) : x(Eigen::Index(count), 8) {
    Random random(3);
    for (std::size_t i = 0; i < count; ++i) {
      labels.push_back(static_cast<std::int32_t>(random.below(3)));
      weights.push_back(static_cast<double>(random.below(4)));
      for (Eigen::Index j = 0; j < x.cols(); ++j)
        x(Eigen::Index(i), j) =
            std::pow(scale, double(j)) * (random.normal() + (j % 3 == labels.back() ? 2 : 0));
      targets.push_back(x(Eigen::Index(i), 0) + random.normal());
    }
  }
  SquaredLosses::Data hinges(double cost) const {
    return {.losses = HingeLosses(labels, {0, 1, 2}),
            .samples = labels.size(),
            .cost = cost,
            .weights = weights};
  }

  Eigen::MatrixXd x;
  std::vector<std::int32_t> labels;
  std::vector<double> weights, targets;
};

/// The objective and its gradient by w and the intercept, from their definition.
struct Plain {
  Plain(const Samples& samples, const AnyLosses& losses, double cost, const Solution& solution,
        std::size_t c) {
    const Eigen::Map<const Eigen::VectorXd> w(solution.weights.row(c), samples.x.cols());
    const double b = solution.offsets.empty() ? 0 : solution.offsets[c];
    objective = w.squaredNorm() / 2;
    gradient = w;
    for (std::size_t i = 0; i < samples.labels.size(); ++i) {
      const Eigen::VectorXd x = samples.x.row(Eigen::Index(i)).transpose();
      const double f = x.dot(w) + b;
      double lost = 0, sign = 0, loss = 0;
      if (std::holds_alternative<HingeLosses>(losses)) {
        sign = samples.labels[i] == std::int32_t(c) ? 1 : -1;
        lost = std::max(0.0, 1 - sign * f);
        loss = lost * lost;
      } else {  // a tube of .1 around the target, linear from a slack of .5 on
        const double slack = std::abs(samples.targets[i] - f) - 0.1;
        sign = samples.targets[i] < f ? -1 : 1;
        lost = std::clamp(slack, 0.0, 0.5);
        loss = slack < 0.5 ? lost * lost : slack - 0.25;
      }
      objective += cost * samples.weights[i] * loss;
      gradient -= 2 * cost * samples.weights[i] * sign * lost * x;
      by_intercept -= 2 * cost * samples.weights[i] * sign * lost;
    }
  }
  double objective = 0, by_intercept = 0;
  Eigen::VectorXd gradient;
};

Solution solve(const Samples& samples, const SquaredLosses::Data& data,
               const NewtonOptions& options, Context& context,
               PlainFunctions* functions = nullptr) {
  SquaredLosses losses(data, context);
  PlainFunctions own(samples.x, losses.problems(), context);
  return std::move(newton(functions != nullptr ? *functions : own, losses,
                          std::vector<double>{data.cost}, options, context)
                       .front());
}

/// The minima are known from a point whose gradient is close to 0: the objective is 1-strongly
/// convex in w, so half the squared gradient bounds its excess.
void check_optimal(const Samples& samples, const SquaredLosses::Data& data,
                   const Solution& solution, double tolerance) {
  TestContext context;
  const Solution best = solve(samples, data, {.tolerance = 1e-13, .proves_ahead = false}, context);
  CHECK(solution.certificate == Certificate::converged);
  for (std::size_t c = 0; c < solution.outcomes.size(); ++c) {
    const Plain least(samples, data.losses, data.cost, best, c);
    REQUIRE(least.gradient.squaredNorm() / 2 <= 1e-10 * least.objective);
    REQUIRE((!data.intercept || std::abs(least.by_intercept) <= 1e-6 * least.objective));
    const Plain plain(samples, data.losses, data.cost, solution, c);
    const Outcome& outcome = solution.outcomes[c];
    CHECK(outcome.primal == doctest::Approx(plain.objective).epsilon(1e-12));
    CHECK(plain.objective <= (1 + tolerance) * least.objective);
    CHECK(outcome.dual <= (1 + 1e-12) * least.objective);
    CHECK(outcome.dual >= (1 - tolerance) * plain.objective);
  }
}

}  // namespace

TEST_CASE("Newton's method minimizes the hinges of several classes, and proves it") {
  TestContext context;
  const Samples samples(700);
  for (const double cost : {0.01, 1.0, 100.0}) {
    const SquaredLosses::Data data = samples.hinges(cost);
    check_optimal(samples, data, solve(samples, data, {.tolerance = 1e-9}, context), 1e-9);
  }
}

TEST_CASE("an intercept that is not regularized is optimal and has a true bound") {
  TestContext context;
  Samples samples(700);
  samples.x.array() += 3;
  for (const double cost : {0.01, 10.0}) {
    SquaredLosses::Data data = samples.hinges(cost);
    data.intercept = true;
    const Solution solution = solve(samples, data, {.tolerance = 1e-9}, context);
    REQUIRE(solution.offsets.size() == 3);
    check_optimal(samples, data, solution, 1e-9);
  }
}

TEST_CASE("tubes with caps are minimized too, with and without an intercept") {
  TestContext context;
  const Samples samples(700);
  for (const bool intercept : {false, true}) {
    SquaredLosses::Data data = samples.hinges(2);
    data.losses = TubeLosses(samples.targets, 1, 0, {{0.1, {0.5, 0.5}}});
    data.intercept = intercept;
    check_optimal(samples, data, solve(samples, data, {.tolerance = 1e-9}, context), 1e-9);
  }
}

TEST_CASE("exact steps follow a path of costs where columns have very different scales") {
  TestContext context;
  const Samples samples(700, 5);
  const SquaredLosses::Data data = samples.hinges(1e4);
  PlainFunctions functions(samples.x, 3, context);
  functions.exact_after = 50;
  const Solution solution = solve(samples, data, {.tolerance = 1e-7}, context, &functions);
  CHECK(functions.exact_steps > 3);
  check_optimal(samples, data, solution, 1e-7);
}

TEST_CASE("the bits depend neither on the threads nor on the ranks, also from cost to cost") {
  const Samples samples(2000);
  const auto bits = [&](Context& context) {
    SquaredLosses::Data data = samples.hinges(10);
    data.intercept = true;
    SquaredLosses losses(data, context);
    PlainFunctions functions(samples.x, 3, context);
    std::string text;
    for (const Solution& solution :
         newton(functions, losses, std::vector<double>{0.1, 10}, {}, context))
      for (std::size_t c = 0; c < 3; ++c)
        for (std::size_t j = 0; j < solution.weights.cols(); ++j)
          text += std::to_string(std::bit_cast<std::uint64_t>(solution.weights.row(c)[j])) + ' ';
    return text;
  };
  TestContext one(1), two(2);
  const std::string expected = bits(one);
  CHECK(bits(two) == expected);
  FloatMatrix outline(samples.labels.size(), 1);
  testing::check_same_on_ranks(outline, {1, 2, 3},
                               [&](const Rows&, Context& context) { return bits(context); });
}

TEST_CASE("a stop returns the best weights and says so") {
  TestContext context;
  context.stop = StopReason::deadline;
  const Samples samples(300);
  const Solution solution = solve(samples, samples.hinges(1), {.tolerance = 1e-9}, context);
  CHECK(solution.certificate == Certificate::deadline);
  CHECK(solution.outcomes.size() == 3);
  CHECK(solution.weights.count() == 3);
}

TEST_CASE("a start from another method's weights continues its counts") {
  TestContext context;
  const Samples samples(700);
  const SquaredLosses::Data data = samples.hinges(1);
  Solution start = solve(samples, data, {.tolerance = 1e-3}, context);
  const std::size_t iterations = start.iterations;
  SquaredLosses losses(data, context);
  PlainFunctions functions(samples.x, 3, context);
  const Solution solution =
      std::move(newton(functions, losses, std::vector<double>{1}, {.tolerance = 1e-9}, context,
                       [&](std::size_t) { return std::move(start); })
                    .front());
  CHECK(solution.iterations > iterations);
  check_optimal(samples, data, solution, 1e-9);
}

TEST_CASE("steps that overflow are an error that says what to do") {
  TestContext context;
  const Samples samples(50);
  CHECK_THROWS_WITH_AS(solve(samples, samples.hinges(1e300), {.along_path = false}, context),
                       doctest::Contains("normalizer/zscore"), Error);
}

}  // namespace semblance::newton_test
