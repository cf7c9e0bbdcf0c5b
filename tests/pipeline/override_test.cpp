// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>

#include "test_components.hpp"

namespace semblance::testing::override_test {
namespace {

/// good_text under overrides that may warn but not fail.
Pipeline overridden(std::vector<std::string> overrides, const std::string& warnings = "") {
  PipelineCheck result = check(good_text, std::move(overrides));
  REQUIRE_MESSAGE(result.pipeline, render(result.diagnostics));
  CHECK(render(result.diagnostics) == warnings);
  return *result.pipeline;
}

const PipelineNode& node(const Pipeline& pipeline, const std::string& name) {
  const auto found = std::find_if(pipeline.nodes.begin(), pipeline.nodes.end(),
                                  [&](const PipelineNode& n) { return n.name == name; });
  REQUIRE(found != pipeline.nodes.end());
  return *found;
}

TEST_CASE("an override changes a value that is written") {
  CHECK(std::get<double>(
            node(overridden({"nodes.svm.C=0.25"}), "svm").component.values[0].second) == 0.25);
  CHECK(overridden({"seed=7"}).seed == 7);
  CHECK(overridden({"name=other"}).name == "other");
  CHECK(overridden({"description='a: b = c'"}).description == "a: b = c");
}

TEST_CASE("an override adds what is not written") {
  const Pipeline p = overridden({"nodes.svm.loss=hinge", "nodes.images.folds=[2, 3]"});
  CHECK(std::get<std::string>(node(p, "svm").component.values[1].second) == "hinge");
  CHECK(std::get<std::vector<std::int64_t>>(node(p, "images").component.values[1].second) ==
        std::vector<std::int64_t>{2, 3});
  CHECK(node(overridden({"nodes.bases.seed=5"}), "bases").seed == 5);
}

TEST_CASE("an override changes inputs") {
  const Pipeline p = overridden({"nodes.x.from=[hog, images]"});
  CHECK(node(p, "x").inputs[0].nodes == std::vector<std::size_t>{1, 0});
  CHECK(node(p, "x").layout == LayoutKind::vector);
}

TEST_CASE("of several overrides of the same key the last one counts") {
  CHECK(overridden({"seed=7", "seed=8"}).seed == 8);
}

TEST_CASE("a node can be replaced as a whole") {
  const Pipeline p = overridden({"nodes.hog={is: feature/pixels, from: images}"});
  CHECK(node(p, "hog").component.id == "feature/pixels");
}

TEST_CASE("a swapped component keeps what it knows, and the rest is left out with a warning") {
  const std::string warning =
      R"(p.yaml:8:28: warning: 'per_class' is dropped: basis/random, which --set puts here, has no such key
    8 |   bases: {is: basis/index, per_class: 5, from: images}
      |                            ^~~~~~~~~
)";
  const Pipeline p = overridden({"nodes.bases.is=basis/random"}, warning);
  CHECK(node(p, "bases").component.id == "basis/random");
  CHECK(std::get<std::int64_t>(node(p, "bases").component.values[0].second) == 100);
  CHECK(node(p, "bases").inputs[0].nodes == std::vector<std::size_t>{0});

