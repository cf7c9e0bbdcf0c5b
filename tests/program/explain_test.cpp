// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "pipelines.hpp"
#include "program.hpp"

namespace explain_test {

using namespace semblance::testing;

namespace {

nlohmann::json explained(const Workplace& work, const std::string& arguments) {
  return nlohmann::json::parse(work.succeed("explain " + arguments + " --json").output);
}

/// Whether shares add up to the difference from the background.
void check_shares(const nlohmann::json& made) {
  double shares = made["shares"]["expected"];
  for (const auto& share : made["shares"]["of"]) shares += share["share"].get<double>();
  CHECK(shares == doctest::Approx(made["value"].get<double>()).epsilon(1e-4));
}

/// Whether bias, listed contributions and the others add up to the value, and so do the shares.
void check_sums(const nlohmann::json& made) {
  const double value = made["value"];
  double sum = made["bias"];
  for (const auto& example : made["examples"]) sum += example["contribution"].get<double>();
  sum += made["other_examples"]["contribution"].get<double>();
  CHECK(sum == doctest::Approx(value).epsilon(1e-9));
  check_shares(made);
}

std::string table(int rows) {
  std::string text = "width,height,kind\n";
  for (int i = 0; i < rows; ++i)
    text += std::to_string(2000 + i % 17) + "," + std::to_string(i % 5) + "." +
            std::to_string(i % 7) + (i % 17 < 8 ? ",low\n" : ",high\n");
  return text;
}

const std::string why = "  why: {is: evaluator/explanations, count: 3, from: ";

/// Runs a pipeline and returns what its evaluator `why` explained, after comparing it with what
/// explain prints for the same rows.
nlohmann::json same_as_explain(Workplace& work, const std::string& name,
                               const std::string& pipeline) {
  work.file(name + ".yaml", pipeline);
  work.succeed("run " + name + ".yaml --out " + name);
  const nlohmann::json made = work.metrics(name).at("nodes").at("why").at("explanations");
  std::string rows;
  for (const auto& each : made) rows += " --row " + std::to_string(each.at("row").get<int>());
  const auto printed = explained(work, name + "/model" + rows)["explanations"];
  REQUIRE(printed.size() == made.size());
  for (std::size_t i = 0; i < made.size(); ++i) {
    nlohmann::json mine = made[i];
    CHECK((mine.contains("true_class") || mine.contains("true_number")));
    for (const char* judged : {"true_class", "assigned_class", "true_number", "estimate", "judged"})
      mine.erase(judged);
    CHECK(mine == printed[i]);
  }
  return made;
}

}  // namespace

TEST_CASE("explain shows examples and columns of new data by their names") {
  const Workplace work;
  work.file("train.csv", table(120));
  work.file("new.csv", table(30));
  work.file("p.yaml", R"(name: machine
nodes:
  t:   {is: source/csv, path: train.csv, label: kind, test_fraction: 0.2}
  x:   {is: normalizer/zscore, from: t}
  svm: {is: solver/kernel_svm, kernel: {is: similarity/rbf, gamma: 0.5}, from: x}
  e:   {is: evaluator/classification, from: svm}
)");
  work.succeed("run p.yaml --data . --out out");
  const auto all = explained(work, "out/model new.csv --row 3 --row 12 --top 2");
  CHECK(all["node"] == "svm");
  CHECK(all["component"] == "solver/kernel_svm");
  REQUIRE(all["explanations"].size() == 2);
  const auto& made = all["explanations"][1];
  CHECK(made["row"] == 12);
  CHECK(made["predicted"] == "high");
  CHECK(made["against"] == "low");
  CHECK(made["examples"].size() <= 4);
  CHECK(made["examples"][0]["class"] == "high");
  const auto& shares = made["shares"];
  CHECK(shares["method"] == "exact");
  CHECK(shares["background"] == 30);
  CHECK(shares["of"][0]["name"] == "width");
  CHECK(shares["of"][0]["value"] == 2012);
  check_sums(made);
  check_sums(all["explanations"][0]);
  const auto text = work.succeed("explain out/model new.csv --row 12 --top 2");
  CHECK(contains(text, "row 12: predicted 'high'; 'high' against 'low': value "));
  CHECK(contains(text, "for 'high'"));
  CHECK(contains(text, "shares (exact Shapley values; 30 of the samples have "));
  CHECK(contains(text, "width = 2012 "));
}

TEST_CASE("examples have their number in the data and their name, also those of intervals") {
  const Workplace work;
  std::string rows = "who,x,y\n";
  for (int i = 0; i < 60; ++i)
    rows += "p" + std::to_string(i) + "," + std::to_string(i * 7 % 60) + "," +
            std::to_string(i * 7 % 60 / 10 * 3) + "\n";
  work.file("t.csv", rows);
  work.file("p.yaml", R"(name: named
nodes:
  t:   {is: source/csv, path: t.csv, target: y, id: who, test_fraction: 0.4}
  x:   {is: normalizer/zscore, from: t}
  fit: {is: solver/kernel_intervals, kernel: {is: similarity/rbf, gamma: 1}, from: x}
)");
  work.succeed("run p.yaml --data . --out out");
  const auto made = explained(work, "out/model --data . --row p7")["explanations"][0];
  CHECK(made["row"] == 7);
  CHECK(made["name"] == "p7");
  CHECK(made["explained"] == "y");
  std::size_t moved = 0;
  for (const auto& example : made["examples"]) {
    CHECK(example["name"] == "p" + std::to_string(example["row"].get<int>()));
    moved += example["row"] != example["training_sample"];
  }
  CHECK(moved > 0);  // test samples are between them
  check_sums(made);
  work.file("new.csv", "who,x\nann,3\nbob,30\n");
  const auto fresh = explained(work, "out/model new.csv --row bob")["explanations"][0];
  CHECK(fresh["examples"][0].contains("training_sample"));
  CHECK_FALSE(fresh["examples"][0].contains("name"));  // training samples are not read
}

TEST_CASE("explain names the bases of a map, and the cells of an image") {
  const Workplace work;
  work.file("p.yaml", small_pipeline);
  work.succeed("run p.yaml --out out");
  const auto made = explained(work, "out/model --row 400")["explanations"][0];
  CHECK(made["difference_of_scores"] == true);
  CHECK(made["shares"]["method"] == "sampled");
  CHECK(made["shares"]["of"].size() == 64);
  for (const auto& example : made["examples"]) {
    CHECK(example["training_sample"] < 300);
    CHECK(example.contains("class"));
  }
  check_sums(made);
  CHECK(contains(work.succeed("explain out/model --row 400"), " in rigid, "));
}

TEST_CASE("a machine before a calibrator is explained, and one that is no sum by shares alone") {
  const Workplace work;
  work.file("p.yaml", R"(name: platt
nodes:
  points: {is: source/rings, classes: 3}
  svm:    {is: solver/kernel_svm, kernel: {is: similarity/rbf, gamma: 1}, from: points}
  p:      {is: calibrator/probabilities, from: svm}
  test:   {is: evaluator/classification, from: p}
)");
  work.succeed("run p.yaml --out out");
  CHECK(explained(work, "out/model --row 0")["node"] == "svm");
  CHECK(explained(work, "out/model --row 0 --node p")["node"] == "svm");
  work.file("n.yaml", R"(name: local
nodes:
  points: {is: source/rings, classes: 3}
  svm:    {is: solver/ml3, from: points}
  test:   {is: evaluator/classification, from: svm}
)");
  work.succeed("run n.yaml --out two");
  const auto made = explained(work, "two/model --row 0")["explanations"][0];
  CHECK_FALSE(made.contains("examples"));
  CHECK_FALSE(made.contains("bias"));
  CHECK(made["shares"]["method"] == "sampled");
  check_shares(made);
}

TEST_CASE("evaluator/explanations reports what explain prints for the same rows") {
  Workplace work;
  const auto images = same_as_explain(work, "images", small_pipeline + why + "svm}\n");
  REQUIRE(images.size() == 3);
  CHECK(images[0]["true_class"] != images[0]["assigned_class"]);
  const std::string page = work.content("images/report.html");
  CHECK(contains(page, R"("layout":"image")"));
  CHECK(contains(page, R"("drawn":[{"name")"));

  const auto rings = same_as_explain(work, "rings", "name: rings\n" + rings_nodes + why + "svm}\n");
  CHECK(rings[0]["shares"]["method"] == "exact");
  CHECK(rings[0]["examples"].size() == 10);
  CHECK(contains(work.content("rings/report.html"), R"("shares":{"method":"exact")"));

  const auto calibrated =
      same_as_explain(work, "platt",
                      "name: platt\n" + rings_nodes +
                          "  p: {is: calibrator/probabilities, from: svm}\n" + why + "p}\n");
  CHECK(calibrated[0].contains("examples"));
  const auto local = same_as_explain(work, "local", R"(name: local
nodes:
  points: {is: source/rings, classes: 3}
  svm:    {is: solver/ml3, from: points}
)" + why + "svm}\n");
  CHECK_FALSE(local[0].contains("examples"));
}

