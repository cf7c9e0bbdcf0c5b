// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "test_components.hpp"

namespace semblance::testing::wrong_values_test {
namespace {

/// good_text with a solver that takes values by name.
std::string with_options(const std::string& options) {
  return changed("linear_svm, C: 10", "library, options: " + options);
}

TEST_CASE("values by name that are wrong, each at its place") {
  const std::vector<Wrong> table = {
      {"no mapping", with_options("[depth=3]"),
       R"(
p.yaml:10:38: error: 'options' must be a mapping, got a list
   10 |   svm: {is: solver/library, options: [depth=3], from: rbf}
      |                                      ^
      = write {NAME: VALUE}, one for each name
)"},
      {"nothing", with_options(""),
       R"(
p.yaml:10:29: error: 'options' has no value
   10 |   svm: {is: solver/library, options: , from: rbf}
      |                             ^~~~~~~
      = write one, or omit the key to use the default
)"},
      {"words and numbers that may be meant otherwise",
       with_options("{a: 010, b: True, c: no, d: None, e: -inf}"),
       R"(
p.yaml:10:42: error: 'options.a' must be a finite number, got '010'
   10 |   svm: {is: solver/library, options: {a: 010, b: True, c: no, d: None, e: -inf}, from: rbf}
      |                                          ^~~
      = write it without leading zeros: 10; for the text, put it in quotes: '010'
p.yaml:10:50: error: 'options.b' could be true or a text, got 'True'
   10 |   svm: {is: solver/library, options: {a: 010, b: True, c: no, d: None, e: -inf}, from: rbf}
      |                                                  ^~~~
      = write true; for the text, put it in quotes: 'True'
p.yaml:10:59: error: 'options.c' could be false or a text, got 'no'
   10 |   svm: {is: solver/library, options: {a: 010, b: True, c: no, d: None, e: -inf}, from: rbf}
      |                                                           ^~
      = write false; for the text, put it in quotes: 'no'
p.yaml:10:66: error: 'options.d' could be null or a text, got 'None'
   10 |   svm: {is: solver/library, options: {a: 010, b: True, c: no, d: None, e: -inf}, from: rbf}
      |                                                                  ^~~~
      = write null; for the text, put it in quotes: 'None'
p.yaml:10:75: error: 'options.e' must be a finite number, got '-inf'
   10 |   svm: {is: solver/library, options: {a: 010, b: True, c: no, d: None, e: -inf}, from: rbf}
      |                                                                           ^~~~
      = for the text, put it in quotes: '-inf'
)"},
      {"twice", with_options("{depth: 3, rule: gini, depth: 4}"),
       R"(
p.yaml:10:61: error: 'depth' is given twice
   10 |   svm: {is: solver/library, options: {depth: 3, rule: gini, depth: 4}, from: rbf}
      |                                                             ^~~~~
      = it was first given on line 10; remove one of them
)"},
      {"no value", with_options("{depth: , rule: gini}"),
       R"(
p.yaml:10:39: error: 'options.depth' has no value
   10 |   svm: {is: solver/library, options: {depth: , rule: gini}, from: rbf}
      |                                       ^~~~~
      = write one, such as null or ''
)"},
      {"nested", with_options("{weights: {a: 1}, sizes: [[1]]}"),
       R"(
p.yaml:10:48: error: 'options.weights' must be a number, a text, true, false, null or a list of these, got a mapping
   10 |   svm: {is: solver/library, options: {weights: {a: 1}, sizes: [[1]]}, from: rbf}
      |                                                ^
p.yaml:10:64: error: 'options.sizes' must be a number, a text, true, false, null or a list of these, got a list in a list
   10 |   svm: {is: solver/library, options: {weights: {a: 1}, sizes: [[1]]}, from: rbf}
      |                                                                ^
)"},
      {"component", with_options("{is: similarity/rbf}"),
       R"(
p.yaml:10:39: error: 'options' takes values by name, not a component
   10 |   svm: {is: solver/library, options: {is: similarity/rbf}, from: rbf}
      |                                       ^~
      = remove 'is'
)"},
      {"too large", with_options("{seed: 9223372036854775808, rate: 1e999}"),
       R"(
p.yaml:10:45: error: 'options.seed' must be an integer that fits in 64 bits, got '9223372036854775808'
   10 |   svm: {is: solver/library, options: {seed: 9223372036854775808, rate: 1e999}, from: rbf}
      |                                             ^~~~~~~~~~~~~~~~~~~
      = for the text, put it in quotes: '9223372036854775808'
p.yaml:10:72: error: 'options.rate' is out of range for a 64-bit number: '1e999'
   10 |   svm: {is: solver/library, options: {seed: 9223372036854775808, rate: 1e999}, from: rbf}
      |                                                                        ^~~~~
      = for the text, put it in quotes: '1e999'
)"},
      {"what the component says of a name", with_options("{rule: gini, dept: 3}"),
       R"(
p.yaml:10:51: error: options.dept: the library has no such option
   10 |   svm: {is: solver/library, options: {rule: gini, dept: 3}, from: rbf}
      |                                                   ^~~~
)"}};
  for (const Wrong& wrong : table) expect(wrong);
  const std::string text = with_options("{rule: gini}");
  expect({"--set of a name",
          text,
          R"(
--set: error: 'options.rule' could be true or a text, got 'Yes'
      | nodes.svm.options.rule=Yes
      |                        ^~~
      = write true; for the text, put it in quotes: 'Yes'
)",
          {"nodes.svm.options.rule=Yes"}});
  expect({"--set of a part of a value",
          text,
          R"(
--set: error: 'rule' has no part 'x': it is 'gini', not a component
      | nodes.svm.options.rule.x=1
      |                        ^
)",
          {"nodes.svm.options.rule.x=1"}});
  expect({"--set of all",
          text,
          R"(
--set: error: 'depth' is given twice
      | nodes.svm.options={depth: [1], depth: 2}
      |                                ^~~~~
      = it was first given on line 1; remove one of them
)",
          {"nodes.svm.options={depth: [1], depth: 2}"}});
}

