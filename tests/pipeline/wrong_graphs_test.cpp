// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "test_components.hpp"

namespace semblance::testing::wrong_graphs_test {
namespace {

TEST_CASE("inputs that name no node, or name themselves") {
  const std::vector<Wrong> table = {
      {"missing input", changed("from: x, bases: bases}", "from: x}"),
       R"(
p.yaml:9:3: error: similarity/rbf needs the input 'bases' (what to compare them with)
    9 |   rbf: {is: similarity/rbf, gamma: 0.5, from: x}
      |   ^~~
      = add bases: NODE, where NODE gives a basis
)"},
      {"missing from", changed("8, from: images}", "8}"),
       R"(
p.yaml:6:3: error: feature/hog needs the input 'from' (the samples)
    6 |   hog: {is: feature/hog, cell: 8}
      |   ^~~
      = add from: NODE, where NODE gives samples
)"},
      {"unknown node", changed("from: rbf}", "from: rfb}"),
       R"(
p.yaml:10:45: error: unknown node 'rfb'
   10 |   svm: {is: solver/linear_svm, C: 10, from: rfb}
      |                                             ^~~
      = did you mean 'rbf'?
)"},
      {"unknown node, nothing near", changed("from: rbf}", "from: phi_all}"),
       R"(
p.yaml:10:45: error: unknown node 'phi_all'
   10 |   svm: {is: solver/linear_svm, C: 10, from: phi_all}
      |                                             ^~~~~~~
      = the other nodes are images, hog, x, bases, rbf and test
)"},
      {"component in place of a node", changed("from: rbf}", "from: similarity/rbf}"),
       R"(
p.yaml:10:45: error: unknown node 'similarity/rbf'
   10 |   svm: {is: solver/linear_svm, C: 10, from: similarity/rbf}
      |                                             ^~~~~~~~~~~~~~
      = this is a component; write the name of a node
)"},
      {"self reference", changed("from: hog}", "from: x}"),
       R"(
p.yaml:7:36: error: node 'x' feeds itself
    7 |   x: {is: normalizer/zscore, from: x}
      |                                    ^
)"},
      {"self in list", changed("from: hog}", "from: [hog, x]}"),
       R"(
p.yaml:7:42: error: node 'x' feeds itself
    7 |   x: {is: normalizer/zscore, from: [hog, x]}
      |                                          ^
)"},
      {"cycle", changed("from: hog}", "from: [hog, rbf]}"),
       R"(
p.yaml:7:42: error: these nodes form a cycle: x -> rbf -> x
    7 |   x: {is: normalizer/zscore, from: [hog, rbf]}
      |                                          ^~~
      = a node can only use what is computed before it
)"},
      {"two cycles",
       R"(name: cycles
nodes:
  a: {is: normalizer/zscore, from: b}
  b: {is: normalizer/zscore, from: c}
  c: {is: normalizer/zscore, from: a}
  d: {is: normalizer/zscore, from: e}
  e: {is: normalizer/zscore, from: [d, a]}
  svm: {is: solver/linear_svm, from: e}
)",
       R"(
p.yaml:3:36: error: these nodes form a cycle: a -> c -> b -> a
    3 |   a: {is: normalizer/zscore, from: b}
      |                                    ^
      = a node can only use what is computed before it
p.yaml:6:36: error: these nodes form a cycle: d -> e -> d
    6 |   d: {is: normalizer/zscore, from: e}
      |                                    ^
      = a node can only use what is computed before it
)"},
  };
  for (const Wrong& wrong : table) expect(wrong);
}

TEST_CASE("ports and layouts that do not fit") {
  const std::vector<Wrong> table = {
      {"scores where samples are wanted",
       changed("zscore, from: hog}", "zscore, from: [hog, svm]}"),
       R"(
p.yaml:7:42: error: 'from' of normalizer/zscore takes samples, but 'svm' (solver/linear_svm) gives scores
    7 |   x: {is: normalizer/zscore, from: [hog, svm]}
      |                                          ^~~
      = nodes that give samples: images, hog and rbf
)"},
      {"samples where scores are wanted", changed("from: svm}", "from: rbf}"),
       R"(
p.yaml:11:46: error: 'from' of evaluator/classification takes scores, but 'rbf' (similarity/rbf) gives samples
   11 |   test: {is: evaluator/classification, from: rbf}
      |                                              ^~~
      = nodes that give scores: svm
)"},
      {"samples where a basis is wanted", changed("bases: bases}", "bases: x}"),
       R"(
p.yaml:9:57: error: 'bases' of similarity/rbf takes a basis, but 'x' (normalizer/zscore) gives samples
    9 |   rbf: {is: similarity/rbf, gamma: 0.5, from: x, bases: x}
      |                                                         ^
      = nodes that give a basis: bases
)"},
      {"basis where samples are wanted", changed("from: rbf}", "from: bases}"),
       R"(
p.yaml:10:45: error: 'from' of solver/linear_svm takes samples, but 'bases' (basis/index) gives a basis
   10 |   svm: {is: solver/linear_svm, C: 10, from: bases}
      |                                             ^~~~~
      = nodes that give samples: images, hog, x and rbf
)"},
      {"report as input", changed("zscore, from: hog}", "zscore, from: test}"),
       R"(
p.yaml:7:36: error: 'from' of normalizer/zscore takes samples, but 'test' (evaluator/classification) gives a report
    7 |   x: {is: normalizer/zscore, from: test}
      |                                    ^~~~
      = nodes that give samples: images, hog and rbf
)"},
      {"no one gives it",
       R"(name: t
nodes:
  images: {is: source/images, path: x}
  rbf: {is: similarity/rbf, from: images, bases: images}
  svm: {is: solver/linear_svm, from: rbf}
)",
       R"(
p.yaml:4:50: error: 'bases' of similarity/rbf takes a basis, but 'images' (source/images) gives samples
    4 |   rbf: {is: similarity/rbf, from: images, bases: images}
      |                                                  ^~~~~~
      = a basis can come from a node of kind basis
)"},
      {"layout", changed("similarity/rbf, gamma: 0.5, from: x", "similarity/rigid, from: images"),
       R"(
p.yaml:9:37: error: 'from' of similarity/rigid needs samples that are each a grid, but 'images' gives an image
    9 |   rbf: {is: similarity/rigid, from: images, bases: bases}
      |                                     ^~~~~~
      = a grid can come from feature/hog
)"},
      {"layout passed on",
       changed("hog: {is: feature/hog, cell: 8, from: images}",
               "hog: {is: feature/pixels, from: images}"),
       R"(
--set: error: 'from' of similarity/rigid needs samples that are each a grid, but 'x' gives a vector
      | nodes.rbf={is: similarity/rigid, from: x, bases: bases}
      |                                        ^
      = 'hog' (feature/pixels) gives a vector, which the nodes in between pass on; a grid can come from feature/hog
)",
       {"nodes.rbf={is: similarity/rigid, from: x, bases: bases}"}},
      {"layout of several",
       changed("from: hog}", "from: [hog, images]}"),
       R"(
--set: error: 'from' of similarity/rigid needs samples that are each a grid, but 'x' gives a vector
      | nodes.rbf={is: similarity/rigid, from: x, bases: bases}
      |                                        ^
      = a grid can come from feature/hog
)",
       {"nodes.rbf={is: similarity/rigid, from: x, bases: bases}"}},
      {"feature of a feature", changed("from: hog}", R"(from: hog}
  again: {is: feature/hog, from: hog})"),
       R"(
p.yaml:8:34: error: 'from' of feature/hog needs samples that are each an image, but 'hog' gives a grid
    8 |   again: {is: feature/hog, from: hog}
      |                                  ^~~
      = an image can come from source/images
)"},
  };
  for (const Wrong& wrong : table) expect(wrong);
}

