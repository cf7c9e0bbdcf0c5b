// SPDX-License-Identifier: MIT
#include "sparse/hinge_passes.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>

#include "linear_testing.hpp"

namespace hinge_passes_test {

using namespace semblance;
using namespace semblance::linear::testing;

namespace {

constexpr std::size_t columns = 6000;

/// Rows enough for windows. The first column is in every row, so that all steps change its weight.
struct Texts {
  FloatMatrix rows{0, columns};
  std::vector<std::int32_t> labels;
  std::vector<std::string> names = {"a", "b"};
};

Texts texts() {
  Random random(11);
  Texts texts;
  texts.rows.offsets = {0};
  for (std::size_t i = 0; i < 8000; ++i) {
    texts.labels.push_back(static_cast<std::int32_t>(random.below(2)));
    std::vector<std::uint32_t> own = {0};
    for (std::size_t k = 0; k < 50; ++k) {
      const double place = random.uniform();
      own.push_back(static_cast<std::uint32_t>(1 + (columns - 2) * place * place * place));
    }
    own.push_back(static_cast<std::uint32_t>(1 + 2 * random.below(200) +
                                             static_cast<std::size_t>(texts.labels.back())));
    std::ranges::sort(own);
    own.erase(std::ranges::unique(own).begin(), own.end());
    for (const std::uint32_t column : own) {
      texts.rows.columns.push_back(column);
      texts.rows.values.push_back(static_cast<float>(random.uniform(0.05, 0.3)));
    }
    texts.rows.offsets.push_back(texts.rows.values.size());
  }
  texts.rows.rows = 8000;
  texts.rows.is_sparse = true;
  return texts;
}

class Problem {
 public:
  Problem(const Texts& texts, double cost, std::vector<double> row_weights = {},
          std::span<const double> centre = {})
      : rows_(texts.rows.view()),
        layout_(Layout::sparse(columns)),
        training_{rows_, layout_, texts.labels, texts.names},
        task_{.training = training_,
              .costs = {cost},
              .row_weights = std::move(row_weights),
              .centre = centre},
        samples_(task_, context_) {}

  const linear::SparseTask& samples() const { return samples_; }

  struct Objectives {
    double primal = 0;
    double dual = 0;
  };
  /// At these variables, from their definition.
  Objectives at(const std::vector<double>& variables) const {
    std::vector<double> w(columns + 1);
    const double cost = task_.costs[0];
    double dual = 0, losses = 0, square = 0, sum = 0, at_centre = 0;
    const MatrixView x = rows_.view(0, rows_.rows());
    const auto y = [&](std::size_t i) { return training_.labels[i] == 1 ? 1.0 : -1.0; };
    for (std::size_t i = 0; i < x.rows; ++i) {
      if (variables[i] == 0) continue;
      dual += variables[i] - variables[i] * variables[i] / (4 * cost * task_.row_weight(i));
      for (std::size_t k = 0; k < x.size(i); ++k)
        w[x.columns_of(i)[k]] += y(i) * variables[i] * double{x.row(i)[k]};
      sum += y(i) * variables[i];
    }
    w[columns] = sum;
    for (std::size_t j = 0; j < task_.centre.size(); ++j) {
      w[j] -= sum * task_.centre[j];
      at_centre += w[j] * task_.centre[j];
    }
    for (std::size_t i = 0; i < x.rows; ++i) {
      double f = w[columns] - at_centre;
      for (std::size_t k = 0; k < x.size(i); ++k) f += w[x.columns_of(i)[k]] * double{x.row(i)[k]};
      const double lost = std::max(0.0, 1 - y(i) * f);
      losses += cost * task_.row_weight(i) * lost * lost;
    }
    for (const double v : w) square += v * v / 2;
    return {square + losses, dual - square};
  }

