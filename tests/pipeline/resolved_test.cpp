// SPDX-License-Identifier: MIT
#include "pipeline/resolved.hpp"

#include <doctest/doctest.h>

#include "semblance/error.hpp"
#include "test_components.hpp"

namespace semblance::testing::resolved_test {
namespace {

Pipeline pipeline_of(const std::string& text) {
  PipelineCheck result = check(text);
  REQUIRE_MESSAGE(result.pipeline, render(result.diagnostics));
  return *result.pipeline;
}

void check_equal(const ComponentConfig& a, const ComponentConfig& b) {
  CHECK(a.id == b.id);
  CHECK(a.values == b.values);
  REQUIRE(a.parts.size() == b.parts.size());
  for (std::size_t i = 0; i < a.parts.size(); ++i) {
    CHECK(a.parts[i].parameter == b.parts[i].parameter);
    check_equal(a.parts[i].component, b.parts[i].component);
  }
}

void check_equal(const Pipeline& a, const Pipeline& b) {
  CHECK(a.name == b.name);
  CHECK(a.description == b.description);
  CHECK(a.seed == b.seed);
  REQUIRE(a.nodes.size() == b.nodes.size());
  for (std::size_t i = 0; i < a.nodes.size(); ++i) {
    const PipelineNode& x = a.nodes[i];
    const PipelineNode& y = b.nodes[i];
    CAPTURE(x.name);
    CHECK(x.name == y.name);
    CHECK(x.entry == y.entry);
    check_equal(x.component, y.component);
    REQUIRE(x.inputs.size() == y.inputs.size());
    for (std::size_t j = 0; j < x.inputs.size(); ++j) {
      CHECK(x.inputs[j].port == y.inputs[j].port);
      CHECK(x.inputs[j].nodes == y.inputs[j].nodes);
    }
    CHECK(x.seed == y.seed);
    CHECK(x.origin == y.origin);
    CHECK(x.layout == y.layout);
  }
}

void check_round_trip(const std::string& text) {
  const Pipeline p = pipeline_of(text);
  const std::string written = resolved_yaml(p);
  CAPTURE(written);
  const Pipeline q = pipeline_of(written);
  check_equal(p, q);
  CHECK(resolved_yaml(q) == written);
}

TEST_CASE("the resolved pipeline has every parameter") {
  CHECK(resolved_yaml(pipeline_of(changed("cell: 8, ", "signed: true, seed: 5, "))) ==
        R"(name: demo
description: "What a pipeline looks like"
seed: 3
nodes:
  images:
    is: source/images
    path: /data/cifar
    folds: [1, 2, 3, 4, 5]
    names: []
  hog:
    is: feature/hog
    cell: 8
    signed: true
    seed: 5
    from: images
  x:
    is: normalizer/zscore
    from: hog
  bases:
    is: basis/index
    per_class: 5
    from: images
  rbf:
    is: similarity/rbf
    gamma: 0.5
    from: x
    bases: bases
  svm:
    is: solver/linear_svm
    C: 10
    loss: squared_hinge
    from: rbf
  test:
    is: evaluator/classification
    from: svm
)");
}

TEST_CASE("the resolved pipeline checks and is the same") {
  check_round_trip(good_text);
  check_round_trip(changed("seed: 3", "seed: 18446744073709551615"));
  check_round_trip(changed("per_class: 5", "seed: by_name"));
  check_round_trip(changed("from: hog}", "from: [hog, images]}"));
  check_round_trip(changed(
      "  bases: {is: basis/index, per_class: 5, from: images}\n"
      "  rbf: {is: similarity/rbf, gamma: 0.5, from: x, bases: bases}\n"
      "  svm: {is: solver/linear_svm, C: 10, from: rbf}",
      "  svm: {is: solver/kernel_svm, kernel: {is: similarity/rigid, weights: [0.1, 1e-300], "
      "edges: repeat}, warm: {is: solver/kernel_svm}, from: x}"));
  for (const char* number :
       {"0.1", "1e23", "4.9e-324", "1.7976931348623157e308", "12345678901234567"})
    check_round_trip(changed("gamma: 0.5", std::string("gamma: ") + number));
  for (const char* gamma : {"scale", "0.1", "1e23", "7"})
    check_round_trip(changed(
        "linear_svm, C: 10",
        std::string("kernel_svm, kernel: {is: similarity/polynomial, gamma: ") + gamma + "}"));
}

TEST_CASE("texts that look like something else survive") {
  for (const char* name :
       {"'true'", "'7'", "'~'", "'null'", "no", "''", "' a '", "\"tab\\tnl\\n\"", "'# x'", "'a: b'",
        "'[x]'", "\"\\\"q\\\" \\\\\"", "grün", "'*x'", "'---'", "\"\\x01\\x7f\"", "'it''s'", "-1"})
    check_round_trip(changed("path: cifar", std::string("path: cifar, names: [") + name + "]"));
}

TEST_CASE("a list of texts with one entry may be written as the text") {
  const auto names = [](const std::string& written) {
    const Pipeline pipeline = pipeline_of(changed("path: cifar", "path: cifar, names: " + written));
    for (const auto& [name, value] : pipeline.nodes[0].component.values)
      if (name == "names") return std::get<std::vector<std::string>>(value);
    return std::vector<std::string>();
  };
  CHECK(names("cat") == std::vector<std::string>{"cat"});
  CHECK(names("cat") == names("[cat]"));
  CHECK(names("'a, b'") == std::vector<std::string>{"a, b"});
}

Pipeline with_options(const std::string& options) {
  return pipeline_of(changed("linear_svm, C: 10", "library, options: " + options));
}

TEST_CASE("values by name keep their types") {
  const NamedValues read = std::get<NamedValues>(
      with_options("{whole: 1, real: 1.0, exponent: 1e3, small: .5, text: gini, "
                   "digits: '1', word: 'true', no_text: '', yes: true, "
                   "nothing: null, tilde: ~, list: [1, 1.0, null, 'no', a b], "
                   "empty: [], '1': x}")
          .nodes[5]
          .component.values[0]
          .second);
  const NamedValues expected = {
      {"whole", std::int64_t{1}},
      {"real", 1.0},
      {"exponent", 1e3},
      {"small", 0.5},
      {"text", "gini"},
      {"digits", "1"},
      {"word", "true"},
      {"no_text", ""},
      {"yes", true},
      {"nothing", std::monostate{}},
      {"tilde", std::monostate{}},
      {"list", std::vector<Scalar>{std::int64_t{1}, 1.0, std::monostate{}, std::string("no"),
                                   std::string("a b")}},
      {"empty", std::vector<Scalar>{}},
      {"1", "x"}};
  CHECK((read == expected));
}

TEST_CASE("values by name are written with their types, and the same in any order") {
  for (const char* value : {"1",
                            "1.0",
                            "-0.0",
                            "1e22",
                            "1e300",
                            "-9223372036854775808",
                            "0.1",
                            "true",
                            "null",
                            "gini",
                            "'None'",
                            "'true'",
                            "'YES'",
                            "'inf'",
                            "'.inf'",
                            "'-1'",
                            "'1e3'",
                            "''",
                            "'0x10'",
                            "'~'",
                            "\"a\\n'b'\"",
                            "[]",
                            "[1, 1.0, '1', null, true]",
                            "log2",
                            "'a: 1'"})
    check_round_trip(
        changed("linear_svm, C: 10", std::string("library, options: {value: ") + value + "}"));
  check_round_trip(changed("linear_svm, C: 10", "library, options: {'null': 1, 'a b': 2}"));
  const Catalogue& catalogue = test_catalogue();
  const auto json = [&](const std::string& options) {
    return canonical_json(with_options(options).nodes[5].component, catalogue).dump();
  };
  CHECK(json("{depth: 5, rule: gini, b: null}") ==
        R"({"is":"solver/library","options":{"b":null,"depth":5,"rule":"gini"}})");
  CHECK(json("{rule: gini, b: null, depth: 5}") == json("{depth: 5, rule: gini, b: null}"));
  CHECK(json("{depth: 5.0}") != json("{depth: 5}"));
  CHECK(json("{depth: '5'}") != json("{depth: 5}"));
  CHECK(json("{depth: 'null'}") != json("{depth: null}"));
}

TEST_CASE("equal components have the same canonical JSON") {
  const Catalogue& catalogue = test_catalogue();
  const Pipeline p = pipeline_of(changed("linear_svm", "kernel_svm"));
  const auto& svm = p.nodes[5].component;
  CHECK(canonical_json(svm, catalogue).dump() ==
        R"({"C":10.0,"is":"solver/kernel_svm","kernel":{"gamma":1.0,"is":"similarity/rbf"}})");
  const Pipeline q = pipeline_of(
      changed("linear_svm, C: 10", "kernel_svm, kernel: {gamma: 1.0, is: similarity/rbf}, C: 1e1"));
  CHECK(canonical_json(q.nodes[5].component, catalogue) == canonical_json(svm, catalogue));
}

TEST_CASE("canonical JSON can leave out where files lie, and nothing else") {
  const Catalogue& catalogue = test_catalogue();
  const Pipeline p = pipeline_of(changed(
      "linear_svm, C: 10", "kernel_svm, kernel: {is: similarity/precomputed, matrix: m.npy}"));
  CHECK(canonical_json(p.nodes[0].component, catalogue).dump() ==
        R"({"folds":[1,2,3,4,5],"is":"source/images","names":[],"path":"/data/cifar"})");
  CHECK(canonical_json(p.nodes[0].component, catalogue, PathValues::leave_out).dump() ==
        R"({"folds":[1,2,3,4,5],"is":"source/images","names":[]})");
  CHECK(canonical_json(p.nodes[5].component, catalogue, PathValues::leave_out).dump() ==
        R"({"C":1.0,"is":"solver/kernel_svm","kernel":{"is":"similarity/precomputed"}})");
  CHECK_THROWS_WITH_AS(canonical_json({"feature/gone", {}, {}}, catalogue),
                       "component feature/gone is not installed", Error);
}

TEST_CASE("parameters are listed in the order of the declaration") {
  const Pipeline p = pipeline_of(changed("linear_svm", "kernel_svm"));
  CHECK(parameters_json(p.nodes[0].component).dump() ==
        R"({"path":"/data/cifar","folds":[1,2,3,4,5],"names":[]})");
  CHECK(parameters_json(p.nodes[5].component).dump() ==
        R"({"C":10.0,"kernel":{"is":"similarity/rbf","gamma":1.0}})");
}

}  // namespace
}  // namespace semblance::testing::resolved_test
