// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "program.hpp"

namespace regression_test {

using namespace semblance::testing;

// Numbers to predict, from the file to predictions, studies, answers and exported forms.

namespace {

/// Prices that depend on area and year, with a column for no purpose. Years are far from 0.
std::string houses(int count, bool prices = true) {
  std::string text = prices ? "area,price,year,door\n" : "year,area,door\n";
  for (int i = 0; i < count; ++i) {
    const int area = 30 + i * 37 % 200, year = 1900 + i * 53 % 120, door = i * 7 % 11;
    const int price = 100000 + 2500 * area + 900 * (year - 1900) + i * 131 % 7919;
    const std::string a = std::to_string(area), y = std::to_string(year), d = std::to_string(door);
    text += prices ? a + "," + std::to_string(price) + "," + y + "," + d + "\n"
                   : y + "," + a + "," + d + "\n";
  }
  return text;
}

std::string pipeline(const std::string& solver = "solver/ridge") {
  return "name: houses\nnodes:\n"
         "  data: {is: source/csv, path: houses.csv, target: price, test_fraction: 0.25}\n"
         "  z: {is: normalizer/zscore, from: data}\n"
         "  machine: {is: " +
         solver +
         ", from: z}\n"
         "  test: {is: evaluator/regression, from: machine}\n";
}

std::vector<std::vector<std::string>> fields_of(const std::string& csv) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(csv);
  for (std::string line; std::getline(lines, line);) {
    rows.emplace_back();
    std::istringstream fields(line);
    for (std::string field; std::getline(fields, field, ',');) rows.back().push_back(field);
  }
  return rows;
}

struct Run {
  Run() {
    work.file("houses.csv", houses(240));
    work.file("new.csv", houses(240, false));
    work.file("p.yaml", pipeline());
    work.succeed("run p.yaml --data . --out out");
  }
  Workplace work;
};

const Run& done() {
  static const Run once;
  return once;
}

}  // namespace

TEST_CASE("the figures of a regression are those of its predictions") {
  const Workplace& work = done().work;
  const auto rows = fields_of(work.content("out/predictions/machine.csv"));
  CHECK(rows.front() == std::vector<std::string>{"row", "price", "predicted price"});
  REQUIRE(rows.size() == 61);
  double squares = 0, absolute = 0;
  for (std::size_t r = 1; r < rows.size(); ++r) {
    const double error = double{std::stof(rows[r][2])} - std::stod(rows[r][1]);
    squares += error * error, absolute += std::abs(error);
  }
  const auto test = work.metrics("out").at("nodes").at("test");
  CHECK(test.at("rmse").get<double>() == doctest::Approx(std::sqrt(squares / 60)).epsilon(1e-9));
  CHECK(test.at("mae").get<double>() == doctest::Approx(absolute / 60).epsilon(1e-9));
  // Prices are linear but for a term below 7919, which is spread evenly.
  CHECK(test.at("rmse").get<double>() < 3000);
  CHECK(test.at("r2").get<double>() > 0.99);
}

TEST_CASE("estimates have the same bits on one thread, from the store, and under another budget") {
  const Workplace& work = done().work;
  const std::string expected = predictions(work, "out");
  work.succeed("run p.yaml --data . --out again");
  CHECK(predictions(work, "again") == expected);
  work.succeed("run p.yaml --data . --out one --threads 1 --no-cache --memory 200M");
  CHECK(predictions(work, "one") == expected);
}

TEST_CASE("a model of numbers is applied to rows without them, by the names of columns") {
  const Workplace& work = done().work;
  work.succeed("predict out/model houses.csv --out known");
  work.succeed("predict out/model new.csv --out unknown");
  const auto known = fields_of(work.content("known/machine.csv")),
             unknown = fields_of(work.content("unknown/machine.csv"));
  REQUIRE(known.size() == 241);
  REQUIRE(unknown.size() == 241);
  for (std::size_t r = 1; r < known.size(); ++r) {
    CHECK(unknown[r][1].empty());
    CHECK(unknown[r][2] == known[r][2]);
  }
  const std::string lines =
      work.shell("$program predict out/model --stdin --header < new.csv").output;
  const std::string json =
      work.shell("$program predict out/model --stdin --header --json < new.csv").output;
  std::string expected, expected_json;
  for (std::size_t r = 1; r < known.size(); ++r) {
    expected += known[r][2] + "\n";
    expected_json += "{\"estimates\": {\"price\": " + known[r][2] + "}}\n";
  }
  CHECK(lines == expected);
  CHECK(json == expected_json);
}

