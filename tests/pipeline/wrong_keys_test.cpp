// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "test_components.hpp"

namespace semblance::testing::wrong_keys_test {
namespace {

TEST_CASE("the keys of a pipeline") {
  const std::vector<Wrong> table = {
      {"unknown top-level key", changed("seed: 3", "sead: 3"),
       R"(
p.yaml:3:1: error: a pipeline has no 'sead'
    3 | sead: 3
      | ^~~~
      = did you mean 'seed'?
)"},
      {"unknown top-level key, nothing near", changed("seed: 3", "threads: 3"),
       R"(
p.yaml:3:1: error: a pipeline has no 'threads'
    3 | threads: 3
      | ^~~~~~~
      = its keys are name, description, seed, nodes and select; components go under nodes
)"},
      {"no name", changed("name: demo\n", ""),
       R"(
p.yaml:1:1: error: the pipeline has no name
    1 | description: What a pipeline looks like
      | ^
      = add a first line: name: my_pipeline
)"},
      {"no nodes", "name: demo\n",
       R"(
p.yaml:1:1: error: the pipeline has no nodes
    1 | name: demo
      | ^
      = add nodes: and, under it, one node per line: NAME: {is: kind/name, ...}
)"},
      {"misspelt nodes", changed("nodes:", "node:"),
       R"(
p.yaml:4:1: error: a pipeline has no 'node'
    4 | node:
      | ^~~~
      = did you mean 'nodes'?
)"},
      {"empty nodes",
       R"(name: demo
nodes:
)",
       R"(
p.yaml:2:1: error: 'nodes' is empty
    2 | nodes:
      | ^~~~~
      = write one node per line: NAME: {is: kind/name, ...}
)"},
      {"nodes is a list",
       R"(name: demo
nodes: [a, b]
)",
       R"(
p.yaml:2:8: error: 'nodes' must be a mapping, got a list
    2 | nodes: [a, b]
      |        ^
      = write one node per line: NAME: {is: kind/name, ...}
)"},
      {"name with blanks", changed("name: demo", "name: my demo"),
       R"(
p.yaml:1:7: error: 'my demo' is not a valid pipeline name
    1 | name: my demo
      |       ^~~~~~~
      = use only letters, digits, _ and -, for example my_demo
)"},
      {"name with other letters", changed("name: demo", "name: Größe—2"),
       R"(
p.yaml:1:7: error: 'Größe—2' is not a valid pipeline name
    1 | name: Größe—2
      |       ^~~~~~~
      = use only letters, digits, _ and -, for example Gr_e_2
)"},
      {"name is a list", changed("name: demo", "name: [demo]"),
       R"(
p.yaml:1:7: error: 'name' must be text, got a list
    1 | name: [demo]
      |       ^
)"},
      {"description is a mapping",
       changed("description: What a pipeline looks like", "description: {a: b}"),
       R"(
p.yaml:2:14: error: 'description' must be text, got a mapping
    2 | description: {a: b}
      |              ^
)"},
      {"negative seed", changed("seed: 3", "seed: -3"),
       R"(
p.yaml:3:7: error: 'seed' must be a non-negative integer, got '-3'
    3 | seed: -3
      |       ^~
)"},
      {"seed text", changed("seed: 3", "seed: '3'"),
       R"(
p.yaml:3:7: error: 'seed' must be a non-negative integer, got the text '3'
    3 | seed: '3'
      |       ^~~
      = remove the quotes: 3
)"},
      {"seed too large", changed("seed: 3", "seed: 18446744073709551616"),
       R"(
p.yaml:3:7: error: 'seed' must be a non-negative integer that fits in 64 bits, got '18446744073709551616'
    3 | seed: 18446744073709551616
      |       ^~~~~~~~~~~~~~~~~~~~
)"},
      {"node seed", changed("per_class: 5", "seed: 1.5"),
       R"(
p.yaml:8:34: error: 'seed' must be a non-negative integer, got '1.5'
    8 |   bases: {is: basis/index, seed: 1.5, from: images}
      |                                  ^~~
)"},
  };
  for (const Wrong& wrong : table) expect(wrong);
}