TEST_CASE("values of the wrong type or out of range") {
  const std::vector<Wrong> table = {
      {"boolean yes", changed("cell: 8", "signed: yes"),
       R"(
p.yaml:6:34: error: 'signed' must be true or false, got 'yes'
    6 |   hog: {is: feature/hog, signed: yes, from: images}
      |                                  ^~~
      = write true
)"},
      {"boolean quoted", changed("cell: 8", "signed: 'true'"),
       R"(
p.yaml:6:34: error: 'signed' must be true or false, got the text 'true'
    6 |   hog: {is: feature/hog, signed: 'true', from: images}
      |                                  ^~~~~~
      = write true
)"},
      {"boolean list", changed("cell: 8", "signed: [true]"),
       R"(
p.yaml:6:34: error: 'signed' must be true or false, got a list
    6 |   hog: {is: feature/hog, signed: [true], from: images}
      |                                  ^
)"},
      {"integer octal", changed("cell: 8", "cell: 010"),
       R"(
p.yaml:6:32: error: 'cell' must be an integer, got '010'
    6 |   hog: {is: feature/hog, cell: 010, from: images}
      |                                ^~~
      = write it without leading zeros: 10
)"},
      {"integer hex", changed("cell: 8", "cell: 0x1F"),
       R"(
p.yaml:6:32: error: 'cell' must be an integer, got '0x1F'
    6 |   hog: {is: feature/hog, cell: 0x1F, from: images}
      |                                ^~~~
      = numbers are decimal: write 31
)"},
      {"integer underscore", changed("cell: 8", "cell: 1_000"),
       R"(
p.yaml:6:32: error: 'cell' must be an integer, got '1_000'
    6 |   hog: {is: feature/hog, cell: 1_000, from: images}
      |                                ^~~~~
      = write it without underscores: 1000
)"},
      {"integer fraction", changed("cell: 8", "cell: 8.0"),
       R"(
p.yaml:6:32: error: 'cell' must be an integer, got '8.0'
    6 |   hog: {is: feature/hog, cell: 8.0, from: images}
      |                                ^~~
      = write 8
)"},
      {"integer fraction 2", changed("cell: 8", "cell: 8.5"),
       R"(
p.yaml:6:32: error: 'cell' must be an integer, got '8.5'
    6 |   hog: {is: feature/hog, cell: 8.5, from: images}
      |                                ^~~
)"},
      {"integer exponent", changed("cell: 8", "cell: 1e3"),
       R"(
p.yaml:6:32: error: 'cell' must be an integer, got '1e3'
    6 |   hog: {is: feature/hog, cell: 1e3, from: images}
      |                                ^~~
      = write 1000
)"},
      {"integer quoted", changed("cell: 8", "cell: '8'"),
       R"(
p.yaml:6:32: error: 'cell' must be an integer, got the text '8'
    6 |   hog: {is: feature/hog, cell: '8', from: images}
      |                                ^~~
      = remove the quotes: 8
)"},
      {"integer word", changed("cell: 8", "cell: eight"),
       R"(
p.yaml:6:32: error: 'cell' must be an integer, got 'eight'
    6 |   hog: {is: feature/hog, cell: eight, from: images}
      |                                ^~~~~
)"},
      {"integer nothing", changed("cell: 8", "cell:"),
       R"(
p.yaml:6:26: error: 'cell' has no value
    6 |   hog: {is: feature/hog, cell:, from: images}
      |                          ^~~~
      = write one, or omit the key to use the default
)"},
      {"integer too large", changed("cell: 8", "cell: 99999999999999999999"),
       R"(
p.yaml:6:32: error: 'cell' must be an integer that fits in 64 bits, got '99999999999999999999'
    6 |   hog: {is: feature/hog, cell: 99999999999999999999, from: images}
      |                                ^~~~~~~~~~~~~~~~~~~~
)"},
      {"integer out of range", changed("cell: 8", "cell: 1"),
       R"(
p.yaml:6:32: error: 'cell' must be in the range [2, inf) (pixels), got 1
    6 |   hog: {is: feature/hog, cell: 1, from: images}
      |                                ^
)"},
      {"number word", changed("gamma: 0.5", "gamma: big"),
       R"(
p.yaml:9:36: error: 'gamma' must be a finite number, got 'big'
    9 |   rbf: {is: similarity/rbf, gamma: big, from: x, bases: bases}
      |                                    ^~~
)"},
      {"number infinite", changed("gamma: 0.5", "gamma: .inf"),
       R"(
p.yaml:9:36: error: 'gamma' must be a finite number, got '.inf'
    9 |   rbf: {is: similarity/rbf, gamma: .inf, from: x, bases: bases}
      |                                    ^~~~
)"},
      {"number nan", changed("gamma: 0.5", "gamma: nan"),
       R"(
p.yaml:9:36: error: 'gamma' must be a finite number, got 'nan'
    9 |   rbf: {is: similarity/rbf, gamma: nan, from: x, bases: bases}
      |                                    ^~~
)"},
      {"number comma", changed("gamma: 0.5", "gamma: '0,5'"),
       R"(
p.yaml:9:36: error: 'gamma' must be a finite number, got the text '0,5'
    9 |   rbf: {is: similarity/rbf, gamma: '0,5', from: x, bases: bases}
      |                                    ^~~~~
)"},
      {"number huge", changed("gamma: 0.5", "gamma: 1e999"),
       R"(
p.yaml:9:36: error: 'gamma' is out of range for a 64-bit number: '1e999'
    9 |   rbf: {is: similarity/rbf, gamma: 1e999, from: x, bases: bases}
      |                                    ^~~~~
)"},
      {"number list", changed("gamma: 0.5", "gamma: [0.5]"),
       R"(
p.yaml:9:36: error: 'gamma' must be a finite number, got a list
    9 |   rbf: {is: similarity/rbf, gamma: [0.5], from: x, bases: bases}
      |                                    ^
      = write it without brackets: 0.5
)"},
      {"number out of range", changed("gamma: 0.5", "gamma: 0"),
       R"(
p.yaml:9:36: error: 'gamma' must be in the range (0, inf), got 0
    9 |   rbf: {is: similarity/rbf, gamma: 0, from: x, bases: bases}
      |                                    ^
)"},
      {"text list", changed("C: 10", "loss: [hinge]"),
       R"(
p.yaml:10:38: error: 'loss' must be text, got a list
   10 |   svm: {is: solver/linear_svm, loss: [hinge], from: rbf}
      |                                      ^
)"},
      {"unknown choice", changed("C: 10", "loss: squared_hing"),
       R"(
p.yaml:10:38: error: 'loss' must be one of [hinge, squared_hinge], got 'squared_hing'
   10 |   svm: {is: solver/linear_svm, loss: squared_hing, from: rbf}
      |                                      ^~~~~~~~~~~~
      = did you mean 'squared_hinge'?
)"},
      {"unknown choice, nothing near", changed("C: 10", "loss: logistic"),
       R"(
p.yaml:10:38: error: 'loss' must be one of [hinge, squared_hinge], got 'logistic'
   10 |   svm: {is: solver/linear_svm, loss: logistic, from: rbf}
      |                                      ^~~~~~~~
)"},
      {"neither a number nor a word",
       changed("linear_svm, C: 10",
               "kernel_svm, kernel: {is: similarity/polynomial, gamma: skale}"),
       R"(
p.yaml:10:75: error: 'gamma' must be one of [scale, auto] or a number in the range (0, inf), got 'skale'
   10 |   svm: {is: solver/kernel_svm, kernel: {is: similarity/polynomial, gamma: skale}, from: rbf}
      |                                                                           ^~~~~
      = did you mean 'scale'?
)"},
      {"a number or a word, out of range",
       changed("linear_svm, C: 10", "kernel_svm, kernel: {is: similarity/polynomial, gamma: 0}"),
       R"(
p.yaml:10:75: error: 'gamma' must be in the range (0, inf), got 0
   10 |   svm: {is: solver/kernel_svm, kernel: {is: similarity/polynomial, gamma: 0}, from: rbf}
      |                                                                           ^
)"},
      {"a number or a word, in quotes",
       changed("linear_svm, C: 10", "kernel_svm, kernel: {is: similarity/polynomial, gamma: '2'}"),
       R"(
p.yaml:10:75: error: 'gamma' must be one of [scale, auto] or a number in the range (0, inf), got '2'
   10 |   svm: {is: solver/kernel_svm, kernel: {is: similarity/polynomial, gamma: '2'}, from: rbf}
      |                                                                           ^~~
      = remove the quotes: 2
)"},
      {"a number or a word, as a list",
       changed("linear_svm, C: 10",
               "kernel_svm, kernel: {is: similarity/polynomial, gamma: [1, 2]}"),
       R"(
p.yaml:10:75: error: 'gamma' must be one of [scale, auto] or a number in the range (0, inf), got a list
   10 |   svm: {is: solver/kernel_svm, kernel: {is: similarity/polynomial, gamma: [1, 2]}, from: rbf}
      |                                                                           ^
)"},
      {"list from scalar", changed("path: cifar", "path: cifar, folds: 3"),
       R"(
p.yaml:5:51: error: 'folds' must be a list of integers, got '3'
    5 |   images: {is: source/images, path: cifar, folds: 3}
      |                                                   ^
      = write [3]
)"},
      {"list wrong elements", changed("path: cifar", "path: cifar, folds: [1, two, 9]"),
       R"(
p.yaml:5:55: error: 'folds' must be an integer, got 'two'
    5 |   images: {is: source/images, path: cifar, folds: [1, two, 9]}
      |                                                       ^~~
p.yaml:5:60: error: 'folds' must be in the range [1, 5], got 9
    5 |   images: {is: source/images, path: cifar, folds: [1, two, 9]}
      |                                                            ^
)"},
      {"texts with a list", changed("path: cifar", "path: cifar, names: [cat, [dog]]"),
       R"(
p.yaml:5:57: error: 'names' must be text, got a list
    5 |   images: {is: source/images, path: cifar, names: [cat, [dog]]}
      |                                                         ^
)"},
      {"path is a list", changed("path: cifar", "path: [cifar]"),
       R"(
p.yaml:5:37: error: 'path' must be a path, got a list
    5 |   images: {is: source/images, path: [cifar]}
      |                                     ^
)"},
  };
  for (const Wrong& wrong : table) expect(wrong);
}

}  // namespace
}  // namespace semblance::testing::wrong_values_test