TEST_CASE("predictions of numbers replace earlier ones in their folder") {
  const Workplace& work = done().work;
  for (int i = 0; i < 2; ++i) work.succeed("predict out/model houses.csv --out replaced");
}

TEST_CASE("an exported regressor gives the model's estimates") {
  const Workplace& work = done().work;
  for (const char* format : {"c", "onnx", "liblinear"}) {
    CAPTURE(std::string(format));
    const auto outcome =
        work(std::string("export out/model --to ") + format + " --out machine." + format);
    CHECK(outcome.exit == 0);
    CHECK(contains(outcome, "compared with the model"));
    CHECK_FALSE(contains(outcome, "the same classes"));
  }
  const std::string c = work.content("machine.c");
  CHECK(contains(c, "int machine_predict(const float *row, float *estimates);"));
  CHECK(contains(c, "\"price\""));
  CHECK(work.content("machine.liblinear")
            .starts_with("solver_type L2R_L2LOSS_SVR\nnr_class 2\nnr_feature "));
}

TEST_CASE("exported intervals are those of the model") {
  const Workplace work;
  const std::string beginning =
      "name: ends\nnodes:\n"
      "  s: {is: source/friedman, train: 200, test: 100}\n"
      "  x: {is: normalizer/zscore, from: s}\n";
  for (const std::string machine :
       {"  fit: {is: solver/ridge, from: x}\n"
        "  range: {is: calibrator/conformal_intervals, groups: 3, from: fit}\n",
        "  raw: {is: solver/quantile_regression, from: x}\n"
        "  range: {is: calibrator/conformal_quantiles, from: raw}\n",
        "  range: {is: solver/quantile_regression, from: x}\n"}) {
    CAPTURE(machine);
    work.file("ends.yaml", beginning + machine);
    work.succeed("run ends.yaml --out ends");
    for (const char* format : {"c", "onnx"}) {
      CAPTURE(std::string(format));
      const auto outcome = work.succeed(std::string("export ends/model --to ") + format +
                                        " --force --out machine." + format);
      CHECK(contains(outcome, "compared with the model"));
    }
    const std::string c = work.content("machine.c");
    CHECK(contains(c, "int machine_predict(const float *row, float *intervals);"));
    CHECK(contains(c, "intervals[3]: lower end, estimate and upper end for each"));
    CHECK(contains(c, "{\n  \"y lower\",\n  \"y\",\n  \"y upper\"\n};"));
  }
  work.expect("export ends/model --to liblinear --out m.model", 1,
              "'range' gives intervals, and only classifiers and regressors are written");
  work.file("few.yaml",
            "name: few\nnodes:\n"
            "  s: {is: source/friedman, train: 8, test: 100}\n"
            "  fit: {is: solver/ridge, from: s}\n"
            "  range: {is: calibrator/conformal_intervals, folds: 2, from: fit}\n");
  work.succeed("run few.yaml --out few");
  work.expect("export few/model --to c --out few.c", 1,
              "node 'range' (calibrator/conformal_intervals): some of its intervals are infinite");
}