TEST_CASE("nodes and their components") {
  const std::vector<Wrong> table = {
      {"node name", changed("  test: {", "  my-test: {"),
       R"(
p.yaml:11:3: error: 'my-test' is not a valid node name
   11 |   my-test: {is: evaluator/classification, from: svm}
      |   ^~~~~~~
      = use letters, digits and _, not starting with a digit
)"},
      {"node is text", changed("hog: {is: feature/hog, cell: 8, from: images}", "hog: feature/hog"),
       R"(
p.yaml:6:8: error: node 'hog' must be a mapping, got 'feature/hog'
    6 |   hog: feature/hog
      |        ^~~~~~~~~~~
      = write hog: {is: feature/hog, ...}
)"},
      {"node is nothing", changed("hog: {is: feature/hog, cell: 8, from: images}", "hog:"),
       R"(
p.yaml:6:3: error: node 'hog' must be a mapping, got nothing
    6 |   hog:
      |   ^~~
      = write hog: {is: kind/name, ...}
)"},
      {"missing is", changed("is: feature/hog, cell", "cell"),
       R"(
p.yaml:6:3: error: node 'hog' does not name its component
    6 |   hog: {cell: 8, from: images}
      |   ^~~
      = add is: kind/name; `semblance list` shows all components
)"},
      {"misspelt is", changed("is: feature/hog", "si: feature/hog"),
       R"(
p.yaml:6:9: error: node 'hog' does not name its component
    6 |   hog: {si: feature/hog, cell: 8, from: images}
      |         ^~
      = did you mean is: feature/hog?
)"},
      {"is is a list", changed("is: feature/hog", "is: [feature/hog]"),
       R"(
p.yaml:6:13: error: 'is' must be a component id, got a list
    6 |   hog: {is: [feature/hog], cell: 8, from: images}
      |             ^
      = write is: kind/name; `semblance list` shows all components
)"},
      {"id without kind", changed("is: feature/hog", "is: hog"),
       R"(
p.yaml:6:13: error: 'hog' is not a component id, which has the form kind/name
    6 |   hog: {is: hog, cell: 8, from: images}
      |             ^~~
      = did you mean 'feature/hog'?
)"},
      {"id without kind, unknown", changed("is: feature/hog", "is: sift"),
       R"(
p.yaml:6:13: error: 'sift' is not a component id, which has the form kind/name
    6 |   hog: {is: sift, cell: 8, from: images}
      |             ^~~~
      = the kinds are source, feature, normalizer, basis, similarity, pair_kernel, pairs, solver, calibrator and evaluator; `semblance list` shows all components
)"},
      {"unknown kind", changed("is: feature/hog", "is: featur/hog"),
       R"(
p.yaml:6:13: error: unknown kind 'featur' in 'featur/hog'
    6 |   hog: {is: featur/hog, cell: 8, from: images}
      |             ^~~~~~~~~~
      = did you mean 'feature/hog'?
)"},
      {"unknown kind and name", changed("is: feature/hog", "is: filter/gabor"),
       R"(
p.yaml:6:13: error: unknown kind 'filter' in 'filter/gabor'
    6 |   hog: {is: filter/gabor, cell: 8, from: images}
      |             ^~~~~~~~~~~~
      = the kinds are source, feature, normalizer, basis, similarity, pair_kernel, pairs, solver, calibrator and evaluator; `semblance list` shows all components
)"},
      {"misspelt component", changed("is: similarity/rbf", "is: similarity/rfb"),
       R"(
p.yaml:9:13: error: unknown component 'similarity/rfb'
    9 |   rbf: {is: similarity/rfb, gamma: 0.5, from: x, bases: bases}
      |             ^~~~~~~~~~~~~~
      = did you mean 'similarity/rbf'?
)"},
      {"unknown component", changed("is: feature/hog", "is: feature/sift_bag"),
       R"(
p.yaml:6:13: error: unknown component 'feature/sift_bag'
    6 |   hog: {is: feature/sift_bag, cell: 8, from: images}
      |             ^~~~~~~~~~~~~~~~
      = components of kind feature: feature/hog and feature/pixels
)"},
      {"wrong kind", changed("is: feature/hog", "is: normalizer/hog"),
       R"(
p.yaml:6:13: error: a component named 'hog' exists, but not of kind normalizer
    6 |   hog: {is: normalizer/hog, cell: 8, from: images}
      |             ^~~~~~~~~~~~~~
      = did you mean 'feature/hog'?
)"},
      {"kind without components", changed("is: feature/hog", "is: pairs/all"),
       R"(
p.yaml:6:13: error: unknown component 'pairs/all'
    6 |   hog: {is: pairs/all, cell: 8, from: images}
      |             ^~~~~~~~~
      = no installed plugin has a component of kind pairs; `semblance list --paths` shows where plugins are searched for
)"},
      {"not a node", changed("is: solver/linear_svm", "is: pair_kernel/product"),
       R"(
p.yaml:10:13: error: pair_kernel/product cannot be a node: it can only be a parameter of another component
   10 |   svm: {is: pair_kernel/product, C: 10, from: rbf}
      |             ^~~~~~~~~~~~~~~~~~~
)"},
  };
  for (const Wrong& wrong : table) expect(wrong);
}