  const Pipeline kept = overridden({"nodes.rbf.is=similarity/polynomial"});
  CHECK(std::get<double>(node(kept, "rbf").component.values[1].second) == 0.5);
  CHECK(
      std::get<double>(
          node(overridden({"nodes.svm.is=solver/kernel_svm"}), "svm").component.values[0].second) ==
      10);
}

TEST_CASE("the order of overrides of one node does not matter") {
  const auto count = [](const std::vector<std::string>& overrides) {
    const PipelineCheck result = check(good_text, overrides);
    REQUIRE_MESSAGE(result.pipeline, render(result.diagnostics));
    return std::get<std::int64_t>(node(*result.pipeline, "bases").component.values[0].second);
  };
  CHECK(count({"nodes.bases.is=basis/random", "nodes.bases.count=7"}) == 7);
  CHECK(count({"nodes.bases.count=7", "nodes.bases.is=basis/random"}) == 7);
}

TEST_CASE("parts are swapped and tuned where they are written, and where they are not") {
  const std::string swap = "nodes.svm.is=solver/kernel_svm";
  const auto kernel = [&](std::vector<std::string> overrides) {
    overrides.insert(overrides.begin(), swap);
    return node(overridden(overrides), "svm").component.parts.at(0).component;
  };
  CHECK(kernel({"nodes.svm.kernel.is=similarity/polynomial"}).id == "similarity/polynomial");
  CHECK(std::get<double>(kernel({"nodes.svm.kernel.gamma=4"}).values[0].second) == 4);
  CHECK(std::get<std::int64_t>(kernel({"nodes.svm.kernel={is: similarity/polynomial, degree: 5}",
                                       "nodes.svm.kernel.degree=6"})
                                   .values[0]
                                   .second) == 6);

  const std::string text = changed(
      "linear_svm, C: 10", "kernel_svm, kernel: {is: similarity/polynomial, degree: 2, gamma: 3}");
  const PipelineCheck result = check(text, {"nodes.svm.kernel.is=similarity/rbf"});
  REQUIRE(result.pipeline);
  CHECK(
      render(result.diagnostics) ==
      R"(p.yaml:10:68: warning: 'degree' is dropped: similarity/rbf, which --set puts here, has no such key
   10 |   svm: {is: solver/kernel_svm, kernel: {is: similarity/polynomial, degree: 2, gamma: 3}, from: rbf}
      |                                                                    ^~~~~~
)");
  const auto& part = node(*result.pipeline, "svm").component.parts.at(0).component;
  CHECK(part.id == "similarity/rbf");
  CHECK(std::get<double>(part.values[0].second) == 3);
}

TEST_CASE("values by name are overridden one by one, or all") {
  const auto options = [](std::vector<std::string> overrides) {
    overrides.insert(overrides.begin(), "nodes.svm.is=solver/library");
    const std::string warning =
        R"(p.yaml:10:32: warning: 'C' is dropped: solver/library, which --set puts here, has no such key
   10 |   svm: {is: solver/linear_svm, C: 10, from: rbf}
      |                                ^
)";
    return to_text(
        node(overridden(std::move(overrides), warning), "svm").component.values[0].second);
  };
  CHECK(options({}) == "{depth: 3, rule: gini}");
  CHECK(options({"nodes.svm.options.depth=100"}) == "{depth: 100}");
  CHECK(options({"nodes.svm.options={depth: 100, rule: null}", "nodes.svm.options.rule=entropy"}) ==
        "{depth: 100, rule: entropy}");
  CHECK(options({"nodes.svm.options={}"}) == "{}");
  CHECK(options({"nodes.svm.options.depth=null"}) == "{depth: null}");
}

TEST_CASE("an override is one line of text") {
  const auto first_line = [](const std::string& argument) {
    const std::string text = render(check(good_text, {argument}).diagnostics);
    return text.substr(0, text.find('\n'));
  };
  CHECK(first_line("") == "--set: error: this --set has no '='");
  CHECK(first_line("seed=1\nname=x") == "--set: error: a --set must be a single line");
  CHECK(first_line("seed=\x01") == "--set: error: control character 0x01 is not text");
  CHECK(first_line("seed=\xFF") == "--set: error: not UTF-8 text: byte 0xFF is not allowed here");
}

TEST_CASE("overrides that are wrong are reported along with a file that cannot be read") {
  const std::string text = render(check("name: [", {"seed"}).diagnostics);
  CHECK(text.starts_with("p.yaml:1:7: error: this '[' is never closed with ']'\n"));
  CHECK(text.find("\n--set: error: this --set has no '='\n") != std::string::npos);
}

}  // namespace
}  // namespace semblance::testing::override_test