TEST_CASE("LIBSVM predicts what an exported kernel_svr does") {
  const Workplace work;
  work.file("houses.csv", houses(200));
  struct Case {
    std::string kernel, before;
  };
  for (const auto& [kernel, before] :
       {Case{"{is: similarity/rbf, gamma: 0.5}", "mean_norm"},
        Case{"{is: similarity/polynomial, degree: 3, scale: 0.5}", "none"},
        Case{"{is: similarity/linear}", "zscore"}}) {
    CAPTURE(kernel);
    work.file("p.yaml",
              "name: svr\nnodes:\n"
              "  s: {is: source/friedman, train: 200, test: 100}\n"
              "  x: {is: normalizer/" +
                  before +
                  ", from: s}\n"
                  "  machine: {is: solver/kernel_svr, kernel: " +
                  kernel + ", C: 10, from: x}\n");
    work.succeed("run p.yaml --out out");
    const auto outcome = work.succeed("export out/model --to libsvm --out m.model --force");
    CHECK(contains(outcome, "compared with the model"));
    CHECK(work.content("m.model").starts_with("svm_type epsilon_svr\n"));
    CHECK_FALSE(contains(work.content("m.model"), "label"));
  }
  work.expect("export out/model --to libsvm --node s --out n.model", 1,
              "'s' is the source, which leaves nothing to export");
}

TEST_CASE("a study compares regressors by the errors of the test rows") {
  const Workplace& work = done().work;
  work.file(
      "study.yaml",
      pipeline() +
          "study:\n  metric: test.rmse\n  baseline: {penalty: weak}\n"
          "  slots:\n    penalty:\n      weak: {}\n      strong: {nodes.machine.penalty: 1e4}\n");
  work.succeed("ablate study.yaml --data . --out study");
  const auto study = nlohmann::json::parse(work.content("study/study.json"));
  const auto& methods = study.at("methods");
  REQUIRE(methods.size() == 2);
  for (const auto& method : methods) {
    const auto& one = method.at("measurements").at(0);
    const auto losses = one.at("losses").get<std::vector<double>>();
    REQUIRE(losses.size() == 60);
    double sum = 0;
    for (const double loss : losses) sum += loss;
    CHECK(one.at("value").get<double>() == doctest::Approx(std::sqrt(sum / 60)).epsilon(1e-9));
  }
  const auto& tests = study.at("comparison").at("methods").at(1).at("tests");
  CHECK(tests.at("t").at("p").get<double>() < 1e-6);
  CHECK(tests.at("wilcoxon").at("p").get<double>() < 1e-6);
}

TEST_CASE("finished runs of regressors are compared by the errors of the test rows") {
  const Workplace& work = done().work;
  work.succeed("run p.yaml --data . --out weak --set nodes.machine.penalty=1e4");
  const auto outcome = work("compare out weak --metric test.rmse");
  INFO(outcome.output);
  CHECK(outcome.exit == 0);
  CHECK(contains(outcome, "the errors of the test rows are the pairs"));
}

TEST_CASE("a parameter is selected by an error of numbers, in folds of all ranges") {
  const Workplace& work = done().work;
  work.file("select.yaml", pipeline() +
                               "select:\n  metric: test.rmse\n  folds: 4\n  parameters:\n"
                               "    penalty: {path: nodes.machine.penalty, values: [1e-3, 1e5]}\n");
  work.succeed("run select.yaml --data . --out selected");
  const auto metrics = work.metrics("selected");
  CHECK(metrics.at("nodes").at("test").at("rmse").get<double>() < 3000);
}

TEST_CASE("intervals contain about as many numbers as asked for, and stand beside the estimates") {
  const Workplace& work = done().work;
  work.file("intervals.yaml",
            pipeline() +
                "  range: {is: calibrator/conformal_intervals, coverage: 0.8, from: machine}\n"
                "  inside: {is: evaluator/coverage, from: range}\n");
  work.succeed("run intervals.yaml --data . --out intervals");
  const auto rows = fields_of(work.content("intervals/predictions/range.csv"));
  CHECK(rows.front() ==
        std::vector<std::string>{"row", "price", "predicted price", "low price", "high price"});
  const auto plain = fields_of(work.content("out/predictions/machine.csv"));
  double inside = 0;
  for (std::size_t r = 1; r < rows.size(); ++r) {
    CHECK(rows[r][2] == plain[r][2]);
    const double price = std::stod(rows[r][1]), low = std::stod(rows[r][3]),
                 high = std::stod(rows[r][4]);
    inside += low <= price && price <= high;
  }
  const auto figures = work.metrics("intervals").at("nodes").at("inside");
  CHECK(figures.at("coverage").get<double>() == doctest::Approx(inside / 60).epsilon(1e-12));
  CHECK(figures.at("coverage").get<double>() > 0.65);
  CHECK(figures.at("coverage").get<double>() < 0.95);
  // The model gives the same intervals.
  work.succeed("predict intervals/model new.csv --out unknown_intervals");
  CHECK(work.content("unknown_intervals/range.csv").size() > 1000);
  const auto known = fields_of(work.content("unknown_intervals/range.csv"));
  const auto answer = [&](const std::string& form) {
    return work.shell("head -3 new.csv | $program predict intervals/model --stdin --header " + form)
        .output;
  };
  std::string lines = "predicted price,low price,high price\n", json;
  for (std::size_t r = 1; r < 3; ++r) {
    lines += known[r][2] + "," + known[r][3] + "," + known[r][4] + "\n";
    json += "{\"estimates\": {\"price\": " + known[r][2] + "}, \"intervals\": {\"price\": [" +
            known[r][3] + ", " + known[r][4] + "]}}\n";
  }
  CHECK(answer("--scores") == lines);
  CHECK(answer("--json") == json);
}