 private:
  MatrixRows rows_;
  Layout layout_;
  TrainingSet training_;
  TestContext context_{1};
  linear::LinearTask task_;
  linear::SparseTask samples_;
};

/// Counts the pairs of tasks, the halves of windows.
class Counting final : public TestContext {
 public:
  using TestContext::TestContext;
  void parallel_for(std::size_t count, const std::function<void(std::size_t)>& body) override {
    pairs += count == 2;
    TestContext::parallel_for(count, body);
  }
  std::size_t pairs = 0;
};

}  // namespace

TEST_CASE("halves of windows raise the dual objective by what they say") {
  const Texts all = texts();
  std::vector<double> weights(all.labels.size(), 1);
  for (std::size_t i = 0; i < weights.size(); i += 3) weights[i] = i % 2 == 0 ? 0 : 2.5;
  std::vector<double> means(columns);
  for (std::size_t k = 0; k < all.rows.values.size(); ++k)
    means[all.rows.columns[k]] += double{all.rows.values[k]} / 8000;
  for (const double cost : {0.1, 1.0, 100.0})
    for (const bool weighted : {false, true}) {
      CAPTURE(cost);
      CAPTURE(weighted);
      const auto row_weights = weighted ? weights : std::vector<double>();
      const Problem problem(all, cost, row_weights,
                            weighted ? std::span<const double>(means) : std::span<const double>());
      Counting context(2);
      linear::HingePasses descent(problem.samples(), 0, cost, context);
      std::vector<double> variables(all.labels.size());
      descent.start(variables, linear::LaneWeights(columns, 1, 1), 0);
      Random random(5);
      double before = 0;
      for (std::size_t pass = 0; pass < 9; ++pass) {
        REQUIRE(descent.pass(pass % 4 == 0, random));
        descent.copy_variables(variables);
        const double dual = problem.at(variables).dual;
        CHECK(descent.dual() == doctest::Approx(dual).epsilon(1e-9));
        CHECK(dual > before);
        before = dual;
        for (std::size_t i = 0; i < variables.size(); ++i) {
          REQUIRE(variables[i] >= 0);
          if (!row_weights.empty() && row_weights[i] == 0) REQUIRE(variables[i] == 0);
        }
      }
      CHECK(context.pairs > 0);
    }
}

TEST_CASE("halves of windows reach the optimum, and the gap is that of the objectives") {
  const Texts all = texts();
  const Problem problem(all, 1);
  Counting context(2);
  linear::HingePasses descent(problem.samples(), 0, 1, context);
  std::vector<double> variables(all.labels.size());
  descent.start(variables, linear::LaneWeights(columns, 1, 1), 0);
  Random random(5);
  std::size_t passes = 0;
  do REQUIRE(descent.pass(passes % 4 == 0, random));
  while (descent.gap() > 1e-5 * descent.dual() && ++passes < 60);
  CHECK(passes < 60);
  descent.copy_variables(variables);
  const auto [primal, dual] = problem.at(variables);
  CHECK(primal - dual < 3e-5 * primal);
  CHECK(primal >= dual);
}

TEST_CASE("halves of windows give the same bits on any number of threads") {
  const Texts all = texts();
  const auto after = [&](std::size_t threads) {
    const Problem problem(all, 3);
    Counting context(threads);
    linear::HingePasses descent(problem.samples(), 0, 3, context);
    std::vector<double> variables(all.labels.size());
    descent.start(variables, linear::LaneWeights(columns, 1, 1), 0);
    Random random(5);
    for (std::size_t pass = 0; pass < 10; ++pass) descent.pass(pass % 4 == 0, random);
    CHECK(context.pairs >= 10);
    descent.copy_variables(variables);
    return variables;
  };
  for (const std::size_t threads : {2U, 3U, 8U}) CHECK(after(threads) == after(1));
}

TEST_CASE("a stop ends a pass") {
  const Texts all = texts();
  const Problem problem(all, 1);
  Counting context(2);
  linear::HingePasses descent(problem.samples(), 0, 1, context);
  descent.start(std::vector<double>(all.labels.size()), linear::LaneWeights(columns, 1, 1), 0);
  Random random(5);
  context.stop = StopReason::deadline;
  CHECK_FALSE(descent.pass(true, random));
}

}  // namespace hinge_passes_test
