// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "libsvm_by_hand_testing.hpp"
#include "semblance/regressor.hpp"

namespace libsvm_svr_test {

using namespace semblance;
using namespace semblance::libraries::testing;

namespace {

/// Rows, and two numbers of each.
struct Numbers {
  Data data = clouds(200, 4, 2);
  std::vector<double> targets;
  std::vector<std::string> names = {"a", "b"};

  Numbers() {
    Random random(2);
    for (std::size_t i = 0; i < 200; ++i) {
      const float* row = data.values.view().row(i);
      targets.push_back(std::sin(row[0]) + row[1] + 0.1 * random.normal());
      targets.push_back(10 + row[2] * row[3]);
    }
    data.labels.assign(200, -1);
    data.classes.clear();
  }
  std::vector<double> column(std::size_t which) const {
    std::vector<double> found;
    for (std::size_t i = 0; i < 200; ++i) found.push_back(targets[2 * i + which]);
    return found;
  }
};

std::unique_ptr<Regressor> regression(const std::string& kernel, bool nu) {
  Parameters parameters = kernel_parameters(kernel);
  parameters.emplace_back("C", 2.0);
  parameters.emplace_back("loss", std::string(nu ? "nu" : "epsilon"));
  parameters.emplace_back(nu ? "nu" : "epsilon", nu ? 0.3 : 0.2);
  return make_component<Regressor>("solver/libsvm_svr", parameters);
}

}  // namespace

TEST_CASE("regressions are those of the library called by hand") {
  const Numbers numbers;
  for (const auto& [name, kernel] : kernels_by_name())
    for (const bool nu : {false, true}) {
      INFO(name << " " << nu);
      const auto machine = regression(name, nu);
      const MemoryReport report =
          train_learner(*machine, numbers.data, numbers.targets, numbers.names);
      const svm_parameter settings = by_hand_settings(nu ? NU_SVR : EPSILON_SVR, kernel);
      const ByHand first(numbers.data.values, numbers.column(0), settings);
      const double of_first = first.objective;
      const ByHand second(numbers.data.values, numbers.column(1), settings);
      // It prints six decimals.
      if (kernel != SIGMOID)
        CHECK(report.numbers.at("objective") ==
              doctest::Approx(of_first + second.objective).epsilon(1e-6));
      CHECK(report.integers.at("support_vectors") == first.trained->l + second.trained->l);
      const std::vector<float> found = learned_values(*machine, numbers.data.values, 2);
      for (std::size_t i = 0; i < 200; ++i) {
        REQUIRE(found[2 * i] == first.value(i));
        REQUIRE(found[2 * i + 1] == second.value(i));
      }
    }
}

TEST_CASE("a saved regression gives the same bits, and a damaged one is refused") {
  const Numbers numbers;
  const auto machine = regression("rbf", false);
  train_learner(*machine, numbers.data, numbers.targets, numbers.names);
  MemoryState state;
  machine->save(state);
  TestContext context;
  const auto loaded = regression("rbf", false);
  loaded->load(state, context);
  CHECK(loaded->bind(Layout::vector(4)) == Layout::vector(2));
  CHECK(learned_values(*loaded, numbers.data.values, 2) ==
        learned_values(*machine, numbers.data.values, 2));
  MemoryState damaged;
  damaged.integer("functions", 0);
  CHECK_THROWS_WITH_AS(loaded->load(damaged, context),
                       "the saved LIBSVM model has inconsistent arrays; train it again", Error);
  // It is no classifier.
  CHECK_THROWS_WITH_AS(make_component<Solver>("solver/libsvm")->load(state, context),
                       "the saved LIBSVM model has inconsistent arrays; train it again", Error);
}

TEST_CASE("a parameter of the other loss is refused") {
  const auto message = [](const Parameters& parameters) {
    try {
      make_component<Regressor>("solver/libsvm_svr", parameters);
    } catch (const Error& problem) {
      return std::string(problem.what());
    }
    return std::string();
  };
  CHECK(message({{"nu", 0.2}}) == "nu is used by loss: nu only; set that, or remove nu");
  CHECK(message({{"loss", std::string("nu")}, {"epsilon", 0.2}}) ==
        "epsilon is used by loss: epsilon only; set that, or remove epsilon");
}

}  // namespace libsvm_svr_test