TEST_CASE("estimates and novelty scores are explained on the page as by explain") {
  Workplace work;
  const auto estimates = same_as_explain(work, "estimates", R"(name: estimates
nodes:
  table: {is: source/friedman, train: 100, test: 40}
  x:     {is: normalizer/zscore, from: table}
  svr:   {is: solver/kernel_svr, kernel: {is: similarity/rbf, gamma: 0.1}, C: 10, from: x}
  why:   {is: evaluator/explanations, count: 3, from: svr}
)");
  REQUIRE(estimates.size() == 3);
  for (const auto& made : estimates) check_sums(made);
  CHECK(estimates[0]["examples"][0].contains("training_sample"));
  CHECK(contains(work.content("estimates/report.html"),
                 R"("explanations":[{"name":"explanations","of":1)"));
  const auto map = same_as_explain(work, "map", R"(name: map
nodes:
  table: {is: source/friedman, train: 100, test: 40}
  bases: {is: basis/random, count: 20, from: table}
  rbf:   {is: similarity/rbf, gamma: 0.5, from: table, bases: bases}
  ridge: {is: solver/ridge, from: rbf}
  why:   {is: evaluator/explanations, rows: [100, 130], from: ridge}
)");
  REQUIRE(map.size() == 2);
  CHECK(map[1]["row"] == 130);
  check_sums(map[1]);
  const auto intervals = same_as_explain(work, "intervals", R"(name: intervals
nodes:
  table: {is: source/friedman, train: 100, test: 40}
  x:     {is: normalizer/zscore, from: table}
  raw:   {is: solver/quantile_regression, C: 10, from: x}
  range: {is: calibrator/conformal_quantiles, from: raw}
  why:   {is: evaluator/explanations, count: 3, target: y, from: range}
)");
  REQUIRE(intervals.size() == 3);
  CHECK(intervals[0]["estimate"] == doctest::Approx(intervals[0]["value"]).epsilon(1e-4));
  check_shares(intervals[0]);
  const auto novel = same_as_explain(work, "novel", R"(name: novel
nodes:
  points:   {is: source/rings, train: 60, test: 60}
  detector: {is: solver/one_class_svm, kernel: {is: similarity/rbf, gamma: 1}, from: points}
  why:      {is: evaluator/explanations, count: 2, from: detector}
)");
  REQUIRE(novel.size() == 2);
  CHECK(novel[0]["value"] <= novel[1]["value"]);
  check_sums(novel[0]);
}

