// SPDX-License-Identifier: MIT
#include <numeric>

#include "convergence_testing.hpp"
#include "newton/vec_trick.hpp"
#include "semblance/regressor.hpp"
#include "testing/pairs_testing.hpp"

namespace semblance::pairs::kronecker_ridge_test {

using namespace testing;

const Parts gaussians = {{"first", part("similarity/rbf", {{"gamma", 0.5}})},
                         {"second", part("similarity/rbf", {{"gamma", 0.25}})}};

/// Two targets of each pair.
struct Task {
  MadePairs pairs = made_pairs(12, 9, 3, 2, 70);
  std::vector<double> targets;
  std::vector<std::int32_t> labels = std::vector<std::int32_t>(70, -1);
  std::vector<std::string> names = {"one", "two"};
  MatrixRows rows{std::as_const(pairs.rows).view()};

  Task() {
    Random random(5);
    for (std::size_t i = 0; i < pairs.count(); ++i) {
      targets.push_back(100 + pairs.sample(0, i)[0] * pairs.sample(1, i)[1] +
                        0.1 * random.normal());
      targets.push_back(std::sin(pairs.sample(0, i)[1]) + pairs.sample(1, i)[0]);
    }
  }
  TrainingSet set() const {
    TrainingSet training{rows, pairs.layout, labels, {}};
    training.targets = targets;
    training.target_names = names;
    return training;
  }
  FloatMatrix estimates(const Regressor& machine, MatrixView in, TestContext& context) const {
    FloatMatrix found(in.rows, 2);
    machine.apply(in, found.view(), context);
    return found;
  }
};

std::unique_ptr<Regressor> trained(const std::string& id, const Parameters& parameters,
                                   const Parts& parts, const Task& task, MemoryReport& report,
                                   Context& context) {
  auto machine = make_component<Regressor>(id, parameters, parts);
  machine->bind(task.pairs.layout);
  machine->train(task.set(), report, context);
  return machine;
}

TEST_CASE("products by the vec trick are those of the matrix of pairs") {
  Random random(2);
  const auto square = [&](std::size_t n) {
    SquareMatrix made{n, std::vector<double>(n * n)};
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j <= i; ++j)
        made.values[i * n + j] = made.values[j * n + i] = random.normal();
    return made;
  };
  for (const auto& [m, q, n] :
       {std::tuple{5, 9, 30}, std::tuple{150, 170, 3000}, std::tuple{150, 170, 8000}}) {
    PairIndex pairs;
    std::vector<double> v;
    for (int i = 0; i < n; ++i) {
      pairs.first.push_back(static_cast<std::uint32_t>(random.below(std::size_t(m))));
      pairs.second.push_back(static_cast<std::uint32_t>(random.below(std::size_t(q))));
      v.push_back(random.normal());
    }
    std::vector<std::vector<double>> found;
    for (const std::size_t threads : {1, 3}) {
      TestContext context(threads);
      Random again(7);
      random = again;
      VecTrick products(square(std::size_t(m)), square(std::size_t(q)), pairs, context);
      found.emplace_back(v.size());
      products.product(v, found.back(), context);
      double worst = 0;
      for (std::size_t i = 0; i < v.size(); i += 7)
        worst = std::max(worst, std::abs(products.row_product(i, v) - found.back()[i]));
      CHECK(worst < 1e-11 * n);
    }
    CHECK(found[0] == found[1]);
  }
}

