// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "test_components.hpp"

namespace semblance::testing::wrong_targets_test {
namespace {

/// A table whose numbers are predicted.
const char* const numbers_text = R"(name: numbers
nodes:
  table: {is: source/columns, target: price}
  x: {is: normalizer/zscore, from: table}
  fit: {is: solver/linear_svr, from: x}
  test: {is: evaluator/regression, from: fit}
)";

std::string with(const std::string& from, const std::string& to) {
  return replaced(numbers_text, from, to);
}

TEST_CASE("solvers, bases and evaluators that suit the target are accepted") {
  const std::vector<std::string> right = {
      numbers_text, with("columns, target: price", "waves"),
      with("fit: {is: solver/linear_svr, from: x}\n  test: {is: evaluator/regression, from: fit}",
           "fit: {is: solver/one_class, from: x}\n  test: {is: evaluator/novelty, from: fit}"),
      replaced(with("fit: {is: solver/linear_svr, from: x}\n  test: {is: evaluator/regression, "
                    "from: fit}",
                    "fit: {is: solver/one_class, from: x}"),
               "target: price", "label: none"),
      with("x: {is: normalizer/zscore, from: table}",
           "bases: {is: basis/random, from: table}\n"
           "  x: {is: similarity/rbf, from: table, bases: bases}")};
  for (const std::string& text : right) {
    CAPTURE(text);
    const PipelineCheck result = check(text);
    CHECK(render(result.diagnostics) == "");
    CHECK(result.pipeline.has_value());
  }
}

TEST_CASE("components that learn from another target than the source gives") {
  const std::vector<Wrong> table = {
      {"classifier of numbers",
       with("solver/linear_svr, from: x}\n  test: {is: evaluator/regression",
            "solver/linear_svm, from: x}\n  test: {is: evaluator/classification"),
       R"(
p.yaml:5:38: error: solver/linear_svm learns from classes, but the target of 'table' is numbers
    5 |   fit: {is: solver/linear_svm, from: x}
      |                                      ^
      = use a solver that takes numbers: solver/linear_svr; or name what holds the classes in 'label' of 'table'
)"},
      {"regressor of classes", with("target: price", "label: kind"), R"(
p.yaml:5:38: error: solver/linear_svr learns from numbers, but the target of 'table' is classes
    5 |   fit: {is: solver/linear_svr, from: x}
      |                                      ^
      = use a solver that takes classes: solver/linear_svm, solver/library, solver/kernel_svm and solver/needs_kernel; or name what holds the numbers in 'target' of 'table'
)"},
      {"numbers that are always there",
       replaced(with("solver/linear_svr, from: x}\n  test: {is: evaluator/regression",
                     "solver/linear_svm, from: x}\n  test: {is: evaluator/classification"),
                "columns, target: price", "waves"),
       R"(
p.yaml:5:38: error: solver/linear_svm learns from classes, but the target of 'table' is numbers
    5 |   fit: {is: solver/linear_svm, from: x}
      |                                      ^
      = use a solver that takes numbers: solver/linear_svr; or use a source whose samples have classes
)"},
      {"classifier of samples without a target",
       replaced(with("solver/linear_svr, from: x}\n  test: {is: evaluator/regression",
                     "solver/linear_svm, from: x}\n  test: {is: evaluator/classification"),
                "target: price", "label: none"),
       R"(
p.yaml:5:38: error: solver/linear_svm learns from classes, but the samples of 'table' have none
    5 |   fit: {is: solver/linear_svm, from: x}
      |                                      ^
      = use a solver that takes no target: solver/one_class; or name what holds the classes in 'label' of 'table'
)"},
      {"regressor of samples without a target", with("target: price", "label: none"), R"(
p.yaml:5:38: error: solver/linear_svr learns from numbers, but the samples of 'table' have none
    5 |   fit: {is: solver/linear_svr, from: x}
      |                                      ^
      = use a solver that takes no target: solver/one_class; or name what holds the numbers in 'target' of 'table'
)"},
      {"bases by class",
       with("x: {is: normalizer/zscore, from: table}",
            "bases: {is: basis/index, from: table}\n"
            "  x: {is: similarity/rbf, from: table, bases: bases}"),
       R"(
p.yaml:4:34: error: basis/index learns from classes, but the target of 'table' is numbers
    4 |   bases: {is: basis/index, from: table}
      |                                  ^~~~~
      = use a basis that takes numbers: basis/random; or name what holds the classes in 'label' of 'table'
)"},
      {"a part",
       with("solver/linear_svr, from: x}\n  test: {is: evaluator/regression",
            "solver/one_class, warm: {is: solver/linear_svm}, from: x}\n"
            "  test: {is: evaluator/novelty"),
       R"(
p.yaml:5:68: error: solver/linear_svm learns from classes, but the target of 'table' is numbers
    5 |   fit: {is: solver/one_class, warm: {is: solver/linear_svm}, from: x}
      |                                                                    ^
      = use a solver that takes numbers: solver/linear_svr; or name what holds the classes in 'label' of 'table'
)"},
  };
  for (const Wrong& wrong : table) expect(wrong);
}

TEST_CASE("evaluators and calibrators of another result than the solver gives") {
  const std::vector<Wrong> table = {
      {"class scores of a regressor", with("evaluator/regression", "evaluator/classification"), R"(
p.yaml:6:46: error: 'from' of evaluator/classification takes scores, but 'fit' (solver/linear_svr) gives estimates
    6 |   test: {is: evaluator/classification, from: fit}
      |                                              ^~~
      = estimates are taken by evaluator/regression
)"},
      {"estimates of a novelty detector", with("solver/linear_svr", "solver/one_class"), R"(
p.yaml:6:42: error: 'from' of evaluator/regression takes estimates, but 'fit' (solver/one_class) gives novelty scores
    6 |   test: {is: evaluator/regression, from: fit}
      |                                          ^~~
      = novelty scores are taken by evaluator/novelty
)"},
      {"estimates of a classifier", changed("evaluator/classification", "evaluator/regression"), R"(
p.yaml:11:42: error: 'from' of evaluator/regression takes estimates, but 'svm' (solver/linear_svm) gives scores
   11 |   test: {is: evaluator/regression, from: svm}
      |                                          ^~~
      = scores are taken by evaluator/classification and evaluator/inaccuracy
)"},
  };
  for (const Wrong& wrong : table) expect(wrong);
}

}  // namespace
}  // namespace semblance::testing::wrong_targets_test