TEST_CASE("an evaluator takes any results that it declares; former names say which one does") {
  Workplace work;
  const auto refused = [&](const std::string& judge, const std::string& message) {
    work.file("p.yaml",
              "name: p\nnodes:\n  points: {is: source/rings, train: 60, test: 60}\n"
              "  detector: {is: solver/one_class_svm, kernel: {is: similarity/rbf}, from: points}\n"
              "  judge: {is: evaluator/" +
                  judge + "}\n");
    work.expect("check p.yaml", 2, message);
  };
  refused("errors, from: detector",
          "'from' of evaluator/errors takes scores or estimates, but 'detector' "
          "(solver/one_class_svm) gives novelty scores");
  refused("explanations", "evaluator/explanations needs the input 'from' (what to evaluate)");
  for (const auto& [former, now] :
       {std::pair{"estimate_errors", "errors takes estimates"},
        std::pair{"estimate_explanations", "explanations takes estimates"},
        std::pair{"novelty_explanations", "explanations takes novelty scores"},
        std::pair{"interval_coverage", "coverage takes intervals"}}) {
    refused(std::string(former) + ", from: detector",
            "'evaluator/" + std::string(former) + "' is gone");
    work.expect("check p.yaml", 2, "= evaluator/" + std::string(now) + " too");
  }
}

TEST_CASE("decision regions show support vectors where the source has them, bases too") {
  Workplace work;
  const std::string regions = "  plane: {is: evaluator/boundary, points: 20, from: svm}\n";
  work.file("svm.yaml",
            "name: svm\nnodes:\n"
            "  points: {is: source/banana, train: 100, test: 50}\n"
            "  x:      {is: normalizer/unit_length, from: points}\n"
            "  svm:    {is: solver/kernel_svm, kernel: {is: similarity/rbf}, from: x}\n" +
                regions);
  work.succeed("run svm.yaml --out svm");
  CHECK(contains(work.content("svm/report.html"), "support vector at the bound C"));
  work.file("map.yaml",
            "name: map\nnodes:\n"
            "  points: {is: source/banana, train: 100, test: 50}\n"
            "  b:      {is: basis/random, count: 10, from: points}\n"
            "  rbf:    {is: similarity/rbf, from: points, bases: b}\n"
            "  svm:    {is: solver/linear_svm, from: rbf}\n" +
                regions);
  work.succeed("run map.yaml --out map");
  const std::string page = work.content("map/report.html");
  const std::string from = "\"circles\":[";
  const auto first = page.find(from);
  REQUIRE(first != std::string::npos);
  const std::string circles =
      page.substr(first + from.size(), page.find("]]", first) - first - from.size());
  CHECK(std::ranges::count(circles, '[') == 10);
}

