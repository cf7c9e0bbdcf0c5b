// SPDX-License-Identifier: MIT
#include "pipeline/graph_drawing.hpp"

#include <doctest/doctest.h>

#include "test_components.hpp"

namespace semblance::testing::graph_drawing_test {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

TEST_CASE("DOT: a box a node, an edge an input") {
  CHECK(dot_text(*check(good_text).pipeline) == R"(digraph "demo" {
  rankdir=LR;
  node [shape=box, style="rounded,filled", fontname="Helvetica", fontsize=11];
  edge [fontname="Helvetica", fontsize=9];
  "images" [label="images\nsource/images", fillcolor="#d9e8f6"];
  "hog" [label="hog\nfeature/hog", fillcolor="#dcefdc"];
  "x" [label="x\nnormalizer/zscore", fillcolor="#eeeeee"];
  "bases" [label="bases\nbasis/index", fillcolor="#fbe6cf"];
  "rbf" [label="rbf\nsimilarity/rbf", fillcolor="#e6def2"];
  "svm" [label="svm\nsolver/linear_svm", fillcolor="#f7d9d9"];
  "test" [label="test\nevaluator/classification", fillcolor="#fff4c2"];
  "images" -> "hog";
  "hog" -> "x";
  "images" -> "bases";
  "x" -> "rbf";
  "bases" -> "rbf" [label="bases"];
  "rbf" -> "svm";
  "svm" -> "test";
}
)");
}

TEST_CASE("DOT: variants are one graph, dashed where only some have it") {
  const Pipeline first = *check(good_text).pipeline;
  const Pipeline second = *check(changed("rbf: {is: similarity/rbf, gamma: 0.5, from: x,",
                                         "z: {is: normalizer/zscore, from: x}\n"
                                         "  rbf: {is: similarity/polynomial, from: z,"))
                               .pipeline;
  const Pipeline* const variants[] = {&first, &first, &second};
  const std::string dot = merged_dot_text(variants);
  CHECK(count(dot, "[label=\"rbf\\nsimilarity/rbf\\nsimilarity/polynomial\", ") == 1);
  CHECK(count(dot, "\"svm\" [label=\"svm\\nsolver/linear_svm\", fillcolor=\"#f7d9d9\"];") == 1);
  CHECK(count(dot,
              "\"z\" [label=\"z\\nnormalizer/zscore\", fillcolor=\"#eeeeee\", "
              "style=\"rounded,filled,dashed\"];") == 1);
  CHECK(count(dot, "  \"x\" -> \"rbf\" [style=dashed];\n") == 1);
  CHECK(count(dot, "  \"z\" -> \"rbf\" [style=dashed];\n") == 1);
  CHECK(count(dot, "  \"bases\" -> \"rbf\" [label=\"bases\"];\n") == 1);
  CHECK(count(dot, "dashed") == 4);
}

TEST_CASE("SVG: all nodes, edges and labels are drawn") {
  const std::string svg = svg_text(*check(good_text).pipeline);
  CHECK(svg.starts_with("<?xml"));
  CHECK(svg.find("</svg>") != std::string::npos);
  CHECK(count(svg, "class=\"node\"") == 7);
  CHECK(count(svg, "class=\"edge\"") == 7);
  CHECK(count(svg, ">feature/hog</text>") == 1);
  CHECK(count(svg, ">bases</text>") == 2);
  CHECK(svg_text(*check(good_text).pipeline) == svg);
}

}  // namespace
}  // namespace semblance::testing::graph_drawing_test