TEST_CASE("a regressor's own intervals are judged, corrected and predicted") {
  const Workplace& work = done().work;
  work.file("quantiles.yaml",
            "name: houses\nnodes:\n"
            "  data: {is: source/csv, path: houses.csv, target: price, test_fraction: 0.25}\n"
            "  z: {is: normalizer/zscore, from: data}\n"
            "  machine: {is: solver/quantile_regression, C: 1e6, from: z}\n"
            "  before: {is: evaluator/coverage, from: machine}\n"
            "  range: {is: calibrator/conformal_quantiles, coverage: 0.8, from: machine}\n"
            "  after: {is: evaluator/coverage, from: range}\n");
  work.succeed("run quantiles.yaml --data . --out quantiles");
  const auto nodes = work.metrics("quantiles").at("nodes");
  for (const char* const name : {"machine", "range"}) {
    const auto rows =
        fields_of(work.content("quantiles/predictions/" + std::string(name) + ".csv"));
    CHECK(rows.front() ==
          std::vector<std::string>{"row", "price", "predicted price", "low price", "high price"});
    double inside = 0;
    for (std::size_t r = 1; r < rows.size(); ++r) {
      const double price = std::stod(rows[r][1]), estimate = std::stod(rows[r][2]);
      CHECK(std::abs(price - estimate) < 10000);
      inside += std::stod(rows[r][3]) <= price && price <= std::stod(rows[r][4]);
    }
    const auto figures = nodes.at(name == std::string("machine") ? "before" : "after");
    CHECK(figures.at("coverage").get<double>() == doctest::Approx(inside / 60).epsilon(1e-12));
    CHECK(inside / 60 > 0.65);
  }
  // The model predicts them, from the calibrator and from the solver.
  work.succeed("predict quantiles/model new.csv --out new_range");
  CHECK(fields_of(work.content("new_range/range.csv")).size() == 241);
  const std::string lines =
      work.shell(
              "head -2 new.csv | $program predict quantiles/model --stdin --header --node machine "
              "--scores")
          .output;
  CHECK(lines.starts_with("predicted price,low price,high price\n"));
}

TEST_CASE("two numbers are predicted side by side") {
  const Workplace work;
  work.file("houses.csv", houses(200));
  std::string text = pipeline();
  text.replace(text.find("target: price"), 13, "target: [price, year]");
  work.file("p.yaml", text);
  work.succeed("run p.yaml --data . --out out");
  const auto rows = fields_of(work.content("out/predictions/machine.csv"));
  CHECK(rows.front() ==
        std::vector<std::string>{"row", "price", "predicted price", "year", "predicted year"});
  for (std::size_t r = 1; r < rows.size(); ++r) {
    CHECK(std::stod(rows[r][3]) >= 1900);
    CHECK(std::stod(rows[r][4]) > 1800);
  }
  work.expect("export out/model --to liblinear --out m.model", 1,
              "it predicts 2 numbers, and LIBLINEAR's machines predict one");
}

}  // namespace regression_test
