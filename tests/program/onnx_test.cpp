// SPDX-License-Identifier: MIT
// Exported ONNX files in an independent runtime: onnxruntime from the npm package onnxruntime-node;
// see CONTRIBUTING.md for its installation.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>

#include "export_testing.hpp"

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
  console.log(JSON.stringify({label: Array.from(found.label.data, Number),
                              scores: Array.from(found.scores.data)}));
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
      "  svm: {is: solver/nearest_neighbour, from: r}\n"};
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

}  // namespace onnx_test
