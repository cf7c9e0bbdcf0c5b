// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "libsvm_by_hand_testing.hpp"
#include "semblance/novelty_detector.hpp"

namespace libsvm_one_class_test {

using namespace semblance;
using namespace semblance::libraries::testing;

namespace {

std::unique_ptr<NoveltyDetector> one_class(const Parameters& more) {
  Parameters parameters = more;
  parameters.emplace_back("nu", 0.3);
  return make_component<NoveltyDetector>("solver/libsvm_one_class", parameters);
}

}  // namespace

TEST_CASE("one-class machines are those of the library called by hand") {
  const Data data = clouds(200, 4, 2);
  for (const auto& [name, kernel] : kernels_by_name()) {
    INFO(name);
    const auto machine = one_class(kernel_parameters(name));
    const MemoryReport report = train_learner(*machine, data);
    const ByHand expected(data.values, std::vector<double>(200, 1),
                          by_hand_settings(ONE_CLASS, kernel));
    CHECK(report.integers.at("support_vectors") == expected.trained->l);
    if (kernel != SIGMOID)
      CHECK(report.numbers.at("objective") ==
            doctest::Approx(expected.objective).epsilon(1e-6).scale(10));
    const std::vector<float> found = learned_values(*machine, data.values);
    for (std::size_t i = 0; i < 200; ++i) REQUIRE(found[i] == expected.value(i));
    MemoryState state;
    machine->save(state);
    TestContext context;
    const auto loaded = one_class(kernel_parameters(name));
    loaded->load(state, context);
    CHECK(learned_values(*loaded, data.values) == found);
  }
}

TEST_CASE("a one-class machine learns from the class that is normal") {
  const Data data = clouds(200, 4, 2);
  FloatMatrix usual(100, 4);
  for (std::size_t i = 0; i < 100; ++i)
    copy_rows(data.values.view().rows_range(2 * i + 1, 1), usual.view().rows_range(i, 1));
  const ByHand expected(usual, std::vector<double>(100, 1), by_hand_settings(ONE_CLASS, RBF));
  Parameters parameters = kernel_parameters("rbf");
  parameters.emplace_back("normal", std::string("class 1"));
  const auto machine = one_class(parameters);
  train_learner(*machine, data);
  const std::vector<float> found = learned_values(*machine, usual);
  for (std::size_t i = 0; i < 100; ++i) REQUIRE(found[i] == expected.value(i));
  parameters.back().second = std::string("class 7");
  const auto unknown = one_class(parameters);
  CHECK_THROWS_WITH_AS(train_learner(*unknown, data),
                       "'normal' names the class 'class 7', but the classes are 'class 0', 'class "
                       "1'",
                       Error);
}

}  // namespace libsvm_one_class_test