TEST_CASE("lists at inputs") {
  const std::vector<Wrong> table = {
      {"list for one", changed("8, from: images}", "8, from: [images]}"),
       R"(
p.yaml:6:41: error: 'from' of feature/hog takes one node, not a list
    6 |   hog: {is: feature/hog, cell: 8, from: [images]}
      |                                         ^
      = write from: images
)"},
      {"list for one of two", changed("8, from: images}", "8, from: [images, images]}"),
       R"(
p.yaml:6:41: error: 'from' of feature/hog takes one node, not a list
    6 |   hog: {is: feature/hog, cell: 8, from: [images, images]}
      |                                         ^
      = a normalizer takes several and joins them
)"},
      {"empty list", changed("from: hog}", "from: []}"),
       R"(
p.yaml:7:36: error: 'from' of normalizer/zscore names no node: the list is empty
    7 |   x: {is: normalizer/zscore, from: []}
      |                                    ^
)"},
      {"twice in a list", changed("from: hog}", "from: [hog, hog]}"),
       R"(
p.yaml:7:42: error: 'hog' appears twice in this list
    7 |   x: {is: normalizer/zscore, from: [hog, hog]}
      |                                          ^~~
      = remove one of them
)"},
      {"mapping as input", changed("from: hog}", "from: {a: hog}}"),
       R"(
p.yaml:7:36: error: 'from' of normalizer/zscore must name a node, got a mapping
    7 |   x: {is: normalizer/zscore, from: {a: hog}}
      |                                    ^
)"},
      {"list in a list", changed("from: hog}", "from: [[hog]]}"),
       R"(
p.yaml:7:37: error: 'from' of normalizer/zscore is a list of nodes, got a list
    7 |   x: {is: normalizer/zscore, from: [[hog]]}
      |                                     ^
)"},
      {"input without value", changed("from: hog}", "from:}"),
       R"(
p.yaml:7:30: error: 'from' of normalizer/zscore must name a node, got nothing
    7 |   x: {is: normalizer/zscore, from:}
      |                              ^~~~
)"},
  };
  for (const Wrong& wrong : table) expect(wrong);
}

