// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "test_components.hpp"

namespace semblance::testing::right_pipelines_test {
namespace {

const PipelineNode& node(const Pipeline& pipeline, const std::string& name) {
  for (const auto& n : pipeline.nodes)
    if (n.name == name) return n;
  FAIL("no node ", name);
  return pipeline.nodes.front();
}

std::string order(const Pipeline& pipeline) {
  std::string names;
  for (const auto& n : pipeline.nodes) names += n.name + " ";
  return names;
}

Pipeline right(const std::string& text) {
  PipelineCheck result = check(text);
  REQUIRE_MESSAGE(result.pipeline, render(result.diagnostics));
  CHECK(render(result.diagnostics) == "");
  return *result.pipeline;
}

TEST_CASE("a right pipeline gives a typed graph") {
  const Pipeline p = right(good_text);
  CHECK(p.name == "demo");
  CHECK(p.description == "What a pipeline looks like");
  CHECK(p.seed == 3);
  CHECK(p.file == "p.yaml");
  CHECK(order(p) == "images hog x bases rbf svm test ");

  const PipelineNode& rbf = node(p, "rbf");
  CHECK(rbf.info().id == "similarity/rbf");
  CHECK(rbf.component.id == "similarity/rbf");
  CHECK(rbf.position.line == 9);
  CHECK(rbf.position.column == 3);
  REQUIRE(rbf.inputs.size() == 2);
  CHECK(rbf.inputs[0].port == "from");
  CHECK(rbf.inputs[0].nodes == std::vector<std::size_t>{2});
  CHECK(rbf.inputs[1].port == "bases");
  CHECK(rbf.inputs[1].nodes == std::vector<std::size_t>{3});
  CHECK(std::get<double>(rbf.component.values.at(0).second) == 0.5);
  CHECK(rbf.seed == 3);
  for (const auto& n : p.nodes) CHECK(n.origin == 0);
}

TEST_CASE("layouts are followed through the graph") {
  const Pipeline p = right(good_text);
  CHECK(node(p, "images").layout == LayoutKind::image);
  CHECK(node(p, "hog").layout == LayoutKind::grid);
  CHECK(node(p, "x").layout == LayoutKind::grid);
  CHECK(node(p, "rbf").layout == LayoutKind::vector);
  CHECK_FALSE(node(p, "bases").layout);
  CHECK_FALSE(node(p, "svm").layout);
  CHECK_FALSE(node(p, "test").layout);

  const Pipeline several = right(changed("from: hog}", "from: [hog, images]}"));
  CHECK(node(several, "x").layout == LayoutKind::vector);
}

TEST_CASE("a source that may give any layout is not known to give one") {
  const Pipeline p = right(
      "name: t\nnodes:\n  t: {is: source/table, file: t.csv}\n"
      "  svm: {is: solver/linear_svm, from: t}\n");
  CHECK_FALSE(node(p, "t").layout);
}

TEST_CASE("defaults are filled in, in the order of the declaration") {
  const Pipeline p = right(changed("C: 10, ", ""));
  const ComponentConfig& hog = node(p, "hog").component;
  REQUIRE(hog.values.size() == 2);
  CHECK(hog.values[0].first == "cell");
  CHECK(hog.values[1].first == "signed");
  CHECK(std::get<bool>(hog.values[1].second) == false);
  CHECK(std::get<double>(node(p, "svm").component.values[0].second) == 1.0);
  const ComponentConfig& images = node(p, "images").component;
  CHECK(std::get<std::vector<std::int64_t>>(images.values[1].second).size() == 5);
}

TEST_CASE("paths start at the data folder") {
  const auto path = [](const std::string& written) {
    const Pipeline p = right(changed("path: cifar", "path: " + written));
    return std::get<std::string>(p.nodes[0].component.values[0].second);
  };
  CHECK(path("cifar") == "/data/cifar");
  CHECK(path("a/../b/./c/") == "/data/b/c");
  CHECK(path("/elsewhere/cifar") == "/elsewhere/cifar");
  const Pipeline p = right(
      "name: t\nnodes:\n  t: {is: source/table, file: t.csv}\n"
      "  svm: {is: solver/linear_svm, from: t}\n");
  CHECK(std::get<std::string>(p.nodes[0].component.values[1].second) == "");
}

TEST_CASE("the order is the file's where the graph leaves a choice") {
  const Pipeline p = right(R"(name: reversed
nodes:
  test: {is: evaluator/classification, from: svm}
  svm: {is: solver/linear_svm, from: [b, a]}
  b: {is: feature/pixels, from: images}
  a: {is: feature/pixels, from: images}
  images: {is: source/images, path: cifar}
)");
  CHECK(order(p) == "images b a svm test ");
  CHECK(node(p, "svm").inputs[0].nodes == std::vector<std::size_t>{1, 2});
  const Pipeline q = right(R"(name: reversed
nodes:
  images: {is: source/images, path: cifar}
  a: {is: feature/pixels, from: images}
  svm: {is: solver/linear_svm, from: [b, a]}
  b: {is: feature/pixels, from: images}
  test: {is: evaluator/classification, from: svm}
)");
  CHECK(order(q) == "images a b svm test ");
  CHECK(node(q, "svm").inputs[0].nodes == std::vector<std::size_t>{2, 1});
}

TEST_CASE("a parameter that is a number or a word") {
  const auto gamma = [](const std::string& written) {
    const Pipeline p =
        right(changed("linear_svm, C: 10",
                      "kernel_svm, kernel: {is: similarity/polynomial, gamma: " + written + "}"));
    return node(p, "svm").component.parts.at(0).component.values.at(1).second;
  };
  CHECK(gamma("auto") == Value(std::string("auto")));
  CHECK(gamma("'auto'") == Value(std::string("auto")));
  CHECK(gamma("0.5") == Value(0.5));
  CHECK(gamma(".5") == Value(0.5));
  CHECK(gamma("2") == Value(2.0));
}

TEST_CASE("components as parameters: given, default, left out") {
  const auto svm = [](const std::string& body) {
    const Pipeline p = right(changed("linear_svm, C: 10", body));
    return node(p, "svm").component;
  };
  const ComponentConfig given = svm("kernel_svm, kernel: {is: similarity/polynomial, degree: 2}");
  REQUIRE(given.parts.size() == 1);
  CHECK(given.parts[0].parameter == "kernel");
  CHECK(given.parts[0].component.id == "similarity/polynomial");
  CHECK(std::get<std::int64_t>(given.parts[0].component.values[0].second) == 2);
  CHECK(std::get<std::string>(given.parts[0].component.values[1].second) == "scale");

  CHECK(svm("kernel_svm").parts.at(0).component.id == "similarity/rbf");
  const ComponentConfig tuned = svm("kernel_svm, kernel: {gamma: 7}");
  CHECK(tuned.parts.at(0).component.id == "similarity/rbf");
  CHECK(std::get<double>(tuned.parts[0].component.values[0].second) == 7);

  CHECK(svm("kernel_svm, warm: null").parts.size() == 1);
  const ComponentConfig deep = svm("kernel_svm, warm: {is: solver/kernel_svm, kernel: {gamma: 2}}");
  REQUIRE(deep.parts.size() == 2);
  CHECK(deep.parts[1].component.parts.at(0).component.id == "similarity/rbf");
}

TEST_CASE("seeds by name differ between nodes, and follow the pipeline's seed") {
  const std::string text =
      replaced(changed("cell: 8", "cell: 8, seed: by_name"), "per_class: 5", "seed: by_name");
  const Pipeline p = right(text);
  CHECK(node(p, "bases").seed != node(p, "hog").seed);
  CHECK(node(p, "bases").seed != 3);
  CHECK(node(right(text), "bases").seed == node(p, "bases").seed);
  CheckOptions options;
  options.data = "/data";
  options.check_files = false;
  options.seed = 9;
  const auto q = check_pipeline(text, "p.yaml", test_catalogue(), options).pipeline;
  REQUIRE(q);
  CHECK(node(*q, "bases").seed != node(p, "bases").seed);
  CHECK(node(*q, "x").seed == 9);
}

TEST_CASE("seeds: the node's own, the pipeline's, --seed") {
  const std::string text = changed("per_class: 5", "seed: 18446744073709551615");
  const Pipeline p = right(text);
  CHECK(node(p, "bases").seed == 18446744073709551615ULL);
  CHECK(node(p, "hog").seed == 3);
  CHECK(right(changed("seed: 3\n", "")).seed == 1);
  CheckOptions options;
  options.data = "/data";
  options.check_files = false;
  options.seed = 9;
  const auto q = check_pipeline(text, "p.yaml", test_catalogue(), options).pipeline;
  REQUIRE(q);
  CHECK(q->seed == 9);
  CHECK(node(*q, "hog").seed == 9);
  CHECK(node(*q, "bases").seed == 18446744073709551615ULL);
}

TEST_CASE("values are read as written") {
  const auto number = [](const std::string& written) {
    const Pipeline p = right(changed("gamma: 0.5", "gamma: " + written));
    return std::get<double>(node(p, "rbf").component.values[0].second);
  };
  CHECK(number("2") == 2);
  CHECK(number("+2.50") == 2.5);
  CHECK(number(".5") == 0.5);
  CHECK(number("5.") == 5);
  CHECK(number("1e-3") == 1e-3);
  CHECK(number("2.5E+2") == 250);
  const Pipeline p =
      right(changed("path: cifar", "path: '7', folds: [2], names: [1, true, 'a b', é]"));
  const auto& values = p.nodes[0].component.values;
  CHECK(std::get<std::string>(values[0].second) == "/data/7");
  CHECK(std::get<std::vector<std::int64_t>>(values[1].second) == std::vector<std::int64_t>{2});
  CHECK(std::get<std::vector<std::string>>(values[2].second) ==
        std::vector<std::string>{"1", "true", "a b", "é"});
}

TEST_CASE("other ways to write YAML") {
  right("\xEF\xBB\xBF" + std::string(good_text));
  right("%YAML 1.2\n---\n" + std::string(good_text) + "...\n");
  std::string windows;
  for (const char c : std::string(good_text)) windows += c == '\n' ? "\r\n" : std::string(1, c);
  CHECK(right(windows).nodes[4].position.line == 9);
  const Pipeline p = right(R"({"name": demo, description: "a: b # c", nodes: {
    images: {is: "source/images", path: 'x'},
    svm: {is: solver/linear_svm, from: [images]}}})");
  CHECK(p.description == "a: b # c");
  const Pipeline q = right(
      "# comment\nname: demo\ndescription: >-\n  two\n  lines\nnodes:\n"
      "  images:   # comment\n    is: source/images\n    path: x\n"
      "    folds:\n      - 1\n      - 2\n"
      "  svm:\n    is: solver/linear_svm\n    from: images\n");
  CHECK(q.description == "two lines");
}

TEST_CASE("a solver without evaluator is allowed: its model is the result") {
  right(changed("  test: {is: evaluator/classification, from: svm}\n", ""));
}

}  // namespace
}  // namespace semblance::testing::right_pipelines_test
