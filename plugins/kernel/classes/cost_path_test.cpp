// SPDX-License-Identifier: MIT
#include "semblance/cost_path.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "classes/cost_path.hpp"
#include "kernel_svm_testing.hpp"
#include "semblance/predicted_class.hpp"

namespace cost_path_test {

using namespace semblance;
using namespace semblance::kernel;
using namespace semblance::kernel::testing;

LabelledRows clouds(std::size_t rows, std::size_t classes) {
  return overlapping_clouds(rows, 4, classes, 1.5F, 5);
}

const std::vector<double> smaller{0.01, 0.1, 1, 3};

CostPath& path_of(Solver& svm) { return dynamic_cast<CostPath&>(svm); }

/// Trains with a path up to C = 10, and compares each machine with one of its own training.
void check_path(const LabelledRows& samples, const KernelMaker& kernel, const Parameters& of_kernel,
                const Parameters& more = {}) {
  TestContext context;
  Parameters with_path = more;
  with_path.emplace_back("C", 10.0);
  with_path.emplace_back("path", smaller);
  const auto svm = kernel_svm(kernel, with_path, of_kernel);
  const MemoryReport report = train(*svm, samples, context);
  const Table& table = report.tables.at("path");
  CHECK(table.rows == std::vector<std::string>{"0.01", "0.1", "1", "3", "10"});
  REQUIRE(path_of(*svm).costs() == 5);
  const std::size_t classes = samples.classes.size();
  const FloatMatrix last = scores(*svm, samples.values, classes);
  for (const std::size_t k : {4U, 0U, 2U, 1U, 3U}) {
    CAPTURE(k);
    Parameters alone = more;
    alone.emplace_back("C", k < 4 ? smaller[k] : 10.0);
    const auto other = kernel_svm(kernel, alone, of_kernel);
    const double objective = train(*other, samples, context).numbers.at("objective");
    CHECK(table.values[k * table.columns.size()] == doctest::Approx(objective).epsilon(1e-4));
    path_of(*svm).use_cost(k);
    const FloatMatrix found = scores(*svm, samples.values, classes);
    const FloatMatrix expected = scores(*other, samples.values, classes);
    std::size_t differ = 0;
    for (std::size_t i = 0; i < found.rows; ++i)
      differ +=
          predicted_class(found.view().row_span(i)) != predicted_class(expected.view().row_span(i));
    CHECK(differ <= found.rows / 100);
    // The model that is saved is the one in use.
    MemoryState state;
    svm->save(state);
    const auto loaded = kernel_svm(kernel, more, of_kernel);
    loaded->bind(layout_of(samples.values));
    loaded->load(state, context);
    CHECK(scores(*loaded, samples.values, classes).values == found.values);
    CHECK(path_of(*loaded).costs() == 1);
  }
  path_of(*svm).use_cost(4);
  CHECK(scores(*svm, samples.values, classes).values == last.values);
}

TEST_CASE("the machines of a path are those of trainings of their own") {
  check_path(clouds(300, 2), "similarity/rbf", {{"gamma", 0.3}});
  check_path(clouds(300, 4), "similarity/rbf", {{"gamma", 0.3}});
  check_path(clouds(300, 4), "similarity/rbf", {{"gamma", 0.3}},
             {{"multiclass", "one_versus_rest"}});
  check_path(clouds(300, 3), "similarity/linear", {});
  check_path(clouds(150, 3), "similarity/polynomial", {{"offset", -2.0}}, {{"repair", "clip"}});
}

TEST_CASE("with weights, and a kernel that learns from the rows") {
  LabelledRows samples = clouds(300, 3);
  for (std::size_t i = 0; i < 300; ++i) samples.weights.push_back(double(i * 7 % 11 % 4));
  check_path(samples, "similarity/rbf", {{"gamma", 0.3}});
  check_path(clouds(300, 3), "similarity/rbf", {});
}

TEST_CASE("the bits do not depend on threads or memory") {
  const LabelledRows samples = clouds(500, 3);
  std::vector<float> wanted;
  for (const std::size_t threads : {1U, 3U})
    for (const std::size_t budget : {std::size_t{1} << 30, std::size_t{1} << 20}) {
      TestContext context(threads);
      context.budget = budget;
      const auto svm = kernel_svm("similarity/rbf", {{"C", 10.0}, {"path", smaller}}, {});
      train(*svm, samples, context);
      path_of(*svm).use_cost(2);
      const std::vector<float> found = scores(*svm, samples.values, 3).values;
      if (wanted.empty()) wanted = found;
      CHECK(found == wanted);
    }
}

TEST_CASE("a stop leaves a machine for each cost") {
  TestContext context;
  context.stop = StopReason::deadline;
  const LabelledRows samples = clouds(300, 3);
  const auto svm = kernel_svm("similarity/rbf", {{"C", 10.0}, {"path", smaller}}, {{"gamma", 0.3}});
  CHECK(train(*svm, samples, context).texts.at("certificate") == "deadline");
  for (std::size_t k = 0; k < 5; ++k) {
    path_of(*svm).use_cost(k);
    CHECK(scores(*svm, samples.values, 3).rows == 300);
  }
}

TEST_CASE("a path that does not increase up to C, and costs that are not there") {
  for (const auto& path : {std::vector<double>{0.1, 0.1}, {1.0, 0.1}, {1.0, 10.0}})
    CHECK_THROWS_WITH(
        kernel_svm("similarity/rbf", {{"C", 10.0}, {"path", path}}, {})->check_parameters(),
        "'path' must increase, and end below C");
  TestContext context;
  const auto svm = kernel_svm("similarity/rbf", {}, {});
  train(*svm, clouds(30, 2), context);
  CHECK(path_of(*svm).costs() == 1);
  CHECK_NOTHROW(path_of(*svm).use_cost(0));
  CHECK_THROWS_WITH(path_of(*svm).use_cost(1), "there is no cost 1, counted from 0; there are 1");
}

/// A definite matrix of 5 rows.
FloatMatrix matrix() {
  FloatMatrix values(5, 5);
  for (std::size_t i = 0; i < 5; ++i)
    for (std::size_t j = 0; j < 5; ++j)
      values.values[i * 5 + j] = (i == j ? 4.0F : 0.0F) + 1.0F / static_cast<float>(1 + i + j);
  return values;
}

TEST_CASE("a start is the best multiple of a solution, with its gradient") {
  const FloatMatrix values = matrix();
  const ClassProblems problems({0, 2, 5}, std::vector<double>(5, 10.0), true);
  numerics::DualSolution before;
  before.coefficients = {1, 0.5, -1, 0, -0.5};
  before.working_set = {0, 1, 2, 4};
  before.largest_value = 5;
  for (std::size_t i = 0; i < 5; ++i) {
    before.gradients.push_back(i < 2 ? -1 : 1);
    for (std::size_t j = 0; j < 5; ++j)
      before.gradients[i] += double{values.values[i * 5 + j]} * before.coefficients[j];
  }
  const auto objective = [&](const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < 5; ++i) {
      sum -= std::abs(b[i]);
      for (std::size_t j = 0; j < 5; ++j) sum += b[i] * b[j] * double{values.values[i * 5 + j]} / 2;
    }
    return sum;
  };
  for (const double growth : {0.25, 10.0}) {
    // Costs of 10, from costs of 10 / growth.
    const auto states = states_for_larger_costs(problems, {before}, growth);
    const numerics::DualState& state = states.at(0);
    const double factor = state.values[0];
    CHECK(state.largest_value == 5);
    CHECK(factor <= growth);
    for (const double other : {0.9 * factor, std::min(growth, 1.1 * factor)}) {
      std::vector<double> b = before.coefficients;
      for (double& x : b) x *= other;
      CHECK(objective(state.values) <= objective(b) + 1e-12);
    }
    for (std::size_t i = 0; i < 5; ++i) {
      CHECK(state.values[i] == doctest::Approx(factor * before.coefficients[i]));
      double gradient = i < 2 ? -1 : 1;
      for (std::size_t j = 0; j < 5; ++j)
        gradient += double{values.values[i * 5 + j]} * state.values[j];
      CHECK(state.gradients[i] == doctest::Approx(gradient));
    }
  }
  CHECK(states_for_larger_costs(problems, {numerics::DualSolution{}}, 2).empty());
}

}  // namespace cost_path_test
