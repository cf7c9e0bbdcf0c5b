// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <sstream>
#include <vector>

#include "export_testing.hpp"

namespace semblance::testing {

bool has_program(const std::string& name) {
  return Workplace().shell("command -v " + name + " >/dev/null").exit == 0;
}

std::string scores_of_c(const Workplace& work, const std::string& file, const std::string& rows,
                        int inputs, int classes) {
  const std::string name = file.substr(0, file.find('.'));
  work.file("own_main.c", "#include <stdio.h>\nint " + name +
                              "_predict(const float *, float *);\nint main(void) {\n  float r[" +
                              std::to_string(inputs) + "], s[" + std::to_string(classes) +
                              "];\n  int i, k;\n  for (;;) {\n    for (i = 0; i < " +
                              std::to_string(inputs) +
                              "; i++) if (scanf(\"%f\", &r[i]) != 1) return 0;\n    k = " + name +
                              "_predict(r, s);\n    printf(\"%d\", k);\n    for (i = 0; i < " +
                              std::to_string(classes) +
                              "; i++) printf(\" %.9g\", (double)s[i]);\n    puts(\"\");\n  }\n}\n");
  work.file("own_rows", rows);
  const auto outcome =
      work.shell("cc -std=c99 -O1 -o own " + file + " own_main.c -lm && ./own < own_rows");
  INFO(outcome.output);
  REQUIRE(outcome.exit == 0);
  return outcome.output;
}

}  // namespace semblance::testing

