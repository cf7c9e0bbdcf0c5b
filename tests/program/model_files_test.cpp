// SPDX-License-Identifier: MIT
// Files of LIBSVM and LIBLINEAR, written and read, against the libraries' own programs.
#include <doctest/doctest.h>

#include <cmath>
#include <sstream>
#include <vector>

#include "export_testing.hpp"

namespace model_files_test {

using namespace semblance::testing;

namespace {

/// Rows of four values in three overlapping classes, with the given labels.
std::string rows_text(int first, int last, const std::vector<std::string>& labels) {
  std::ostringstream text;
  for (int i = first; i < last; ++i) {
    const auto c = static_cast<std::size_t>(i) % labels.size();
    text << labels[c];
    for (int k = 1; k <= 4; ++k) {
      const double value =
          std::sin(i * 12.9898 + k * 78.233) + 0.8 * std::cos(static_cast<double>(c) * 2 + k);
      if ((i + k) % 5 != 0) text << " " << k << ":" << value;
    }
    text << "\n";
  }
  return text.str();
}

void make_rows(const Workplace& work, const std::vector<std::string>& labels) {
  work.file("train.svm", rows_text(0, 240, labels));
  work.file("test.svm", rows_text(240, 400, labels));
}

std::string pipeline(const std::string& nodes) {
  return machine_on("source/libsvm, path: train.svm, test_path: test.svm", nodes);
}

/// The classes that predictions/svm.csv, or another such file, has.
std::vector<std::string> predicted(const Workplace& work, const std::string& file) {
  std::istringstream in(work.content(file));
  std::vector<std::string> classes;
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    const std::size_t first = line.find(','), second = line.find(',', first + 1);
    classes.push_back(line.substr(second + 1, line.find(',', second + 1) - second - 1));
  }
  return classes;
}

/// The classes predicted by svm-predict or liblinear-predict.
std::vector<std::string> said_by(const Workplace& work, const std::string& program,
                                 const std::string& model) {
  const auto outcome = work.shell(program + " test.svm " + model + " own.out");
  INFO(outcome.output);
  REQUIRE(outcome.exit == 0);
  std::istringstream in(work.content("own.out"));
  std::vector<std::string> classes;
  for (std::string line; std::getline(in, line);)
    classes.push_back(std::to_string(std::lround(std::stod(line))));
  return classes;
}

bool has_libraries_programs() {
  const bool has = has_program("svm-train") && has_program("liblinear-train");
  if (!has) MESSAGE("skipped: no svm-train or liblinear-train (libsvm-tools, liblinear-tools)");
  return has;
}

}  // namespace

TEST_CASE("what is written for LIBSVM is what svm-predict predicts with") {
  if (!has_libraries_programs()) return;
  const char* kernels[] = {"similarity/rbf, gamma: 0.7", "similarity/linear",
                           "similarity/polynomial, degree: 3, offset: 1, scale: 0.5"};
  const char* before[] = {"  x: {is: normalizer/none, from: t}\n",
                          "  x: {is: normalizer/mean_norm, from: t}\n",
                          "  x: {is: normalizer/zscore, from: t}\n"};
  for (const auto& labels : {std::vector<std::string>{"3", "1", "7"}, {"-1", "+1"}}) {
    const Workplace work;
    make_rows(work, labels);
    for (std::size_t k = 0; k < 3; ++k)
      for (std::size_t b = 0; b < 3; ++b) {
        CAPTURE(kernels[k]);
        CAPTURE(before[b]);
        work.file("p.yaml", pipeline(std::string(before[b]) +
                                     "  svm: {is: solver/kernel_svm, kernel: {is: " + kernels[k] +
                                     "}, from: x}\n"));
        work.succeed("run p.yaml --data . --out out --quiet");
        const auto outcome = work("export out/model --data . --to libsvm --out m.svm --force");
        INFO(outcome.output);
        const bool folds = b == 0 || k == 1 || (k == 0 && b == 1);
        CHECK((outcome.exit == 0) == folds);
        if (!folds) {
          CHECK(contains(outcome, b == 2 ? "columns are scaled by different factors"
                                         : "columns are shifted before it"));
          continue;
        }
        const auto theirs = said_by(work, "svm-predict", "m.svm");
        const auto ours = predicted(work, "out/predictions/svm.csv");
        REQUIRE(theirs.size() == 160);
        std::size_t differ = 0;
        for (std::size_t i = 0; i < 160; ++i) differ += ours[i] != theirs[i];
        // Equal votes are reported.
        if (contains(outcome, "tie for the most votes"))
          CHECK(differ <= 10);
        else
          CHECK(differ == 0);
      }
  }
}