TEST_CASE("the keys of a node") {
  const std::vector<Wrong> table = {
      {"unknown parameter", changed("gamma: 0.5", "gama: 0.5"),
       R"(
p.yaml:9:29: error: similarity/rbf has no parameter or input 'gama'
    9 |   rbf: {is: similarity/rbf, gama: 0.5, from: x, bases: bases}
      |                             ^~~~
      = did you mean 'gamma'?
)"},
      {"unknown parameter, nothing near", changed("gamma: 0.5", "bandwidth: 0.5"),
       R"(
p.yaml:9:29: error: similarity/rbf has no parameter or input 'bandwidth'
    9 |   rbf: {is: similarity/rbf, bandwidth: 0.5, from: x, bases: bases}
      |                             ^~~~~~~~~
      = its parameters are: gamma; its inputs: from and bases
)"},
      {"unknown key of component without parameters", changed("zscore,", "zscore, epsilon: 1,"),
       R"(
p.yaml:7:30: error: normalizer/zscore has no parameter or input 'epsilon'
    7 |   x: {is: normalizer/zscore, epsilon: 1, from: hog}
      |                              ^~~~~~~
      = its parameters are: none; its inputs: from
)"},
      {"misspelt port", changed("zscore, from", "zscore, form"),
       R"(
p.yaml:7:30: error: normalizer/zscore has no parameter or input 'form'
    7 |   x: {is: normalizer/zscore, form: hog}
      |                              ^~~~
      = did you mean 'from'?
)"},
      {"missing parameter", changed(", path: cifar", ""),
       R"(
p.yaml:5:3: error: source/images needs the parameter 'path' (folder of the images)
    5 |   images: {is: source/images}
      |   ^~~~~~
)"},
      {"misspelt required parameter", changed("path: cifar", "pathe: cifar"),
       R"(
p.yaml:5:31: error: source/images has no parameter or input 'pathe'
    5 |   images: {is: source/images, pathe: cifar}
      |                               ^~~~~
      = did you mean 'path'?
)"},
      {"empty required path", changed("path: cifar", "path: ''"),
       R"(
p.yaml:5:37: error: 'path' must not be empty (folder of the images)
    5 |   images: {is: source/images, path: ''}
      |                                     ^~
)"},
  };
  for (const Wrong& wrong : table) expect(wrong);
}

}  // namespace
}  // namespace semblance::testing::wrong_keys_test
