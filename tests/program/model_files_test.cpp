// SPDX-License-Identifier: MIT
// Files of LIBSVM and LIBLINEAR, written and read, against the libraries' own programs.
#include <doctest/doctest.h>

#include <cmath>
#include <sstream>
#include <vector>

#include "export_testing.hpp"

namespace model_files_test {

using namespace semblance::testing;
namespace fs = std::filesystem;

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
  for (const auto& labels : {std::vector<std::string>{"3", "1", "7"}, {"+1", "-1"}})
    for (const Case& c : cases) {
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

TEST_CASE("labels that are no integers are numbered, and the user is told") {
  const Workplace work;
  make_rows(work, {"low", "high"});
  work.file("p.yaml", pipeline("  svm: {is: solver/linear_svm, from: t}\n"));
  work.succeed("run p.yaml --data . --out out --quiet");
  CHECK(contains(work.succeed("export out/model --data . --to liblinear --out m.lin"),
                 "indices from 1; its labels are 0 for 'high', 1 for 'low'"));
}

TEST_CASE("machines that are none of the libraries' are refused, with the reason") {
  const Workplace work;
  make_rows(work, {"1", "2", "3"});
  struct Case {
    const char* nodes;
    const char* format;
    const char* message;
  };
  const Case cases[] = {
      {"  svm: {is: solver/linear_svm, from: t}\n", "libsvm",
       "node 'svm' (solver/linear_svm) is not a support vector machine"},
      {"  svm: {is: solver/kernel_svm, multiclass: one_versus_rest, from: t}\n", "libsvm",
       "LIBSVM's machines are one against one"},
      {"  svm: {is: solver/kernel_svm, kernel: {is: similarity/cosine}, from: t}\n", "libsvm",
       "its kernel is not one of LIBSVM's"},
      {"  x: {is: normalizer/unit_length, from: t}\n  svm: {is: solver/libsvm, from: x}\n",
       "libsvm", "node 'x' (normalizer/unit_length) is not linear in the values of a row"},
      {"  svm: {is: solver/kernel_svm, from: t}\n", "liblinear",
       "node 'svm' (solver/kernel_svm) is not linear in the values of a row"},
      {"  x: {is: normalizer/unit_length, from: t}\n  svm: {is: solver/linear_svm, from: x}\n",
       "liblinear", "node 'x' (normalizer/unit_length) is not linear"},
  };
  for (const Case& c : cases) {
    CAPTURE(std::string(c.nodes));
    work.file("p.yaml", pipeline(c.nodes));
    work.succeed("run p.yaml --data . --out out --quiet");
    work.expect("export out/model --data . --out m --to " + std::string(c.format), 1, c.message);
    CHECK_FALSE(fs::exists(work.path / "m"));
  }
}

namespace {

const std::string good_libsvm =
    "svm_type c_svc\nkernel_type rbf\ngamma 0.5\nnr_class 2\ntotal_sv 2\nrho 0.25\nlabel 1 -1\n"
    "nr_sv 1 1\nSV\n1 1:0.5 3:1\n-1 2:1\n";
const std::string good_liblinear =
    "solver_type L2R_L2LOSS_SVC\nnr_class 2\nlabel 1 -1\nnr_feature 2\nbias 1\nw\n0.5\n-1\n2\n";

std::string changed(const std::string& text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE_MESSAGE(at != std::string::npos, from);
  return text.substr(0, at) + to + text.substr(at + from.size());
}

}  // namespace

TEST_CASE("damaged files are refused with the line") {
  const Workplace work;
  struct Case {
    const std::string& text;
    const char* from;
    const char* to;
    const char* message;
  };
  const Case cases[] = {
      {good_libsvm, "svm_type c_svc", "svm", "m:1: this is no model of LIBSVM"},
      {good_libsvm, "c_svc", "epsilon_svr", "m:1: a model of type epsilon_svr is no classifier"},
      {good_libsvm, "c_svc", "one_class", "m:1: a model of type one_class is no classifier"},
      {good_libsvm, "c_svc", "d_svc", "m:1: unknown svm_type 'd_svc'"},
      {good_libsvm, "c_svc", "c_svc 1", "m:1: there is '1' in excess"},
      {good_libsvm, "rbf", "sigmoid", "m:2: a model with the kernel sigmoid is not imported"},
      {good_libsvm, "rbf", "precomputed", "m:2: a model with the kernel precomputed"},
      {good_libsvm, "rbf", "rbff", "m:2: unknown kernel_type 'rbff'"},
      {good_libsvm, "gamma 0.5\n", "", "m:8: the line 'gamma' is missing above"},
      {good_libsvm, "gamma 0.5", "gamma 0.5\ngamma 1", "m:4: a second line 'gamma'"},
      {good_libsvm, "gamma 0.5", "gamma nan", "m:3: gamma is 'nan', which is not finite"},
      {good_libsvm, "gamma 0.5", "gamma -0.5", "m:9: gamma is negative"},
      {good_libsvm, "gamma 0.5", "gamma", "m:3: gamma is missing at the end of the line"},
      {good_libsvm, "gamma 0.5", "gama 0.5", "m:3: unknown line 'gama'"},
      {good_libsvm, "nr_class 2", "nr_class 1", "m:4: nr_class is 1, but must be from 2"},
      {good_libsvm, "nr_class 2", "nr_class 3", "m:6: 1 values of rho for 3 pairs of classes"},
      {good_libsvm, "nr_class 2", "nr_class 9999999999", "m:4: nr_class is '9999999999', not an"},
      {good_libsvm, "nr_class 2\n", "", "m:5: 'nr_class' must come before this line"},
      {good_libsvm, "total_sv 2", "total_sv 3", "m:9: nr_sv adds up to 2 vectors, total_sv says 3"},
      {good_libsvm, "total_sv 2", "total_sv -2", "m:5: total_sv is -2"},
      {good_libsvm, "rho 0.25", "rho inf", "m:6: rho is 'inf', which is not finite"},
      {good_libsvm, "rho 0.25", "rho 0x1p3", "m:6: rho is '0x1p3', not a number"},
      {good_libsvm, "label 1 -1", "label 1 1", "m:7: two classes have the same label"},
      {good_libsvm, "label 1 -1", "label 1", "m:7: a label is missing"},
      {good_libsvm, "label 1 -1", "label 1 1.5", "m:7: a label is '1.5', not an integer"},
      {good_libsvm, "-1 2:1\n", "", "m:11: the file ends where support vector 1 of 2 should be"},
      {good_libsvm, "-1 2:1\n", "-1 2:1\n-1 2:2\n", "m:12: there are more support vectors"},
      {good_libsvm, "1:0.5 3:1", "3:0.5 1:1", "m:10: the index 1 is out of order"},
      {good_libsvm, "1:0.5 3:1", "0:0.5 3:1", "m:10: the index 0 is below 1"},
      {good_libsvm, "1:0.5 3:1", "1:0.5 3", "m:10: '3' of vector 0 is no INDEX:VALUE"},
      {good_libsvm, "1:0.5", "1:", "m:10: the value '' is not a number"},
      {good_libsvm, "1:0.5", "1:inf", "m:10: the value 'inf' is not finite"},
      {good_libsvm, "1:0.5", "1:1e39", "too large for float32"},
      {good_libsvm, "1 1:0.5", "x 1:0.5", "m:10: a coefficient is 'x', not a number"},
      {good_libsvm, "nr_sv 1 1\nSV\n1 1:0.5 3:1\n-1 2:1\n", "nr_sv 1 1\n",
       "m:9: the file ends where 'SV' should be"},
      {good_liblinear, "L2R_L2LOSS_SVC", "L2R_L2LOSS_SVR", "m:1: the solver L2R_L2LOSS_SVR is no"},
      {good_liblinear, "L2R_L2LOSS_SVC", "ONECLASS_SVM", "m:1: the solver ONECLASS_SVM is no"},
      {good_liblinear, "nr_class 2", "nr_class 0", "m:2: nr_class is 0"},
      {good_liblinear, "nr_class 2", "label 2", "m:2: 'label' stands where 'nr_class' should"},
      {good_liblinear, "nr_feature 2", "nr_feature 0", "m:4: nr_feature is 0"},
      {good_liblinear, "nr_feature 2", "nr_feature 3", "m:10: the file ends where the weights of"},
      {good_liblinear, "nr_feature 2", "nr_feature 1", "m:9: there are more lines of weights"},
      {good_liblinear, "bias 1", "bias 0", "m:5: a bias of 0 means no bias"},
      {good_liblinear, "bias 1", "bias -1", "m:9: there are more lines of weights"},
      {good_liblinear, "0.5\n", "0.5 1\n", "m:7: there is '1' in excess"},
      {good_liblinear, "0.5\n", "nan\n", "m:7: a weight is 'nan', which is not finite"},
      {good_liblinear, "0.5\n", "\n", "m:7: a weight is missing"},
      {good_liblinear, "-1\n2\n", "-1\n", "m:9: the file ends where the weights of value 3 of 3"},
  };
  for (const Case& c : cases) {
    CAPTURE(std::string(c.from) + " -> " + c.to);
    work.file("m", changed(c.text, c.from, c.to));
    work.expect("import m --out model", 1, c.message);
    CHECK_FALSE(fs::exists(work.path / "model"));
  }
  work.file("m", "");
  work.expect("import m --out model", 1, "this is no model of LIBSVM");
}

TEST_CASE("wrong imports are refused, each with its reason") {
  const Workplace work;
  work.file("m.svm", good_libsvm);
  work.file("m.lin", good_liblinear);
  work.expect("import", 2, "an argument is missing; usage: semblance import FILE --out MODEL");
  work.expect("import m.svm", 2, "say where to write the model with --out MODEL");
  work.expect("import nowhere --out model", 2, "there is no file 'nowhere'");
  work.expect("import . --out model", 2, "there is no file '.'");
  work.expect("import m.svm --out m.lin", 2, "'m.lin' exists; name another folder");
  work.expect("import m.svm m.lin --out model", 2, "too many arguments");
  work.expect("import m.svm --out model --features 2", 2, "the support vectors use the index 3");
  work.expect("import m.svm --out model --features 0", 2, "--features must be from 1");
  work.expect("import m.lin --out model --features 5", 2, "the file says that it has 2");
  work.succeed("import m.svm --out model --features 5");
  work.succeed("import m.lin --out linear");
  work.file("rows", "1 1:1\n-1 5:1\n");
  CHECK(work("predict model rows --out p --quiet").exit == 0);
  // LIBLINEAR would drop it silently; here it is reported.
  CHECK(work("predict linear rows --out q --quiet").exit == 1);
}

}  // namespace model_files_test
