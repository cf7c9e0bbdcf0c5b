// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "test_components.hpp"

namespace semblance::testing::wrong_yaml_test {
namespace {

TEST_CASE("what is not YAML is explained") {
  const std::vector<Wrong> table = {
      {"unclosed bracket", changed("cell: 8, from: images}", "cell: 8, from: images"),
       R"(
p.yaml:7:4: error: expected ',' or '}' here
    7 |   x: {is: normalizer/zscore, from: hog}
      |    ^
      = the '{' was opened on line 6
)"},
      {"unclosed list at the end", changed("from: svm}", "from: [svm"),
       R"(
p.yaml:11:46: error: this '[' is never closed with ']'
   11 |   test: {is: evaluator/classification, from: [svm
      |                                              ^
)"},
      {"colon in a value", changed("description: What", "description: Note: what"),
       R"(
p.yaml:2:18: error: unexpected ':'
    2 | description: Note: what a pipeline looks like
      |                  ^
      = put a value that contains ': ' in quotes; check the indentation of this line and the one before
)"},
      {"bracket that closes nothing", changed("cell: 8, from: images}", "cell: 8, from: images]}"),
       R"(
p.yaml:6:47: error: this bracket closes nothing
    6 |   hog: {is: feature/hog, cell: 8, from: images]}
      |                                               ^
)"},
      {"comma missing", changed("cell: 8, from", "cell: \"8\" from"),
       R"(
p.yaml:6:36: error: expected ',' or '}' here
    6 |   hog: {is: feature/hog, cell: "8" from: images}
      |                                    ^
      = the '{' was opened on line 6
)"},
      {"indentation too deep", changed("  x: {is", "   x: {is"),
       R"(
p.yaml:7:4: error: this does not belong to the mapping before it
    7 |    x: {is: normalizer/zscore, from: hog}
      |    ^
      = check the indentation: keys of the same mapping start in the same column
)"},
      {"indentation too shallow", changed("  x: {is", " x: {is"),
       R"(
p.yaml:7:2: error: this does not belong to the mapping before it
    7 |  x: {is: normalizer/zscore, from: hog}
      |  ^
      = check the indentation: keys of the same mapping start in the same column
)"},
      {"quote never closed", changed("path: cifar", "path: 'cifar"),
       R"(
p.yaml:5:37: error: this quote is never closed
    5 |   images: {is: source/images, path: 'cifar}
      |                                     ^
)"},
      {"value starts with @", changed("path: cifar", "path: @cifar"),
       R"(
p.yaml:5:37: error: a plain value cannot start with this character
    5 |   images: {is: source/images, path: @cifar}
      |                                     ^
      = put the value in quotes
)"},
      {"escape", changed("path: cifar", "path: \"c\\q\""),
       R"(
p.yaml:5:41: error: unknown escape sequence in double quotes
    5 |   images: {is: source/images, path: "c\q"}
      |                                         ^
      = write \\ for a backslash, or use single quotes
)"},
      {"list in place", changed("seed: 3", "seed: - 3"),
       R"(
p.yaml:3:7: error: a '-' list cannot start here
    3 | seed: - 3
      |       ^
      = start it on a line of its own, or write [a, b]
)"},
  };
  for (const Wrong& wrong : table) expect(wrong);
}

TEST_CASE("what is YAML but no pipeline") {
  const std::vector<Wrong> table = {
      {"empty", "",
       R"(
p.yaml: error: the file is empty
      = a pipeline needs at least a name and nodes
)"},
      {"comments only",
       R"(# nothing

)",
       R"(
p.yaml: error: the file is empty
      = a pipeline needs at least a name and nodes
)"},
      {"three dashes only", "---\n",
       R"(
p.yaml: error: the file is empty
      = a pipeline needs at least a name and nodes
)"},
      {"text", "name demo\n",
       R"(
p.yaml:1:1: error: a pipeline must be a mapping, got 'name demo'
    1 | name demo
      | ^~~~~~~~~
      = its keys are name, description, seed, nodes and select; a key is followed by ': '
)"},
      {"no space after colons",
       R"(name:demo
seed:3
)",
       R"(
p.yaml:1:1: error: a pipeline must be a mapping, got 'name:demo seed:3'
    1 | name:demo
      | ^~~~~~~~~
      = its keys are name, description, seed, nodes and select; a key is followed by ': '
)"},
      {"a list",
       R"(- name
- nodes
)",
       R"(
p.yaml:1:1: error: a pipeline must be a mapping, got a list
    1 | - name
      | ^
      = its keys are name, description, seed, nodes and select; a key is followed by ': '
)"},
      {"a null", "~\n",
       R"(
p.yaml: error: the file is empty
      = a pipeline needs at least a name and nodes
)"},
      {"two documents",
       changed("  test: {is: evaluator/classification, from: svm}\n",
               R"(  test: {is: evaluator/classification, from: svm}
---
name: second
)"),
       R"(
p.yaml:12:1: error: a second document starts here
   12 | ---
      | ^~~
      = a pipeline file holds one pipeline: remove this line and everything after it
)"},
      {"text after", "{name: a} b\n",
       R"(
p.yaml:1:1: error: the pipeline has no nodes
    1 | {name: a} b
      | ^
      = add nodes: and, under it, one node per line: NAME: {is: kind/name, ...}
p.yaml:1:11: error: this does not belong to what comes before it
    1 | {name: a} b
      |           ^
      = check the indentation: keys of the same mapping start in the same column
)"},
  };
  for (const Wrong& wrong : table) expect(wrong);
}

TEST_CASE("YAML that pipelines do without") {
  const std::vector<Wrong> table = {
      {"duplicate top key", changed("seed: 3\n", R"(seed: 3
name: again
)"),
       R"(
p.yaml:4:1: error: 'name' is given twice
    4 | name: again
      | ^~~~
      = it was first given on line 1; remove one of them
)"},
      {"duplicate node", changed("  x: {", R"(  hog: {is: feature/pixels, from: images}
  x: {)"),
       R"(
p.yaml:7:3: error: 'hog' is given twice
    7 |   hog: {is: feature/pixels, from: images}
      |   ^~~
      = it was first given on line 6; remove one of them
)"},
      {"duplicate parameter", changed("C: 10", "C: 10, C: 20"),
       R"(
p.yaml:10:39: error: 'C' is given twice
   10 |   svm: {is: solver/linear_svm, C: 10, C: 20, from: rbf}
      |                                       ^
      = it was first given on line 10; remove one of them
)"},
      {"anchor and alias", changed("path: cifar", "path: &a cifar, names: [*a]"),
       R"(
p.yaml:5:37: error: anchors (&name) are not supported in pipelines
    5 |   images: {is: source/images, path: &a cifar, names: [*a]}
      |                                     ^~
      = remove '&a'
p.yaml:5:55: error: aliases (*name) are not supported in pipelines
    5 |   images: {is: source/images, path: &a cifar, names: [*a]}
      |                                                       ^
      = write out the value
)"},
      {"anchor and alias", changed("path: cifar", "path: &a cifar"),
       R"(
p.yaml:5:37: error: anchors (&name) are not supported in pipelines
    5 |   images: {is: source/images, path: &a cifar}
      |                                     ^~
      = remove '&a'
)"},
      {"alias unknown", changed("path: cifar", "path: *cifar"),
       R"(
p.yaml:5:37: error: aliases (*name) are not supported in pipelines
    5 |   images: {is: source/images, path: *cifar}
      |                                     ^
      = write out the value; put text that starts with '*' in quotes
)"},
      {"merge", changed("{is: feature/hog, cell: 8", "{<<: {cell: 8}, is: feature/hog"),
       R"(
p.yaml:6:9: error: merge keys (<<) are not supported in pipelines
    6 |   hog: {<<: {cell: 8}, is: feature/hog, from: images}
      |         ^~
      = write out the entries
)"},
      {"tag", changed("cell: 8", "cell: !!int 8"),
       R"(
p.yaml:6:32: error: tags (!!type) are not supported in pipelines
    6 |   hog: {is: feature/hog, cell: !!int 8, from: images}
      |                                ^
      = remove it; to make a value text, put it in quotes
)"},
      {"list as key", changed("  x: {", R"(  [a, b]: {is: feature/pixels}
  x: {)"),
       R"(
p.yaml:7:3: error: a key must be a word, not a list
    7 |   [a, b]: {is: feature/pixels}
      |   ^
)"},
      {"nothing as key", changed("C: 10", "~: 10"),
       R"(
p.yaml:10:32: error: a key must be a word, not nothing
   10 |   svm: {is: solver/linear_svm, ~: 10, from: rbf}
      |                                ^
)"},
      {"flow word without value", changed("cell: 8", "cell 8"),
       R"(
p.yaml:6:26: error: feature/hog has no parameter or input 'cell 8'
    6 |   hog: {is: feature/hog, cell 8, from: images}
      |                          ^~~~~~
      = did you mean 'cell'?
)"},
      {"unicode", changed("What a pipeline looks like", "Über: größe"),
       R"(
p.yaml:2:18: error: unexpected ':'
    2 | description: Über: größe
      |                  ^
      = put a value that contains ': ' in quotes; check the indentation of this line and the one before
)"},
      {"percent",
       R"(%FOO
name: x)",
       R"(
p.yaml:2:1: error: the pipeline has no nodes
    2 | name: x
      | ^
      = add nodes: and, under it, one node per line: NAME: {is: kind/name, ...}
)"},
  };
  for (const Wrong& wrong : table) expect(wrong);
}

}  // namespace
}  // namespace semblance::testing::wrong_yaml_test
