// SPDX-License-Identifier: MIT
// Sample weights: for solver/linear_svm and solver/kernel_svm a sample of weight 2 is equivalent to
// the sample twice, weight 0 to omitting it, and weights of 1 to no weights.
#include <doctest/doctest.h>

#include "kernel/kernel_svm_testing.hpp"
#include "linear_testing.hpp"
#include "semblance/collectives_testing.hpp"
#include "semblance/formula.hpp"
#include "semblance/plain_similarity.hpp"
#include "semblance/self_similarity.hpp"
#include "semblance/sparse_testing.hpp"

using namespace semblance;
using namespace semblance::common::testing;

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
    {"diagonal", {{"preconditioner", std::string("diagonal")}}, 1e-8},
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

std::vector<double> integer_weights(std::size_t rows) {
  std::vector<double> weights;
  for (std::size_t i = 0; i < rows; ++i) weights.push_back(static_cast<double>(i * 7 % 11 % 4));
  return weights;
}

Parameters and_also(Parameters parameters, const Parameters& more) {
  parameters.insert(parameters.end(), more.begin(), more.end());
  return parameters;
}

struct Outcome {
  double objective;
  std::string bits;
  FloatMatrix scores;
};

Outcome learn_linear(const WeightedMachine& machine, const Data& data, const FloatMatrix& asked,
                     const Parameters& more = {}) {
  TestContext context;
  const auto trained =
      train("solver/linear_svm", data, context,
            and_also(and_also(machine.parameters, {{"tolerance", machine.tolerance}}), more));
  CHECK(trained.report.texts.at("certificate") == "converged");
  FloatMatrix out(asked.rows, data.classes.size());
  trained.solver->apply(asked.view(), out.view(), context);
  return {trained.report.numbers.at("objective"), saved_bits(*trained.solver), std::move(out)};
}

const std::vector<Parameters> kernel_machines = {
    {{"tolerance", 1e-6}},
    {{"tolerance", 1e-6}, {"multiclass", std::string("one_versus_rest")}},
    {{"tolerance", 1e-6}, {"shrinking", true}}};

Outcome learn_kernel(const Parameters& parameters, const Data& data, const FloatMatrix& asked,
                     const Parameters& more = {}) {
  const auto svm = kernel_svm<semblance::Rbf>(and_also(parameters, more), {{"gamma", 0.1}});
  TestContext context;
  const MemoryReport report = train(*svm, data, context);
  CHECK(report.texts.at("certificate") == "converged");
  return {report.numbers.at("objective"), saved_bits(*svm),
          scores(*svm, asked, data.classes.size())};
}

void check_alike(const Outcome& one, const Outcome& other, double tolerance, double of_scores) {
  CHECK(one.objective == doctest::Approx(other.objective).epsilon(tolerance));
  for (std::size_t k = 0; k < one.scores.values.size(); ++k)
    REQUIRE(one.scores.values[k] ==
            doctest::Approx(other.scores.values[k]).epsilon(of_scores).scale(1));
}

/// Checks that hold for every learner: learn(data, more parameters).
template <class Learn>
void check_weights_of(Data data, double tolerance, double of_scores, const Learn& learn) {
  const Outcome none = learn(data, Parameters{});
  data.weights.assign(data.labels.size(), 1);
  CHECK(learn(data, Parameters{}).bits == none.bits);
  data.weights.assign(data.labels.size(), 2);
  const Outcome twice = learn(data, Parameters{});
  check_alike(twice, learn(repeated_by_weight(data), Parameters{}), tolerance, of_scores);
  data.weights.clear();
  check_alike(twice, learn(data, Parameters{{"C", 2.0}}), tolerance, of_scores);
  data.weights = integer_weights(data.labels.size());
  const Outcome weighted = learn(data, Parameters{});
  check_alike(weighted, learn(repeated_by_weight(data), Parameters{}), tolerance, of_scores);
  CHECK(weighted.bits != none.bits);
  // A class's weight times the sample's own.
  const Outcome classes =
      learn(data, Parameters{{"class_weights", NamedValues{{"class 1", std::int64_t{3}}}}});
  for (std::size_t i = 0; i < data.labels.size(); ++i)
    if (data.labels[i] == 1) data.weights[i] *= 3;
  check_alike(classes, learn(repeated_by_weight(data), Parameters{}), tolerance, of_scores);
  // Balanced: the weights of all classes have the same sum.
  const Outcome balanced = learn(data, Parameters{{"balanced", true}});
  std::vector<double> sums(3);
  for (std::size_t i = 0; i < data.labels.size(); ++i)
    sums[static_cast<std::size_t>(data.labels[i])] += data.weights[i];
  for (std::size_t i = 0; i < data.labels.size(); ++i)
    data.weights[i] *=
        (sums[0] + sums[1] + sums[2]) / (3 * sums[static_cast<std::size_t>(data.labels[i])]);
  check_alike(balanced, learn(data, Parameters{}), tolerance, of_scores);
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

TEST_CASE("kernel machines: weights of rows are repetitions, and factors of C") {
  const Data data = clouds(200, 8, 3);
  for (const Parameters& parameters : kernel_machines)
    check_weights_of(data, 1e-5, 1e-3, [&](const Data& given, const Parameters& more) {
      return learn_kernel(parameters, given, data.values, more);
    });
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
  check_alike(learn_kernel(kernel_machines[0], data, data.values),
              learn_kernel(kernel_machines[0], other, data.values), 1e-5, 1e-3);
}

TEST_CASE("ranks: weighted rows give the bits that one process does") {
  Data data = clouds(2900, 9, 3);
  for (std::size_t i = 0; i < 2900; ++i) data.weights.push_back(static_cast<double>(i % 5) / 3);
  for (const Parameters& more :
       {Parameters{}, {{"regularizer", std::string("l1")}}, {{"balanced", true}}})
    check_same_on_ranks(data.values, {2, 3}, [&](const Rows& rows, Context& context) {
      return outcome(train_on(rows, data, context, more));
    });
}

TEST_CASE("weights that are none are refused") {
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