TEST_CASE("evaluator/explanations colours series and strings") {
  Workplace work;
  const auto series = same_as_explain(work, "series", R"(name: series
nodes:
  waves: {is: source/warped_series, per_class: 10, test_per_class: 5, length: 60}
  b:     {is: basis/random, count: 10, from: waves}
  dtw:   {is: similarity/dtw, from: waves, bases: b}
  svm:   {is: solver/linear_svm, from: dtw}
)" + why + "svm}\n");
  CHECK(series[0]["shares"]["method"] == "sampled");
  CHECK(contains(work.content("series/report.html"), R"("layout":"sequence")"));
  const auto strings = same_as_explain(work, "strings", R"(name: strings
nodes:
  words: {is: source/random_strings, per_class: 10, test_per_class: 5}
  b:     {is: basis/random, count: 10, from: words}
  edit:  {is: similarity/edit, from: words, bases: b}
  svm:   {is: solver/linear_svm, from: edit}
)" + why + "svm}\n");
  CHECK(strings[0]["shares"]["of"].size() > 1);
  CHECK(contains(work.content("strings/report.html"), R"("layout":"string")"));
}

TEST_CASE("explanations come from the store, and new data have no training samples") {
  Workplace work;
  work.file("train.csv", table(120));
  work.file("new.csv", table(30));
  work.file("p.yaml", R"(name: machine
nodes:
  t:   {is: source/csv, path: train.csv, label: kind, test_fraction: 0.2}
  svm: {is: solver/kernel_svm, kernel: {is: similarity/rbf, gamma: 0.5}, from: t}
  why: {is: evaluator/explanations, count: 2, from: svm}
)");
  work.succeed("run p.yaml --data . --out one");
  work.succeed("run p.yaml --data . --out two");
  const auto one = work.metrics("one").at("nodes").at("why"),
             two = work.metrics("two").at("nodes").at("why");
  CHECK(two["cached"] == true);
  CHECK(two["explanations"] == one["explanations"]);
  CHECK(contains(work.succeed("predict one/model new.csv --out new"), "why: explained 2"));
}

TEST_CASE("a classifier that cannot be explained leaves a message, and the run goes on") {
  const Workplace work;
  work.file("p.yaml", R"(name: graphs
nodes:
  graphs: {is: source/random_graphs}
  all:    {is: basis/random, count: 20, from: graphs}
  edit:   {is: similarity/graph_edit, from: graphs, bases: all}
  nn:     {is: solver/nearest_neighbour, from: edit}
  why:    {is: evaluator/explanations, from: nn}
)");
  const auto run = work.succeed("run p.yaml --out out");
  const auto made = work.metrics("out").at("nodes").at("why");
  CHECK(made["explained"] == 0);
  CHECK(contains(made["not_explained"].get<std::string>(),
                 "node 'nn' (solver/nearest_neighbour) cannot be explained: its output is no sum"));
}

TEST_CASE("explain says what is wrong in one sentence") {
  const Workplace work;
  work.file("p.yaml", "name: rings\n" + rings_nodes);
  work.succeed("run p.yaml --out out");
  struct Case {
    const char* arguments;
    int exit;
    const char* message;
  };
  const Case cases[] = {
      {"", 2, "an argument is missing; usage: semblance explain MODEL"},
      {"out/model", 2, "name the samples to explain with --row"},
      {"out/model --row 0 --top 0", 2, "--top must be at least 1, got 0"},
      {"out/model --row 0 --background -1", 2, "--background must be at least 1, got -1"},
      {"out/model --row none", 2, "the data have no sample 'none'; a sample is named by"},
      {"out/model --row 0 --class 4", 1, "the model has no class '4'"},
      {"out/model --row 0 --target y", 1, "predicts no numbers, so there is no target 'y'"},
      {"out/model --row 0 --node smv", 1, "did you mean 'svm'"},
      {"out/model --row 0 --node test", 1, "'test' (evaluator/classification) scores no samples"},
      {"nowhere --row 0", 1, "no such folder"},
  };
  for (const Case& each : cases) {
    INFO(each.arguments);
    work.expect(std::string("explain ") + each.arguments, each.exit, each.message);
  }
}

}  // namespace explain_test
