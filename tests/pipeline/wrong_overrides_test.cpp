// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "test_components.hpp"

namespace semblance::testing::wrong_overrides_test {
namespace {

TEST_CASE("overrides that cannot be read") {
  const std::vector<Wrong> table = {
      {"no equals sign",
       good_text,
       R"(
--set: error: this --set has no '='
      | nodes.svm.C
      | ^~~~~~~~~~~
      = write PATH=VALUE, for example nodes.svm.C=10
)",
       {"nodes.svm.C"}},
      {"no path",
       good_text,
       R"(
--set: error: this --set has no path before '='
      | =3
      | ^
      = write PATH=VALUE, for example nodes.svm.C=10
)",
       {"=3"}},
      {"empty part",
       good_text,
       R"(
--set: error: the path has an empty part
      | nodes..C=3
      |       ^
      = write PATH=VALUE, for example nodes.svm.C=10
)",
       {"nodes..C=3"}},
      {"ends with a dot",
       good_text,
       R"(
--set: error: the path has an empty part
      | nodes.svm.=3
      |           ^
      = write PATH=VALUE, for example nodes.svm.C=10
)",
       {"nodes.svm.=3"}},
  };
  for (const Wrong& wrong : table) expect(wrong);
}

TEST_CASE("overrides are reported at their guilty part") {
  const std::vector<Wrong> table = {
      {"unknown start",
       good_text,
       R"(
--set: error: a pipeline has no 'node'
      | node.svm.C=3
      | ^~~~
      = did you mean 'nodes'?
)",
       {"node.svm.C=3"}},
      {"node without nodes",
       good_text,
       R"(
--set: error: a pipeline has no 'svm'
      | svm.C=3
      | ^~~
      = did you mean 'nodes.svm'?
)",
       {"svm.C=3"}},
      {"unknown start, nothing near",
       good_text,
       R"(
--set: error: a pipeline has no 'threads'
      | threads=3
      | ^~~~~~~
      = a path starts with name, description, seed, nodes and select
)",
       {"threads=3"}},
      {"parts of seed",
       good_text,
       R"(
--set: error: 'seed' has no parts
      | seed.x=3
      |      ^
      = write seed=VALUE
)",
       {"seed.x=3"}},
      {"all nodes",
       good_text,
       R"(
--set: error: cannot replace all nodes at once
      | nodes={a: b}
      | ^~~~~
      = name a node and a key: nodes.NAME.KEY
)",
       {"nodes={a: b}"}},
      {"unknown node",
       good_text,
       R"(
--set: error: unknown node 'smv'
      | nodes.smv.C=3
      |       ^~~
      = did you mean 'svm'?
)",
       {"nodes.smv.C=3"}},
      {"unknown node, nothing near",
       good_text,
       R"(
--set: error: unknown node 'classifier'
      | nodes.classifier.C=3
      |       ^~~~~~~~~~
      = the nodes are images, hog, x, bases, rbf, svm and test
)",
       {"nodes.classifier.C=3"}},
      {"node as text",
       good_text,
       R"(
--set: error: a node must be a mapping, got 'feature/pixels'
      | nodes.hog=feature/pixels
      |           ^~~~~~~~~~~~~~
      = to swap its component, write nodes.hog.is=feature/pixels
)",
       {"nodes.hog=feature/pixels"}},
      {"unknown parameter",
       good_text,
       R"(
--set: error: solver/linear_svm has no parameter or input 'c'
      | nodes.svm.c=3
      |           ^
      = did you mean 'C'?
)",
       {"nodes.svm.c=3"}},
      {"wrong value",
       good_text,
       R"(
--set: error: 'C' must be a finite number, got 'ten'
      | nodes.svm.C=ten
      |             ^~~
)",
       {"nodes.svm.C=ten"}},
      {"out of range",
       good_text,
       R"(
--set: error: 'C' must be in the range (0, inf), got -1
      | nodes.svm.C=-1
      |             ^~
)",
       {"nodes.svm.C=-1"}},
      {"no value",
       good_text,
       R"(
--set: error: 'C' has no value
      | nodes.svm.C=
      |            ^
      = write one, or omit the key to use the default
)",
       {"nodes.svm.C="}},
      {"not YAML",
       good_text,
       R"(
--set: error: this '[' is never closed with ']'
      | nodes.x.from=[hog
      |              ^
)",
       {"nodes.x.from=[hog"}},
      {"colon in the value",
       good_text,
       R"(
--set: error: unexpected ':'
      | description=a: b: c
      |                 ^
      = put a value that contains ': ' in quotes; check the indentation of this line and the one before
)",
       {"description=a: b: c"}},
      {"unknown component",
       good_text,
       R"(
--set: error: unknown component 'basis/randon'
      | nodes.bases.is=basis/randon
      |                ^~~~~~~~~~~~
      = did you mean 'basis/random'?
)",
       {"nodes.bases.is=basis/randon"}},
      {"unknown input",
       good_text,
       R"(
--set: error: unknown node 'imagse'
      | nodes.x.from=[hog, imagse]
      |                    ^~~~~~
      = did you mean 'images'?
)",
       {"nodes.x.from=[hog, imagse]"}},
      {"part of a number",
       good_text,
       R"(
--set: error: 'C' has no part 'x': it is '10', not a component
      | nodes.svm.C.x=3
      |             ^
)",
       {"nodes.svm.C.x=3"}},
      {"part that cannot be a component",
       good_text,
       R"(
--set: error: 'loss' must be text, got a mapping
      | nodes.svm.loss.is=similarity/rbf
      |           ^~~~
)",
       {"nodes.svm.loss.is=similarity/rbf"}},
      {"wrong part",
       good_text,
       R"(
--set: error: a component of kind similarity is needed here, but feature/hog is of kind feature
      | nodes.svm.kernel.is=feature/hog
      |                     ^~~~~~~~~~~
      = components of kind similarity: similarity/polynomial, similarity/precomputed, similarity/rbf and similarity/rigid
)",
       {"nodes.svm.is=solver/kernel_svm", "nodes.svm.kernel.is=feature/hog"}},
      {"part's parameter",
       good_text,
       R"(
--set: error: similarity/rbf has no parameter 'gama'
      | nodes.svm.kernel.gama=2
      |                  ^~~~
      = did you mean 'gamma'?
)",
       {"nodes.svm.is=solver/kernel_svm", "nodes.svm.kernel.gama=2"}},
      {"several",
       good_text,
       R"(
--set: error: 'C' must be in the range (0, inf), got 0
      | nodes.svm.C=0
      |             ^
--set: error: 'seed' must be a non-negative integer, got 'x'
      | seed=x
      |      ^
--set: error: 'cell' must be in the range [2, inf) (pixels), got 0
      | nodes.hog.cell=0
      |                ^
)",
       {"nodes.svm.C=0", "seed=x", "nodes.hog.cell=0"}},
      {"swap keeps typos",
       changed("C: 10", "D: 10"),
       R"(
p.yaml:10:32: error: solver/kernel_svm has no parameter or input 'D'
   10 |   svm: {is: solver/linear_svm, D: 10, from: rbf}
      |                                ^
      = its parameters are: C, kernel and warm; its inputs: from
)",
       {"nodes.svm.is=solver/kernel_svm"}},
      {"swap: what is missing afterwards",
       good_text,
       R"(
p.yaml:5:3: error: source/table needs the parameter 'file' (CSV file)
    5 |   images: {is: source/images, path: cifar}
      |   ^~~~~~
p.yaml:5:31: warning: 'path' is dropped: source/table, which --set puts here, has no such key
    5 |   images: {is: source/images, path: cifar}
      |                               ^~~~
)",
       {"nodes.images.is=source/table"}},
      {"anchors",
       good_text,
       R"(
--set: error: aliases (*name) are not supported in pipelines
      | nodes.svm.C=*a
      |             ^
      = write out the value; put text that starts with '*' in quotes
)",
       {"nodes.svm.C=*a"}},
  };
  for (const Wrong& wrong : table) expect(wrong);
}

}  // namespace
}  // namespace semblance::testing::wrong_overrides_test
