// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "ridge/ridge_testing.hpp"

namespace semblance::linear::ridge_test {
namespace {

using namespace testing;

TEST_CASE("ridge: the minimum of the plain least squares, many rows and few, with weights") {
  for (const auto& [rows, cols] : std::vector<std::pair<std::size_t, std::size_t>>{
           {1, 1}, {2, 1}, {2, 3}, {9, 3}, {20, 60}, {60, 20}, {30, 30}, {700, 5}, {5, 520}})
    for (const std::size_t targets : {1, 3})
      for (const double penalty : {1e-3, 1.0, 1e4}) {
        // More columns than a block has (512); solved plainly they take half a second.
        if (cols == 520 && (targets == 1 || penalty != 1)) continue;
        CAPTURE(rows);
        CAPTURE(cols);
        CAPTURE(penalty);
        NumberData data = linear_numbers(rows, cols, targets);
        check_against_plain(data, penalty, 1e-9);
        if (rows < 5) continue;
        weigh(data);
        check_against_plain(data, penalty, 1e-9);
      }
}

TEST_CASE("ridge: leave-one-out errors are those of fits without the row") {
  for (const auto& [rows, cols] : std::vector<std::pair<std::size_t, std::size_t>>{
           {2, 1}, {3, 1}, {12, 4}, {12, 11}, {12, 40}})
    for (const bool weighted : {false, true})
      for (const bool intercept : {true, false})
        for (const double penalty : {1e-2, 3.0}) {
          CAPTURE(rows);
          CAPTURE(cols);
          CAPTURE(weighted);
          CAPTURE(intercept);
          NumberData data = linear_numbers(rows, cols, 2);
          if (weighted && rows > 3) weigh(data);
          TestContext context;
          const Parameters settings{{"penalty", penalty}, {"intercept", intercept}};
          const auto trained = train_regressor(ridge, data, context, settings);
          // Estimates are float32.
          CHECK(trained.report.numbers.at("leave_one_out_rmse") ==
                doctest::Approx(plain_leave_one_out_rmse(ridge, data, settings)).epsilon(1e-6));
          for (const double offset : learned(*trained.solver).intercepts)
            CHECK((intercept || offset == 0));
        }
}

/// Small exact numbers, as in the script below.
NumberData listed_numbers() {
  NumberData data{FloatMatrix(20, 3), {}, {"first", "second"}};
  for (std::size_t i = 0; i < 20; ++i) {
    for (std::size_t j = 0; j < 3; ++j)
      data.values.values[i * 3 + j] = static_cast<float>((i * 7 + j * 13 + i * j) % 17) / 4;
    data.targets.push_back(static_cast<double>((i * 5 + i * i) % 23) / 2);
    data.targets.push_back(static_cast<double>((i * 11 + 3) % 13) / 8);
  }
  return data;
}

// scikit-learn 1.2.1: Ridge(alpha=2.5, solver='cholesky'), with sample_weight = 1 + i % 3 below,
// and RidgeCV(alphas=[.1, 1, 10, 100], store_cv_values=True) on the first target.
TEST_CASE("ridge: the numbers of scikit-learn") {
  NumberData data = listed_numbers();
  TestContext context;
  Learned found = learned(*train_regressor(ridge, data, context, {{"penalty", 2.5}}).solver);
  check_values(found.weights, {1.61331097682, 0.0398519331181, 0.929260360055, -0.00409861693596,
                               0.0510738688812, -0.0916561709179});
  check_values(found.intercepts, {-0.0603751061707, 0.843933214459});
  for (std::size_t i = 0; i < 20; ++i) data.weights.push_back(static_cast<double>(1 + i % 3));
  found = learned(*train_regressor(ridge, data, context, {{"penalty", 2.5}}).solver);
  check_values(found.weights, {1.46390418959, 0.169449923235, 0.637451477011, 0.00894353077036,
                               0.108237739213, -0.116890681319});
  check_values(found.intercepts, {0.736337023343, 0.713727611843});
}

TEST_CASE("ridge: leave-one-out errors and choice of scikit-learn's RidgeCV") {
  const NumberData both = listed_numbers();
  NumberData data{both.values, {}, {"first"}};
  for (std::size_t i = 0; i < 20; ++i) data.targets.push_back(both.target(i, 0));
  TestContext context;
  const auto trained =
      train_regressor(ridge, data, context, {{"penalties", std::vector<double>{0.1, 1, 10, 100}}});
  CHECK(trained.report.numbers.at("penalty") == 10);
  check_values(trained.report.curves.at("error_by_penalty").y,
               {2.38642797268, 2.36400663254, 2.33987278401, 2.98297421117});
  CHECK(trained.report.numbers.at("leave_one_out_rmse") == doctest::Approx(2.33987278401));
  CHECK(context.lines.empty());
  const auto alone = train_regressor(ridge, data, context, {{"penalty", 10.0}});
  CHECK(saved_bits(*alone.solver) == saved_bits(*trained.solver));
}

TEST_CASE("ridge: a weight is a number of copies") {
  NumberData data = linear_numbers(40, 5, 2);
  weigh(data);
  NumberData copies{FloatMatrix(), {}, data.names};
  std::size_t rows = 0;
  for (std::size_t i = 0; i < data.rows(); ++i)
    for (double w = data.weights[i]; w > 0; --w, ++rows) {
      const float* x = data.values.values.data() + i * 5;
      copies.values.values.insert(copies.values.values.end(), x, x + 5);
      for (std::size_t k = 0; k < 2; ++k) copies.targets.push_back(data.target(i, k));
    }
  copies.values.rows = rows;
  copies.values.cols = 5;
  TestContext context;
  check_values(learned(*train_regressor(ridge, data, context).solver).weights,
               learned(*train_regressor(ridge, copies, context).solver).weights);
}

TEST_CASE("ridge: the same bits for any number of threads") {
  const Parameters penalties = {{"penalties", std::vector<double>{1e-12, 0.1, 10}}};
  for (const NumberData& data : {linear_numbers(3000, 40, 2), linear_numbers(600, 2000, 2),
                                 awkward_numbers(3000, 5e5, 10), awkward_numbers(5, 5e5, 10)}) {
    TestContext one(1), many(5);
    const auto first = train_regressor(ridge, data, one, penalties);
    const auto second = train_regressor(ridge, data, many, penalties);
    CHECK(saved_bits(*first.solver) == saved_bits(*second.solver));
    for (const char* figure : {"objective", "leave_one_out_rmse", "violation"})
      CHECK(first.report.numbers.at(figure) == second.report.numbers.at(figure));
  }
}

TEST_CASE("ridge: a loaded solver gives the same bits, and estimates follow the weights") {
  const NumberData data = linear_numbers(50, 7, 3);
  TestContext context;
  const auto trained = train_regressor(ridge, data, context);
  MemoryState state;
  trained.solver->save(state);
  const auto loaded = make_component<Regressor>(ridge);
  loaded->bind(Layout::vector(7));
  loaded->load(state, context);
  CHECK(saved_bits(*loaded) == saved_bits(*trained.solver));
  const FloatMatrix first = estimates(*trained.solver, data.values, 3);
  CHECK(first.values == estimates(*loaded, data.values, 3).values);
  const Learned found = learned(*trained.solver);
  double expected = found.intercepts[1];
  for (std::size_t j = 0; j < 7; ++j)
    expected += found.weights[7 + j] * double{data.values.values[2 * 7 + j]};
  CHECK(first.values[2 * 3 + 1] == doctest::Approx(expected).epsilon(1e-6));
}

TEST_CASE("ridge: a stop leaves the best model so far") {
  class StopsLater final : public TestContext {
   public:
    void progress(double done, double) override {
      if (done > 0) stop = StopReason::deadline;
    }
  };
  const NumberData data = linear_numbers(50, 7, 1);
  StopsLater context;
  const auto trained =
      train_regressor(ridge, data, context, {{"penalties", std::vector<double>{3, 1000}}});
  CHECK(trained.report.texts.at("certificate") == "deadline");
  TestContext plain;
  CHECK(saved_bits(*trained.solver) ==
        saved_bits(*train_regressor(ridge, data, plain, {{"penalty", 3.0}}).solver));
}

TEST_CASE("ridge: messages") {
  NumberData data = linear_numbers(30, 4, 2);
  data.targets[7] = std::numeric_limits<double>::quiet_NaN();
  CHECK(regression_error(ridge, data) ==
        "training row 3 (counted from 0) has the target 'target 1' NaN; training needs finite "
        "targets");
  data = linear_numbers(30, 4, 2);
  data.values.values[4 * 5 + 1] = std::nanf("");
  CHECK(regression_error(ridge, data) ==
        "training row 5, column 1 (both counted from 0) is NaN; training needs finite values");
  data = linear_numbers(30, 4, 2);
  data.weights.assign(30, 0);
  CHECK(regression_error(ridge, data) ==
        "all weights are 0; give some training sample a weight above 0");
  data.weights.clear();
  data.names.clear();
  data.targets.clear();
  CHECK(regression_error(ridge, data) ==
        "the data have no numbers to predict; name a column as target");
  CHECK(regression_error(ridge, linear_numbers(900, 500, 1), {}, {}, 1 << 20) ==
        "the products of 500 columns and their factors take 4 MiB, and blocks of rows 3 MiB, but 1 "
        "MiB are allowed; raise --memory, or use fewer columns (normalizer/pca) or rows");
  // Blocks of few rows, where these are wide.
  CHECK(regression_error(ridge, linear_numbers(40, 20000, 1), {}, {}, 24 << 20) == "");
  CHECK_THROWS_WITH(make_component<Regressor>(ridge, {{"penalties", std::vector<double>{1, 2, 1}}}),
                    "'penalties' has a value twice; list each once");
}

TEST_CASE("ridge: says if the best penalty is at an end of the list") {
  TestContext context;
  train_regressor(ridge, linear_numbers(60, 4, 1), context,
                  {{"penalties", std::vector<double>{100, 1000}}});
  REQUIRE(context.lines.size() == 1);
  CHECK(context.lines[0] ==
        "the best penalty is the smallest tried, 100; set 'penalties' with smaller ones");
}

}  // namespace
}  // namespace semblance::linear::ridge_test