TEST_CASE("what is written for LIBLINEAR is what liblinear-predict predicts with") {
  if (!has_libraries_programs()) return;
  const char* machines[] = {
      "  x: {is: normalizer/zscore, from: t}\n  svm: {is: solver/linear_svm, from: x}\n",
      "  x: {is: normalizer/min_max, from: t}\n  y: {is: normalizer/zscore, from: t}\n"
      "  svm: {is: solver/linear_svm, bias: 0, from: [x, y]}\n",
      "  svm: {is: solver/linear_svm, multiclass: crammer_singer, tolerance: 0.01, from: t}\n",
      "  svm: {is: solver/liblinear, bias: 3, from: t}\n",
      "  svm: {is: solver/liblinear, solver: mcsvm_cs, bias: 0, from: t}\n"};
  for (const auto& labels : {std::vector<std::string>{"3", "1", "7"}, {"-1", "+1"}}) {
    const Workplace work;
    make_rows(work, labels);
    for (const char* machine : machines) {
      CAPTURE(std::string(machine));
      work.file("p.yaml", pipeline(machine));
      work.succeed("run p.yaml --data . --out out --quiet");
      work.succeed("export out/model --data . --to liblinear --out m.lin --force");
      CHECK(said_by(work, "liblinear-predict", "m.lin") ==
            predicted(work, "out/predictions/svm.csv"));
    }
  }
}

TEST_CASE("models of the libraries' programs predict the same here, and come back as they were") {
  if (!has_libraries_programs()) return;
  struct Case {
    const char* train;
    const char* predict;
    const char* format;
  };
  const Case cases[] = {{"svm-train -q -t 0", "svm-predict", "libsvm"},
                        {"svm-train -q -g 0.5 -c 4", "svm-predict", "libsvm"},
                        {"svm-train -q -t 1 -r 1 -b 1", "svm-predict", "libsvm"},
                        {"svm-train -q -s 1 -n 0.2", "svm-predict", "libsvm"},
                        {"liblinear-train -q -s 2 -B 1", "liblinear-predict", "liblinear"},
                        {"liblinear-train -q -s 4", "liblinear-predict", "liblinear"},
                        {"liblinear-train -q -s 6 -B 2", "liblinear-predict", "liblinear"}};
  std::size_t n = 0;
  for (const auto& labels : {std::vector<std::string>{"3", "1", "7"}, {"+1", "-1"}})
    for (const Case& c : cases) {
      if (!of_the_day(n++, 2)) continue;
      const Workplace work;
      CAPTURE(std::string(c.train));
      make_rows(work, labels);
      const auto trained = work.shell(std::string(c.train) + " train.svm m.model");
      REQUIRE_MESSAGE(trained.exit == 0, trained.output);
      const auto told = work.succeed("import m.model --out model");
      CHECK(contains(told, "were ignored") == contains(c.train, "-b 1"));
      work.succeed("predict model test.svm --out p --quiet");
      CHECK(predicted(work, "p/svm.csv") == said_by(work, c.predict, "m.model"));
      const std::string to = std::string(" --to ") + c.format + " --rows test.svm --out ";
      work.succeed("export model" + to + "one");
      work.succeed("import one --out again");
      work.succeed("export again" + to + "two");
      CHECK(work.content("one") == work.content("two"));
      work.succeed("export again --to c --rows test.svm --out m.c");
    }
}

}  // namespace model_files_test