namespace export_test {

using namespace semblance::testing;

namespace {

/// All exportable machines, on suitable data.
struct Machine {
  const char* name;
  const char* source;
  const char* nodes;
};

const Machine machines[] = {
    {"zscore", "source/rings, classes: 3",
     "  x: {is: normalizer/zscore, from: t}\n  svm: {is: solver/linear_svm, from: x}\n"},
    {"two_classes", "source/banana",
     "  x: {is: normalizer/min_max, low: -1, from: t}\n  svm: {is: solver/linear_svm, from: x}\n"},
    {"crammer_singer", "source/banana",
     "  svm: {is: solver/linear_svm, multiclass: crammer_singer, tolerance: 0.01, from: t}\n"},
    {"liblinear", "source/rings, classes: 3",
     "  x: {is: normalizer/unit_length, center: true, from: t}\n"
     "  svm: {is: solver/liblinear, bias: 2, from: x}\n"},
    {"liblinear_two", "source/banana", "  svm: {is: solver/liblinear, bias: 0, from: t}\n"},
    {"libsvm", "source/rings, classes: 3", "  svm: {is: solver/libsvm, gamma: 1, from: t}\n"},
    {"libsvm_polynomial", "source/banana",
     "  svm: {is: solver/libsvm, kernel: polynomial, degree: 3, coef0: 1, gamma: 1, from: t}\n"},
    {"libsvm_sigmoid", "source/rings, classes: 3",
     "  svm: {is: solver/libsvm, kernel: sigmoid, gamma: 0.1, from: t}\n"},
    {"kernel", "source/rings, classes: 4",
     "  svm: {is: solver/kernel_svm, C: 10, kernel: {is: similarity/rbf, gamma: 2}, from: t}\n"},
    {"kernel_rest", "source/rings, classes: 4",
     "  svm: {is: solver/kernel_svm, multiclass: one_versus_rest, from: t}\n"},
    {"kernel_sum", "source/banana",
     "  svm: {is: solver/kernel_svm, from: t, kernel: {is: similarity/sum, weight: 0.3, columns: 1,"
     " first: {is: similarity/rbf, gamma: 3}, second: {is: similarity/polynomial, degree: 3}}}\n"},
    {"kernel_flipped", "source/banana",
     "  svm: {is: solver/kernel_svm, repair: flip, from: t, kernel: {is: similarity/polynomial, "
     "offset: -0.5}}\n"},
    {"map", "source/rings, classes: 3",
     "  x: {is: normalizer/mean_norm, from: t}\n  b: {is: basis/random, count: 21, from: t}\n"
     "  r: {is: similarity/rbf, gamma: 2, from: x, bases: b}\n"
     "  c: {is: similarity/cosine, from: x, bases: b}\n"
     "  l: {is: similarity/linear, from: x, bases: b}\n"
     "  a: {is: similarity/laplacian, from: x, bases: b}\n"
     "  phi: {is: normalizer/mean_norm, from: [r, c, l, a]}\n"
     "  svm: {is: solver/linear_svm, from: [phi, x]}\n"},
    {"histograms", "source/glyphs, train_per_class: 10, test_per_class: 10",
     "  p: {is: feature/pixels, from: t}\n  x: {is: normalizer/unit_length, from: p}\n"
     "  b: {is: basis/random_per_class, per_class: 2, from: t}\n"
     "  chi: {is: similarity/chi_square, gamma: 0.5, from: x, bases: b}\n"
     "  add: {is: similarity/chi_square, form: additive, from: x, bases: b}\n"
     "  s: {is: similarity/intersection, from: x, bases: b}\n"
     "  j: {is: similarity/tanimoto, from: x, bases: b}\n"
     "  svm: {is: solver/linear_svm, from: [chi, add, s, j]}\n"},
    {"nystrom", "source/xor",
     "  b: {is: basis/random, count: 30, from: t}\n"
     "  r: {is: similarity/rbf, gamma: 10, from: t, bases: b}\n"
     "  phi: {is: normalizer/nystrom, from: r}\n  svm: {is: solver/linear_svm, from: phi}\n"},
    {"projections", "source/glyphs, train_per_class: 10, test_per_class: 10",
     "  p: {is: feature/pixels, from: t}\n"
     "  z: {is: normalizer/pca, components: 20, whiten: 0.5, from: p}\n"
     "  d: {is: normalizer/lda, components: 8, from: z}\n"
     "  svm: {is: solver/linear_svm, from: d}\n"},
    {"random_fourier", "source/rings, classes: 3",
     "  x: {is: normalizer/zscore, from: t}\n"
     "  z: {is: normalizer/random_fourier, frequencies: 60, gamma: 3, from: x}\n"
     "  y: {is: normalizer/random_fourier, frequencies: 9, seed: by_name, from: x}\n"
     "  svm: {is: solver/linear_svm, from: [z, y]}\n"},
    {"nearest", "source/rings, classes: 3",
     "  b: {is: basis/all, from: t}\n  r: {is: similarity/rbf, gamma: 1, from: t, bases: b}\n"
     "  svm: {is: solver/nearest_neighbour, from: r}\n"},
    {"platt", "source/rings, classes: 3, noise: 0.4",
     "  svm: {is: solver/libsvm, gamma: 1, from: t}\n"
     "  prob: {is: calibrator/probabilities, from: svm}\n"},
    {"platt_two", "source/banana",
     "  svm: {is: solver/libsvm, gamma: 1, from: t}\n"
     "  prob: {is: calibrator/probabilities, from: svm}\n"},
    {"isotonic", "source/rings, classes: 3, noise: 0.4",
     "  svm: {is: solver/kernel_svm, multiclass: one_versus_rest, from: t}\n"
     "  prob: {is: calibrator/probabilities, method: isotonic, from: svm}\n"},
    {"isotonic_two", "source/banana",
     "  svm: {is: solver/libsvm, gamma: 1, from: t}\n"
     "  prob: {is: calibrator/probabilities, method: isotonic, from: svm}\n"},
    {"temperature", "source/rings, classes: 3, noise: 0.4",
     "  svm: {is: solver/kernel_svm, multiclass: one_versus_rest, from: t}\n"
     "  prob: {is: calibrator/probabilities, method: temperature, from: svm}\n"},
    {"threshold", "source/rings, classes: 3, noise: 0.4",
     "  svm: {is: solver/kernel_svm, multiclass: one_versus_rest, from: t}\n"
     "  prob: {is: calibrator/threshold, costs: {\"1\": 5}, from: svm}\n"},
    {"sets", "source/rings, classes: 3, noise: 0.4",
     "  svm: {is: solver/kernel_svm, multiclass: one_versus_rest, from: t}\n"
     "  sets: {is: calibrator/conformal, method: threshold, by_class: true, from: svm}\n"},
    {"adaptive_sets", "source/rings, classes: 4, noise: 0.4",
     "  svm: {is: solver/kernel_svm, multiclass: one_versus_rest, from: t}\n"
     "  sets: {is: calibrator/conformal, randomized: false, penalty: 0.01, from: svm}\n"},
    {"reject", "source/rings, classes: 3, noise: 0.4",
     "  svm: {is: solver/kernel_svm, multiclass: one_versus_rest, from: t}\n"
     "  sets: {is: calibrator/reject, share: 0.2, from: svm}\n"},
    {"pictures", "source/glyphs, train_per_class: 10, test_per_class: 10",
     "  c: {is: feature/crop, height: 20, width: 18, from: t}\n  l: {is: feature/log, from: c}\n"
     "  p: {is: feature/pixels, scale: 1, from: l}\n  svm: {is: solver/linear_svm, from: p}\n"},
};

/// The values of a float32 .npy file.
std::vector<float> npy(const Workplace& work, const std::string& file) {
  const std::string bytes = work.content(file);
  const std::size_t begin = bytes.find('\n') + 1;
  std::vector<float> values((bytes.size() - begin) / sizeof(float));
  std::memcpy(values.data(), bytes.data() + begin, values.size() * sizeof(float));
  return values;
}

}  // namespace

TEST_CASE("what can be written down becomes C and ONNX that predict the same") {
  std::size_t number = 0;
  for (const Machine& machine : machines) {
    if (!of_the_day(number++, 7)) continue;
    const Workplace work;
    CAPTURE(std::string(machine.name));
    work.file("p.yaml", machine_on(machine.source, machine.nodes));
    work.succeed("run p.yaml --out out --quiet");
    const auto c = work.succeed("export out/model --to c --out m.c --json");
    const auto told = nlohmann::json::parse(c.output);
    CHECK(told["proved"] == true);
    CHECK(told["rows"].get<int>() >= 100);
    // Where the function of the scores is steep, it amplifies their differences.
    const double allowed = std::string(machine.name).starts_with("isotonic") ? 1e-4 : 1e-5;
    CHECK(told["largest_difference"].get<double>() <=
          allowed * told["largest_score"].get<double>());
    CHECK(told["ties"] == 0);
    const auto onnx = work.succeed("export out/model --to onnx --out m.onnx --json");
    const auto graph = nlohmann::json::parse(onnx.output);
    CHECK(graph["rows"] == told["rows"]);
    CHECK(graph["ties"] == 0);
    const std::string strict = " -std=c99 -Wall -Wextra -Wpedantic -Wconversion -Werror m.c";
    // Only gcc's warnings depend on what its optimization sees.
    for (const std::string compiler : {"gcc -O2 -c -o m.o", "clang -fsyntax-only"}) {
      if (!has_program(compiler.substr(0, compiler.find(' ')))) continue;
      const auto compiled = work.shell(compiler + strict);
      CHECK_MESSAGE(compiled.exit == 0, compiled.output);
    }
  }
}

TEST_CASE(
    "an exported function gives what the model predicts for rows that it was not proved with") {
  const Workplace work;
  work.file("p.yaml", machine_on("source/rings, classes: 3", machines[12].nodes));
  work.succeed("run p.yaml --out out --quiet");
  work.succeed("export out/model --to c --out m.c");
  std::string table = "a,b,label\n", rows;
  for (int i = 0; i < 60; ++i) {
    const double a = std::sin(i * 1.7) * 3, b = std::cos(i * 0.9) * 3;
    table += std::to_string(a) + "," + std::to_string(b) + "," + std::to_string(i % 3) + "\n";
    rows += std::to_string(a) + " " + std::to_string(b) + "\n";
  }
  work.file("new.csv", table);
  work.succeed(
      "predict out/model --data . --out p --set nodes.t.is=source/csv --set "
      "nodes.t.path=new.csv --set nodes.t.label=label");
  const std::vector<float> expected = npy(work, "p/svm.npy");
  REQUIRE(expected.size() == 180);
  float scale = 0;
  for (const float x : expected) scale = std::max(scale, std::abs(x));
  std::istringstream lines(scores_of_c(work, "m.c", rows, 2, 3));
  for (std::size_t i = 0; i < 60; ++i) {
    int found = -1;
    std::vector<float> scores(3);
    lines >> found >> scores[0] >> scores[1] >> scores[2];
    std::size_t best = 0;
    for (std::size_t c = 0; c < 3; ++c) {
      CHECK(std::abs(scores[c] - expected[i * 3 + c]) <= 1e-5F * scale);
      if (expected[i * 3 + c] > expected[i * 3 + best]) best = c;
    }
    CHECK(found == static_cast<int>(best));
  }
}

TEST_CASE("an exported function refuses what the model refuses") {
  const Workplace work;
  work.file("p.yaml", machine_on("source/rings, classes: 3", machines[0].nodes));
  work.succeed("run p.yaml --out out --quiet");
  work.succeed("export out/model --to c --out m.c");
  const std::string said = scores_of_c(work, "m.c", "nan 1\n1 inf\n1e38 1e38\n0.5 0.5\n", 2, 3);
  std::istringstream lines(said);
  std::vector<int> classes;
  for (std::string line; std::getline(lines, line);) classes.push_back(std::stoi(line));
  REQUIRE(classes.size() == 4);
  CHECK(classes[0] == -1);
  CHECK(classes[1] == -1);
  CHECK(classes[3] >= 0);
}

TEST_CASE("what a feature refuses is no number to any solver, not a vote") {
  for (const char* solver : {"libsvm", "linear_svm", "kernel_svm"}) {
    const Workplace work;
    CAPTURE(std::string(solver));
    std::string table = "a,b,class\n";
    for (int i = 0; i < 90; ++i)
      table +=
          std::to_string(i % 17) + "," + std::to_string(i % 5) + "," + std::to_string(i % 3) + "\n";
    work.file("t.csv", table);
    work.file("p.yaml", machine_on("source/csv, path: t.csv, label: class, test_fraction: 0.5",
                                   "  l: {is: feature/log, from: t}\n  svm: {is: solver/" +
                                       std::string(solver) + ", from: l}\n"));
    work.succeed("run p.yaml --data . --out out --quiet");
    work.succeed("export out/model --data . --to c --out m.c");
    std::istringstream lines(scores_of_c(work, "m.c", "1 -2\n1 2\n", 2, 3));
    std::vector<int> classes;
    for (std::string line; std::getline(lines, line);) classes.push_back(std::stoi(line));
    REQUIRE(classes.size() == 2);
    CHECK(classes[0] == -1);
    CHECK(classes[1] >= 0);
  }
}

TEST_CASE("missing values are filled in by an exported function, too") {
  const Workplace work;
  std::string table = "a,b,class\n";
  for (int i = 0; i < 200; ++i)
    table += (i % 7 == 0 ? "" : std::to_string(i % 17)) + "," + std::to_string(i % 5) + "," +
             (i % 17 < 8 ? "low\n" : "high\n");
  work.file("t.csv", table);
  work.file("p.yaml",
            machine_on("source/csv, path: t.csv, label: class, missing: keep, test_fraction: 0.4",
                       "  f: {is: normalizer/impute, indicator: true, from: t}\n"
                       "  x: {is: normalizer/zscore, from: f}\n"
                       "  svm: {is: solver/linear_svm, from: x}\n"));
  work.succeed("run p.yaml --data . --out out --quiet");
  for (const char* format : {"c --out m.c", "onnx --out m.onnx"})
    work.succeed("export out/model --data . --to " + std::string(format));
  const std::string text = work.content("m.c");
  CHECK(contains(text, "0 a\n"));  // the columns by name
  CHECK(contains(text, "\"high\""));
  std::istringstream lines(scores_of_c(work, "m.c", "nan 1\n", 2, 2));
  int found = -1;
  lines >> found;
  CHECK(found >= 0);
}

}  // namespace export_test
