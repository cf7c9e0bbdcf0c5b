// SPDX-License-Identifier: MIT
// Exported ONNX files in an independent runtime: onnxruntime from the npm package onnxruntime-node;
// see CONTRIBUTING.md for its installation.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>

#include "export_testing.hpp"
#include "semblance/random.hpp"

namespace onnx_test {

using namespace semblance::testing;

namespace {

const char* const script = R"(
const ort = require('onnxruntime-node');
const rows = JSON.parse(require('fs').readFileSync('rows.json'));
(async () => {
  const session = await ort.InferenceSession.create('m.onnx');
  const given = new ort.Tensor('float32', Float32Array.from(rows.flat()),
                               [rows.length, rows[0].length]);
  const found = await session.run({rows: given});
  console.log(JSON.stringify({label: found.label && Array.from(found.label.data, Number),
                              scores: Array.from((found.scores || found.score).data)}));
})();
)";

/// The shell assignment that makes node find the package; empty if there is none.
std::string node_with_onnxruntime() {
  const char* given = std::getenv("SEMBLANCE_NODE_MODULES");
  const std::string node = (given ? "NODE_PATH='" + std::string(given) + "' " : "") + "node ";
  const bool has = Workplace().shell(node + "-e \"require('onnxruntime-node')\"").exit == 0;
  return has ? node : "";
}

}  // namespace

TEST_CASE("onnxruntime gives the scores of the exported C function") {
  const std::string node = node_with_onnxruntime();
  if (node.empty()) {
    MESSAGE("skipped: no node with onnxruntime-node (see CONTRIBUTING.md)");
    return;
  }
  const char* machines[] = {
      "  x: {is: normalizer/zscore, from: t}\n  svm: {is: solver/linear_svm, from: x}\n",
      "  svm: {is: solver/kernel_svm, kernel: {is: similarity/polynomial, degree: 3}, from: t}\n",
      "  b: {is: basis/random, count: 20, from: t}\n"
      "  r: {is: similarity/rbf, gamma: 2, from: t, bases: b}\n"
      "  c: {is: similarity/cosine, from: t, bases: b}\n"
      "  phi: {is: normalizer/mean_norm, from: [r, c]}\n  u: {is: normalizer/unit_length, from: "
      "phi}\n"
      "  svm: {is: solver/linear_svm, from: u}\n",
      "  svm: {is: solver/libsvm, gamma: 1, from: t}\n",
      "  x: {is: normalizer/min_max, from: t}\n  b: {is: basis/random, count: 20, from: t}\n"
      "  p: {is: normalizer/impute, indicator: true, from: x}\n"
      "  l: {is: similarity/linear, from: p, bases: b}\n"
      "  n: {is: normalizer/nystrom, from: l}\n  svm: {is: solver/linear_svm, from: n}\n",
      "  z: {is: normalizer/random_fourier, frequencies: 40, gamma: 2, from: t}\n"
      "  svm: {is: solver/linear_svm, from: z}\n",
      "  b: {is: basis/all, from: t}\n  r: {is: similarity/rbf, gamma: 1, from: t, bases: b}\n"
      "  svm: {is: solver/nearest_neighbour, from: r}\n",
      "  b: {is: basis/all, from: t}\n"
      "  r: {is: similarity/euclidean, as: negative, from: t, bases: b}\n"
      "  svm: {is: solver/nearest_neighbour, k: 5, from: r}\n"};
  for (const char* machine : machines) {
    const Workplace work;
    CAPTURE(std::string(machine));
    work.file("p.yaml", machine_on("source/rings, classes: 3", machine));
    work.succeed("run p.yaml --out out --quiet");
    work.succeed("export out/model --to onnx --out m.onnx");
    work.succeed("export out/model --to c --out m.c");
    nlohmann::json rows = nlohmann::json::array();
    std::string text;
    for (int i = 0; i < 40; ++i) {
      const float a = static_cast<float>(std::sin(i * 2.1) * 3), b = static_cast<float>(i) / 8 - 2;
      rows.push_back({a, b});
      text += nlohmann::json(a).dump() + " " + nlohmann::json(b).dump() + "\n";
    }
    work.file("rows.json", rows.dump());
    work.file("run.js", script);
    const auto outcome = work.shell(node + "run.js");
    INFO(outcome.output);
    REQUIRE(outcome.exit == 0);
    const auto found = nlohmann::json::parse(outcome.output.substr(outcome.output.find('{')));
    std::istringstream lines(scores_of_c(work, "m.c", text, 2, 3));
    REQUIRE(found["scores"].size() == 120);
    for (std::size_t i = 0; i < 40; ++i) {
      int label = -1;
      lines >> label;
      CHECK(found["label"][i] == label);
      for (std::size_t c = 0; c < 3; ++c) {
        double score = 0;
        lines >> score;
        CHECK(found["scores"][i * 3 + c].get<double>() ==
              doctest::Approx(score).epsilon(1e-4).scale(10));
      }
    }
  }
}

TEST_CASE("onnxruntime decides as the detector, also where rows are as far as the threshold") {
  const std::string node = node_with_onnxruntime();
  if (node.empty()) {
    MESSAGE("skipped: no node with onnxruntime-node (see CONTRIBUTING.md)");
    return;
  }
  const Workplace work;
  semblance::Random random(4);
  nlohmann::json rows = nlohmann::json::array();
  std::string table = "a,b,c\n";
  for (int i = 0; i < 300; ++i) {
    const auto below = [&](std::uint64_t end) { return static_cast<int>(random.below(end)); };
    const int values[] = {below(8), below(8), below(3)};
    rows.push_back(values);
    for (const int k : {0, 1, 2}) table += std::to_string(values[k]) + (k < 2 ? "," : "\n");
  }
  work.file("rows.json", rows.dump());
  work.file("rows.csv", table);
  work.file("run.js", script);
  int on_the_threshold = 0;
  const std::string detectors[] = {"score: kth, k: 2", "score: kth, k: 3", "score: kth, k: 4",
                                   "score: kth, k: 5", "k: 5"};
  for (const std::string& detector : detectors) {
    CAPTURE(detector);
    work.file("p.yaml",
              "name: near\nnodes:\n"
              "  t: {is: source/csv, path: rows.csv, label: none, test_fraction: 0.4}\n"
              "  x: {is: normalizer/robust, from: t}\n"
              "  near: {is: solver/neighbour_novelty, " +
                  detector + ", from: x}\n");
    work.succeed("run p.yaml --data . --out out --quiet");
    work.succeed("export out/model --data . --to onnx --out m.onnx --force --rows rows.csv");
    work.succeed("predict out/model rows.csv --out own");
    const auto outcome = work.shell(node + "run.js");
    INFO(outcome.output);
    REQUIRE(outcome.exit == 0);
    const auto found = nlohmann::json::parse(outcome.output.substr(outcome.output.find('{')));
    std::istringstream lines(work.content("own/near.csv"));
    std::string line;
    std::getline(lines, line);
    int novel = 0;
    for (std::size_t i = 0; i < 300; ++i) {
      REQUIRE(std::getline(lines, line));
      const double own = std::stod(line.substr(line.rfind(',') + 1)), theirs = found["scores"][i];
      CHECK(theirs == doctest::Approx(own).epsilon(1e-5).scale(1));
      CHECK((theirs < 0) == (own < 0));
      novel += own < 0;
      on_the_threshold += std::abs(own) < 1e-5;
    }
    CHECK(novel > 3);
  }
  CHECK(on_the_threshold > 20);
}

}  // namespace onnx_test