TEST_CASE("nodes without use, rows that do not match") {
  const std::vector<Wrong> table = {
      {"unused node", changed("  x: {is", R"(  extra: {is: feature/pixels, from: images}
  x: {is)"),
       R"(
p.yaml:7:3: error: nothing uses node 'extra'
    7 |   extra: {is: feature/pixels, from: images}
      |   ^~~~~
      = name it as the input of another node, or remove it
)"},
      {"no solver",
       R"(name: t
nodes:
  images: {is: source/images, path: x}
  hog: {is: feature/hog, from: images}
)",
       R"(
p.yaml:2:1: error: the pipeline has neither a solver nor an evaluator, so a run would produce nothing
    2 | nodes:
      | ^~~~~
      = add a solver, and an evaluator that takes its scores
)"},
      {"two sources", changed("5, from: images}", R"(5, from: others}
  others: {is: source/images, path: b})"),
       R"(
p.yaml:10:57: error: the inputs of 'rbf' come from different sources: 'x' has rows of 'images', 'bases' has rows of 'others'
   10 |   rbf: {is: similarity/rbf, gamma: 0.5, from: x, bases: bases}
      |                                                         ^~~~~
      = take both from the same source
)"},
      {"two sources directly", changed("from: rbf}", R"(from: [rbf, others]}
  others: {is: source/table, file: b})"),
       R"(
p.yaml:10:51: error: the inputs of 'svm' come from different sources: 'rbf' has rows of 'images', 'others' is itself a source
   10 |   svm: {is: solver/linear_svm, C: 10, from: [rbf, others]}
      |                                                   ^~~~~~
      = take both from the same source
)"},
      {"source with input", changed("path: cifar", "path: cifar, from: hog"),
       R"(
p.yaml:5:44: error: source/images has no parameter or input 'from'
    5 |   images: {is: source/images, path: cifar, from: hog}
      |                                            ^~~~
      = its parameters are: path, folds and names; its inputs: none
)"},
      {"one cause, one message: unknown component",
       changed("is: feature/hog, cell: 8", "is: feature/hogg, cell: 8"),
       R"(
p.yaml:6:13: error: unknown component 'feature/hogg'
    6 |   hog: {is: feature/hogg, cell: 8, from: images}
      |             ^~~~~~~~~~~~
      = did you mean 'feature/hog'?
)"},
      {"one cause, one message: misspelt reference",
       changed("8, from: images}", "8, from: imagse}"),
       R"(
p.yaml:6:41: error: unknown node 'imagse'
    6 |   hog: {is: feature/hog, cell: 8, from: imagse}
      |                                         ^~~~~~
      = did you mean 'images'?
)"},
      {"one cause, one message: value", changed("cell: 8", "cell: 1"),
       R"(
p.yaml:6:32: error: 'cell' must be in the range [2, inf) (pixels), got 1
    6 |   hog: {is: feature/hog, cell: 1, from: images}
      |                                ^
)"},
  };
  for (const Wrong& wrong : table) expect(wrong);
}

}  // namespace
}  // namespace semblance::testing::wrong_graphs_test