TEST_CASE("it is kernel ridge regression on the Kronecker similarity") {
  const Task task;
  TestContext context;
  for (const bool intercept : {true, false}) {
    CAPTURE(intercept);
    const Parameters parameters = {{"penalty", 0.3}, {"intercept", intercept}};
    MemoryReport fast_report, plain_report;
    Parameters exact = parameters;
    exact.emplace_back("tolerance", 1e-12);
    const auto fast =
        trained("solver/kronecker_ridge", exact, gaussians, task, fast_report, context);
    const auto plain = trained("solver/kernel_ridge", parameters,
                               {{"kernel", part("similarity/kronecker", {}, gaussians)}}, task,
                               plain_report, context);
    const MadePairs fresh = made_pairs(8, 8, 3, 2, 40, 9);
    for (const MatrixView in :
         {std::as_const(task.pairs.rows).view(), std::as_const(fresh.rows).view()}) {
      const FloatMatrix one = task.estimates(*fast, in, context);
      const FloatMatrix other = task.estimates(*plain, in, context);
      double worst = 0;
      for (std::size_t k = 0; k < one.values.size(); ++k)
        worst = std::max(worst, std::abs(double{one.values[k]} - other.values[k]) /
                                    std::max(1.0, std::abs(double{other.values[k]})));
      CHECK(worst < 1e-6);
    }
    const Curve& course = fast_report.curves.at("convergence_by_iteration");
    common::testing::check_convergence(fast_report, "iteration", 1e-12, course.y.back());
    CHECK(course.y.front() == 1);
    CHECK(fast_report.numbers.at("objective") ==
          doctest::Approx(plain_report.numbers.at("objective")).epsilon(1e-5));
    CHECK(fast_report.numbers.at("squared_norm") ==
          doctest::Approx(plain_report.numbers.at("squared_norm")).epsilon(1e-4));
    CHECK(fast_report.numbers.at("check_violation") < 1e-9);
    CHECK(fast_report.numbers.at("check_error") < 1e-5);
    CHECK(fast_report.integers.at("first_samples") == 12);
    CHECK(fast_report.integers.at("second_samples") == 9);
  }
}

TEST_CASE("a saved machine gives the same bits, and so do any blocks and threads") {
  const Task task;
  TestContext one(1), many(3);
  MemoryReport report, other;
  const auto machine = trained("solver/kronecker_ridge", {}, gaussians, task, report, one);
  const auto again = trained("solver/kronecker_ridge", {}, gaussians, task, other, many);
  const MatrixView in = std::as_const(task.pairs.rows).view();
  const FloatMatrix all = task.estimates(*machine, in, one);
  CHECK(task.estimates(*again, in, many).values == all.values);
  MemoryState state;
  machine->save(state);
  const auto loaded = make_component<Regressor>("solver/kronecker_ridge", {}, gaussians);
  loaded->bind(task.pairs.layout);
  loaded->load(state, one);
  for (std::size_t i = 0; i < in.rows; ++i) {
    const FloatMatrix single = task.estimates(*loaded, in.rows_range(i, 1), one);
    CHECK(single.values == std::vector<float>{all.values[2 * i], all.values[2 * i + 1]});
  }
}

TEST_CASE("it says when it has not converged") {
  const Task task;
  TestContext context;
  MemoryReport report, stopped;
  trained("solver/kronecker_ridge", {{"iterations", std::int64_t{2}}}, gaussians, task, report,
          context);
  CHECK(report.texts.at("certificate") == "iteration limit");
  CHECK(report.numbers.at("gradient_norm") > 1e-8);
  CHECK(report.texts.contains("remedy"));
}

TEST_CASE("an error that a large tolerance explains says to lower it") {
  const Task task;
  TestContext context;
  MemoryReport report;
  CHECK_THROWS_WITH_AS(
      trained("solver/kronecker_ridge", {{"tolerance", 0.99}}, gaussians, task, report, context),
      doctest::Contains("of the target's mean deviation; lower 'tolerance', which allows that"),
      Error);
}

TEST_CASE("a stop request keeps the best estimates so far and says so") {
  const Task task;
  std::unique_ptr<Regressor> machine;
  MemoryReport report;
  stop_early([&](Context& context) {
    machine = trained("solver/kronecker_ridge", {}, gaussians, task, report, context);
  });
  CHECK(report.texts.at("certificate") == "deadline");
  CHECK(report.numbers.at("gradient_norm") <= 1);
  TestContext context;
  const FloatMatrix found =
      task.estimates(*machine, std::as_const(task.pairs.rows).view(), context);
  CHECK(std::isfinite(found.values[0]));
}

TEST_CASE("an indefinite kernel is refused") {
  const Task task;
  TestContext context;
  MemoryReport report;
  CHECK_THROWS_WITH_AS(
      trained("solver/kronecker_ridge", {},
              {{"first",
                part("similarity/polynomial", {{"degree", std::int64_t{1}}, {"offset", -10.0}})},
               {"second", part("similarity/rbf")}},
              task, report, context),
      doctest::Contains("the kernel of first samples is not positive semi-definite"), Error);
}

TEST_CASE("more than the memory allowed is refused with the arithmetic") {
  const Task task;
  TestContext context;
  context.budget = 2000;
  MemoryReport report;
  CHECK_THROWS_AS(trained("solver/kronecker_ridge", {}, gaussians, task, report, context),
                  MemoryError);
}

}  // namespace semblance::pairs::kronecker_ridge_test
