// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>

#include "linear_testing.hpp"
#include "row_weights_testing.hpp"
#include "semblance/collectives_testing.hpp"
#include "semblance/sparse_testing.hpp"

namespace row_weights_test {

using namespace semblance;
using namespace semblance::linear::testing;

namespace {

struct WeightedMachine {
  std::string name;
  Parameters parameters;
  double tolerance;
  bool sparse = false;
  std::size_t cols = 12;  ///< more than rows / 4: solved in their span
};
const std::vector<WeightedMachine> linear_machines = {
    {"l2", {}, 1e-8},
    {"in the rows' span", {}, 1e-7, false, 2500},
    {"l1", {{"regularizer", std::string("l1")}}, 1e-8},
    {"crammer_singer",
     {{"multiclass", std::string("crammer_singer")}, {"max_iterations", std::int64_t{20000}}},
     1e-3},
    {"sparse, few columns", {}, 1e-8, true},
    {"sparse, many columns", {}, 1e-6, true, 1500}};

Data sparse(Data data) {
  for (std::size_t k = 0; k < data.values.values.size(); ++k)
    if (k % 7 > 1) data.values.values[k] = 0;
  data.values = sparse_of(data.values.view());
  return data;
}

Data data_for(const WeightedMachine& machine) {
  Data data = clouds(200, machine.cols, 3);
  return machine.sparse ? sparse(std::move(data)) : data;
}

WeightedOutcome learn_linear(const WeightedMachine& machine, const Data& data,
                             const FloatMatrix& asked, const Parameters& more = {}) {
  TestContext context;
  const auto trained =
      train("solver/linear_svm", data, context,
            and_also(and_also(machine.parameters, {{"tolerance", machine.tolerance}}), more));
  CHECK(trained.report.texts.at("certificate") == "converged");
  FloatMatrix out(asked.rows, data.classes.size());
  trained.solver->apply(asked.view(), out.view(), context);
  return {trained.report.numbers.at("objective"), saved_bits(*trained.solver), std::move(out)};
}

}  // namespace

TEST_CASE("linear machines: weights of rows are repetitions, and factors of C") {
  for (const WeightedMachine& machine : linear_machines) {
    CAPTURE(machine.name);
    const Data data = data_for(machine);
    const bool rough = machine.tolerance > 1e-5;
    check_weights_of(data, 4 * machine.tolerance, rough ? 0.2 : 2e-3,
                     [&](const Data& given, const Parameters& more) {
                       return learn_linear(machine, given, data.values, more);
                     });
  }
}

TEST_CASE("a row of weight 0 may be anything") {
  Data data = clouds(240, 12, 2);
  data.weights = integer_weights(240);
  Data other = data;
  for (std::size_t i = 0; i < 240; ++i)
    if (data.weights[i] == 0)
      for (std::size_t j = 0; j < 12; ++j) other.values.view().row(i)[j] = 1e3F;
  for (const WeightedMachine& machine : linear_machines) {
    if (machine.cols != 12 || machine.sparse) continue;
    CAPTURE(machine.name);
    const bool rough = machine.tolerance > 1e-5;
    check_alike(learn_linear(machine, data, data.values), learn_linear(machine, other, data.values),
                4 * machine.tolerance, rough ? 0.2 : 1e-3);
  }
}

TEST_CASE("ranks: weighted rows have the bits of one process") {
  Data data = clouds(2900, 9, 3);
  for (std::size_t i = 0; i < 2900; ++i) data.weights.push_back(static_cast<double>(i % 5) / 3);
  for (const Parameters& more :
       {Parameters{}, {{"regularizer", std::string("l1")}}, {{"balanced", true}}})
    check_same_on_ranks(data.values, {2, 3}, [&](const Rows& rows, Context& context) {
      return outcome(train_on(rows, data, context, more));
    });
}

TEST_CASE("invalid weights are refused") {
  const auto message = [](const std::vector<double>& weights) {
    Data data = clouds(6, 4, 3);
    data.weights = weights;
    return training_error("solver/linear_svm", data);
  };
  CHECK(message({1, 2, 1}) == "3 weights for 6 training rows; there must be one per row");
  CHECK(message({1, 2, 1, -0.5, 1, 1}) ==
        "the weight of training row 3 (counted from 0) is -0.5; weights must be finite, and 0 or "
        "more");
  CHECK(message({1, std::nan(""), 1, 1, 1, 1}) ==
        "the weight of training row 1 (counted from 0) is nan; weights must be finite, and 0 or "
        "more");
  CHECK(message({1, 0, 1, 1, 0, 1}) ==
        "all training rows of class 'class 1' have the weight 0; give some of them a weight, or "
        "remove the class");
  CHECK(message({1, 1e308, 1, 1, 1e308, 1}) ==
        "the weights of class 'class 1' add up to more than a number can hold; make them smaller");
}

}  // namespace row_weights_test
