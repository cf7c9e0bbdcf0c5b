// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "test_components.hpp"

namespace semblance::testing::wrong_parts_test {
namespace {

TEST_CASE("components as parameters") {
  const std::vector<Wrong> table = {
      {"part is text", changed("linear_svm, C: 10", "kernel_svm, kernel: similarity/rbf"),
       R"(
p.yaml:10:40: error: 'kernel' must be a component of kind similarity, got 'similarity/rbf'
   10 |   svm: {is: solver/kernel_svm, kernel: similarity/rbf, from: rbf}
      |                                        ^~~~~~~~~~~~~~
      = write {is: similarity/rbf}
)"},
      {"part is a wrong text", changed("linear_svm, C: 10", "kernel_svm, kernel: rbf"),
       R"(
p.yaml:10:40: error: 'kernel' must be a component of kind similarity, got 'rbf'
   10 |   svm: {is: solver/kernel_svm, kernel: rbf, from: rbf}
      |                                        ^~~
      = write {is: similarity/rbf}
)"},
      {"part nothing", changed("linear_svm, C: 10", "kernel_svm, kernel: null"),
       R"(
p.yaml:10:40: error: 'kernel' has no value
   10 |   svm: {is: solver/kernel_svm, kernel: null, from: rbf}
      |                                        ^~~~
      = write {is: similarity/rbf}, or omit the key to use the default
)"},
      {"part of other kind", changed("linear_svm, C: 10", "kernel_svm, kernel: {is: feature/hog}"),
       R"(
p.yaml:10:45: error: a component of kind similarity is needed here, but feature/hog is of kind feature
   10 |   svm: {is: solver/kernel_svm, kernel: {is: feature/hog}, from: rbf}
      |                                             ^~~~~~~~~~~
      = components of kind similarity: similarity/polynomial, similarity/precomputed, similarity/rbf and similarity/rigid
)"},
      {"part of the right kind that works on something else",
       changed("linear_svm, C: 10", "kernel_svm, warm: {is: solver/of_pairs}"),
       R"(
p.yaml:10:43: error: solver/of_pairs cannot be a parameter of another component: its inputs or its output are not those usual for components of kind solver
   10 |   svm: {is: solver/kernel_svm, warm: {is: solver/of_pairs}, from: rbf}
      |                                           ^~~~~~~~~~~~~~~
      = components of kind solver: solver/kernel_svm, solver/library, solver/linear_svm, solver/linear_svr, solver/needs_kernel, solver/of_pairs and solver/one_class
)"},
      {"part unknown", changed("linear_svm, C: 10", "kernel_svm, kernel: {is: similarity/poly}"),
       R"(
p.yaml:10:45: error: unknown component 'similarity/poly'
   10 |   svm: {is: solver/kernel_svm, kernel: {is: similarity/poly}, from: rbf}
      |                                             ^~~~~~~~~~~~~~~
      = did you mean 'similarity/polynomial'?
)"},
      {"part parameter",
       changed("linear_svm, C: 10", "kernel_svm, kernel: {is: similarity/polynomial, degre: 2}"),
       R"(
p.yaml:10:68: error: similarity/polynomial has no parameter 'degre'
   10 |   svm: {is: solver/kernel_svm, kernel: {is: similarity/polynomial, degre: 2}, from: rbf}
      |                                                                    ^~~~~
      = did you mean 'degree'?
)"},
      {"part parameter range", changed("linear_svm, C: 10", "kernel_svm, kernel: {gamma: -1}"),
       R"(
p.yaml:10:48: error: 'gamma' must be in the range (0, inf), got -1
   10 |   svm: {is: solver/kernel_svm, kernel: {gamma: -1}, from: rbf}
      |                                                ^~
)"},
      {"part with input",
       changed("linear_svm, C: 10", "kernel_svm, kernel: {is: similarity/rbf, from: x}"),
       R"(
p.yaml:10:61: error: 'from' is an input; similarity/rbf takes no inputs as a parameter of another component
   10 |   svm: {is: solver/kernel_svm, kernel: {is: similarity/rbf, from: x}, from: rbf}
      |                                                             ^~~~
      = remove it
)"},
      {"part with seed",
       changed("linear_svm, C: 10", "kernel_svm, kernel: {is: similarity/rbf, seed: 1}"),
       R"(
p.yaml:10:61: error: similarity/rbf has no parameter 'seed'
   10 |   svm: {is: solver/kernel_svm, kernel: {is: similarity/rbf, seed: 1}, from: rbf}
      |                                                             ^~~~
      = set the seed on the node instead
)"},
      {"part required", changed("linear_svm, C: 10", "needs_kernel"),
       R"(
p.yaml:10:3: error: solver/needs_kernel needs 'kernel', a component of kind similarity (the kernel)
   10 |   svm: {is: solver/needs_kernel, from: rbf}
      |   ^~~
      = write {is: kind/name}; components of kind similarity: similarity/polynomial, similarity/precomputed, similarity/rbf and similarity/rigid
)"},
      {"part without is", changed("linear_svm, C: 10", "needs_kernel, kernel: {gamma: 1}"),
       R"(
p.yaml:10:34: error: solver/needs_kernel needs 'kernel', a component of kind similarity (the kernel)
   10 |   svm: {is: solver/needs_kernel, kernel: {gamma: 1}, from: rbf}
      |                                  ^~~~~~
      = write {is: kind/name}; components of kind similarity: similarity/polynomial, similarity/precomputed, similarity/rbf and similarity/rigid
)"},
      {"part missing parameter",
       changed("linear_svm, C: 10", "kernel_svm, kernel: {is: similarity/precomputed}"),
       R"(
p.yaml:10:32: error: similarity/precomputed needs the parameter 'matrix' (npy file)
   10 |   svm: {is: solver/kernel_svm, kernel: {is: similarity/precomputed}, from: rbf}
      |                                ^~~~~~
)"},
  };
  for (const Wrong& wrong : table) expect(wrong);
}

TEST_CASE("what only the component can tell") {
  const std::vector<Wrong> table = {
      {"parameters that exclude each other",
       changed("is: similarity/rbf, gamma: 0.5", "is: similarity/rigid, weights: [1, 2, 3]"),
       R"(
p.yaml:9:40: error: 'weights' has 3 values, but shift 1 has 2 rings
    9 |   rbf: {is: similarity/rigid, weights: [1, 2, 3], from: x, bases: bases}
      |                                        ^
)"},
      {"check in a part",
       changed("  bases: {is: basis/index, per_class: 5, from: images}\n"
               "  rbf: {is: similarity/rbf, gamma: 0.5, from: x, bases: bases}\n"
               "  svm: {is: solver/linear_svm, C: 10, from: rbf}",
               "  svm: {is: solver/kernel_svm, kernel: {is: similarity/rigid, weights: [1, 2, 3]}, "
               "from: x}"),
       R"(
p.yaml:8:72: error: 'weights' has 3 values, but shift 1 has 2 rings
    8 |   svm: {is: solver/kernel_svm, kernel: {is: similarity/rigid, weights: [1, 2, 3]}, from: x}
      |                                                                        ^
)"},
      {"a part that compares other samples",
       changed("linear_svm, C: 10", "kernel_svm, kernel: {is: similarity/rigid}"),
       R"(
p.yaml:10:70: error: 'kernel' of solver/kernel_svm is similarity/rigid, which needs samples that are each a grid, but 'rbf' gives a vector
   10 |   svm: {is: solver/kernel_svm, kernel: {is: similarity/rigid}, from: rbf}
      |                                                                      ^~~
      = choose one that takes a vector
)"},
  };
  for (const Wrong& wrong : table) expect(wrong);
}

TEST_CASE("messages cannot control a terminal") {
  const std::vector<Wrong> table = {
      {"escape in message", changed("path: cifar", "path: cifar, folds: \"\\e[31mred\""),
       R"(
p.yaml:5:51: error: 'folds' must be a list of integers, got '\x1b[31mred'
    5 |   images: {is: source/images, path: cifar, folds: "\e[31mred"}
      |                                                   ^
      = write [\x1b[31mred]
)"},
  };
  for (const Wrong& wrong : table) expect(wrong);
}

TEST_CASE("everything is found in one pass, in the order of the file") {
  const std::vector<Wrong> table = {
      {"all at once",
       R"(name: all at once
nodes:
  images: {is: source/images, folds: [7]}
  hog: {is: feature/hog, cell: x, from: image}
  svm: {is: solver/linear_svn, from: hog}
)",
       R"(
p.yaml:1:7: error: 'all at once' is not a valid pipeline name
    1 | name: all at once
      |       ^~~~~~~~~~~
      = use only letters, digits, _ and -, for example all_at_once
p.yaml:3:3: error: source/images needs the parameter 'path' (folder of the images)
    3 |   images: {is: source/images, folds: [7]}
      |   ^~~~~~
p.yaml:3:39: error: 'folds' must be in the range [1, 5], got 7
    3 |   images: {is: source/images, folds: [7]}
      |                                       ^
p.yaml:4:32: error: 'cell' must be an integer, got 'x'
    4 |   hog: {is: feature/hog, cell: x, from: image}
      |                                ^
p.yaml:4:41: error: unknown node 'image'
    4 |   hog: {is: feature/hog, cell: x, from: image}
      |                                         ^~~~~
      = did you mean 'images'?
p.yaml:5:13: error: unknown component 'solver/linear_svn'
    5 |   svm: {is: solver/linear_svn, from: hog}
      |             ^~~~~~~~~~~~~~~~~
      = did you mean 'solver/linear_svm'?
)"},
  };
  for (const Wrong& wrong : table) expect(wrong);
}

}  // namespace
}  // namespace semblance::testing::wrong_parts_test
