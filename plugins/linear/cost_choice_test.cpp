// SPDX-License-Identifier: MIT
// 'C: automatic' of the linear SVM.
#include "tuning/cost_choice.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "linear_testing.hpp"
#include "row_weights_testing.hpp"
#include "semblance/row_groups.hpp"
#include "semblance/sparse_testing.hpp"
#include "tuning/cost_choice_testing.hpp"
#include "tuning/stratified_folds.hpp"

namespace semblance::linear::cost_choice_test {
namespace {

using namespace testing;

constexpr const char* svm = "solver/linear_svm";
const Parameters automatic = {{"C", std::string("automatic")}};

Parameters among(std::vector<double> costs) {
  return and_also(automatic, {{"path", std::move(costs)}});
}

/// By machines trained on the other folds.
double error_of_parts(const Data& data, double cost, std::size_t folds,
                      const Parameters& parameters) {
  TestContext context;
  return plain_error(
      data, common::stratified_folds(data.labels, data.classes.size(), folds, Random(0)), folds,
      [&](const Data& others) {
        return train(svm, others, context, and_also(parameters, {{"C", cost}})).solver;
      });
}

struct Machine {
  const char* name;
  Data data;
  Parameters parameters;
};

Data sparse(Data data) {
  for (std::size_t k = 0; k < data.values.values.size(); ++k)
    if (k % 7 > 1) data.values.values[k] = 0;
  data.values = sparse_of(data.values.view());
  return data;
}

std::vector<Machine> machines() {
  Data weighted = clouds(90, 6, 3);
  weighted.weights = integer_weights(90);
  return {{"many rows", clouds(150, 5, 3), {}},
          {"two classes, no bias", clouds(90, 4, 2), {{"bias", 0.0}}},
          {"weights", weighted, {}},
          {"in the rows' span", clouds(60, 300, 3), {}},
          {"sparse", sparse(clouds(120, 30, 3)), {}},
          {"l1", clouds(90, 6, 2), {{"regularizer", std::string("l1")}}},
          {"crammer_singer",
           clouds(90, 5, 3),
           {{"multiclass", std::string("crammer_singer")}, {"tolerance", 1e-3}}}};
}

TEST_CASE("automatic C: errors of machines trained on the other folds, and the smallest of them") {
  const std::vector<double> costs = {1e-4, 1e-2, 1, 100};
  for (const Machine& machine : machines()) {
    CAPTURE(machine.name);
    TestContext context;
    const Parameters folds = and_also(machine.parameters, {{"folds", std::int64_t{4}}});
    const auto trained = train(svm, machine.data, context, and_also(folds, among(costs)));
    const std::vector<double>& errors = trained.report.curves.at("error_by_cost").y;
    REQUIRE(errors.size() == costs.size());
    for (std::size_t c = 0; c < costs.size(); ++c)  // but for two rows: the optima are approximate
      CHECK(std::abs(errors[c] - error_of_parts(machine.data, costs[c], 4, machine.parameters)) <
            2.5 / static_cast<double>(machine.data.labels.size()));
    const auto best = static_cast<std::size_t>(std::ranges::min_element(errors) - errors.begin());
    CHECK(trained.report.numbers.at("cost") == costs[best]);
    CHECK(trained.report.numbers.at("cross_validated_error_rate") == errors[best]);
    CHECK(trained.report.integers.at("choice_trainings") == 16);
    const auto alone =
        train(svm, machine.data, context, and_also(machine.parameters, {{"C", costs[best]}}));
    CHECK(saved_bits(*alone.solver) == saved_bits(*trained.solver));
  }
}

TEST_CASE("automatic C: in each fold, balanced classes are those of the rows that train") {
  const std::vector<double> costs = {1e-4, 1e-2, 1};
  const Parameters balanced = {{"balanced", true}, {"tolerance", 1e-8}};
  for (Data data : {clouds(90, 5, 3), clouds(60, 300, 3), sparse(clouds(90, 30, 3))}) {
    for (std::size_t i = 0; i < data.labels.size(); ++i)
      data.weights.push_back(data.labels[i] == 1 ? 0.1 : 2);
    TestContext context;
    const auto trained =
        train(svm, data, context,
              and_also(and_also(among(costs), balanced), {{"folds", std::int64_t{4}}}));
    CHECK(trained.report.texts.contains("weighted_errors"));
    const auto fold_of = common::stratified_folds(data.labels, data.classes.size(), 4, Random(0));
    for (std::size_t c = 0; c < costs.size(); ++c) {
      const double expected = plain_balanced_error(data, fold_of, 4, [&](const Data& others) {
        return train(svm, others, context, and_also(balanced, {{"C", costs[c]}})).solver;
      });
      CHECK(trained.report.curves.at("error_by_cost").y[c] ==
            doctest::Approx(expected).epsilon(1e-9));
    }
  }
}

TEST_CASE("automatic C: the range follows the rows' size") {
  const Data data = clouds(80, 5, 2);
  Data larger = data;
  for (float& x : larger.values.values) x *= 64;
  TestContext context;
  const auto costs = [&](const Data& given) {
    const auto trained = train(svm, given, context, and_also(automatic, {{"bias", 0.0}}));
    return trained.report.curves.at("error_by_cost");
  };
  const Curve first = costs(data), second = costs(larger);
  REQUIRE(first.x.size() == 7);
  double squares = 0;
  for (const float x : data.values.values) squares += double{x} * x / 80;
  CHECK(first.x[0] == doctest::Approx(0.01 / squares));
  for (std::size_t c = 0; c < 7; ++c)
    CHECK(second.x[c] == doctest::Approx(first.x[c] / (64.0 * 64.0)));
  CHECK(second.y == first.y);
}

TEST_CASE("automatic C: the same bits for any number of threads, and any memory budget") {
  for (const Data& data : {clouds(700, 12, 3), clouds(60, 400, 3)}) {
    TestContext one(1), many(5);
    CHECK(outcome(train(svm, data, one, automatic)) == outcome(train(svm, data, many, automatic)));
    CHECK(same_bits_with_budgets(svm, data, automatic, {8192, 32768}));
  }
}

TEST_CASE("automatic C: the rows of a group are held out together") {
  const auto error = [](const Data& data) {
    TestContext context;
    const auto solver = make_component<Solver>(svm, automatic);
    const MemoryRows rows(data.values);
    const Layout layout = layout_of(data.values);
    solver->bind(layout);
    MemoryReport report;
    solver->train(training_set(rows, layout, data), report, context);
    return report.numbers.at("cross_validated_error_rate");
  };
  Data data = repeated_samples();
  CHECK(error(data) > 0.25);
  data.groups.clear();
  CHECK(error(data) < 0.05);
}

TEST_CASE("automatic C: a class of a single row is misclassified when held out") {
  Data data = clouds(41, 3, 2);
  data.classes.push_back("class 2");
  data.labels.back() = 2;
  TestContext context;
  const auto trained = train(svm, data, context, automatic);
  CHECK(trained.report.numbers.at("cross_validated_error_rate") >= 1.0 / 41);
}

TEST_CASE("automatic C: a stop while choosing leaves a model, and says so") {
  const Data data = clouds(60, 5, 3);
  TestContext context;
  context.stop = StopReason::deadline;
  const auto trained = train(svm, data, context, automatic);
  CHECK(trained.report.texts.at("certificate") == "deadline");
  CHECK(trained.report.curves.count("error_by_cost") == 0);
}

TEST_CASE("automatic C: nothing lies beside the only cost that was judged before a stop") {
  common::CostChoice choice;
  choice.costs = {1};
  choice.errors = {0.25, 0.5};
  choice.errors.pop_back();  // what stands behind the end must not be read
  TestContext context;
  MemoryReport report;
  common::report_choice(choice, report, context);
  CHECK(report.numbers.at("cross_validated_error_rate") == 0.25);
  CHECK(context.lines.empty());
}

TEST_CASE("automatic C: messages") {
  CHECK_THROWS_WITH(make_component<Solver>(svm, among({1, 0.1})), "'path' must increase");
  CHECK_THROWS_WITH(make_component<Solver>(svm, among({1})),
                    "'path' has a single value to choose C from; give C that value");
  CHECK_THROWS_WITH(
      make_component<Solver>(svm, {{"C", 10.0}, {"folds", std::int64_t{3}}}),
      "'folds' belongs to 'C: automatic', but C is 10; omit it, or write 'C: automatic'");
  TestContext context;
  train(svm, clouds(200, 4, 2), context, among({1e-9, 1e-8, 1e-2}));
  CHECK(std::ranges::count(context.lines,
                           "the best C is the largest tried, 0.01; set 'path' with larger ones") ==
        1);
  CHECK(training_error(svm, clouds(60, 400, 3), automatic, 1 << 16) ==
        "to choose C, the products of 60 rows take 1 MiB, but 0 MiB are left; raise --memory, or "
        "give C a number");
}

}  // namespace
}  // namespace semblance::linear::cost_choice_test
