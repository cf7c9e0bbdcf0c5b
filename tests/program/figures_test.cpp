// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <regex>

#include "program.hpp"

namespace figures_test {

using namespace semblance::testing;
using Json = nlohmann::json;

namespace {

/// Points of two classes that overlap: 40 to train on, 30 to test on.
struct Points {
  std::vector<double> x, y;
  std::vector<std::string> labels;

  Points() {
    unsigned state = 7;
    const auto uniform = [&] {
      state = state * 1664525U + 1013904223U;
      return double(state >> 8U) / double(1U << 24U);
    };
    for (int i = 0; i < 70; ++i) {
      const bool spam = i % 3 == 0;
      x.push_back(std::round(1e4 * (uniform() + (spam ? 0.3 : 0))) / 1e4);
      y.push_back(std::round(1e4 * uniform()) / 1e4);
      labels.emplace_back(spam ? "spam" : "ham");
    }
  }
  std::string table() const {
    std::string text = "across,up,kind\n";
    char line[64];
    for (std::size_t i = 0; i < x.size(); ++i) {
      std::snprintf(line, sizeof line, "%.4f,%.4f,%s\n", x[i], y[i], labels[i].c_str());
      text += line;
    }
    return text;
  }
  /// The training samples nearest to a row.
  std::vector<std::size_t> nearest(std::size_t row, std::size_t count) const {
    std::vector<std::size_t> order(40);
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    const auto distance = [&](std::size_t i) { return std::hypot(x[i] - x[row], y[i] - y[row]); };
    std::ranges::sort(order, [&](auto a, auto b) { return distance(a) < distance(b); });
    order.resize(count);
    return order;
  }
};

constexpr const char* pipeline = R"(name: figures
nodes:
  t:       {is: source/csv, path: points.csv, test_rows: 30}
  all:     {is: basis/all, from: t}
  some:    {is: basis/random, count: 10, from: t}
  rbf:     {is: similarity/rbf, gamma: 4, from: t, bases: all}
  linear:  {is: similarity/linear, from: t, bases: some}
  svm:     {is: solver/linear_svm, from: [rbf, linear]}
  nn:      {is: solver/nearest_neighbour, k: 5, scores: shares, from: rbf}
  test:    {is: evaluator/classification, from: svm}
  nn_test: {is: evaluator/classification, from: nn}
  cal:     {is: evaluator/calibration, from: nn}
  rank:    {is: evaluator/ranking, from: svm}
  errors:  {is: evaluator/errors, count: 6, from: svm}
)";

/// The list of samples that a page draws.
Json samples_of(const std::string& page) {
  const std::string from = "id=\"data\">";
  const std::size_t start = page.find(from) + from.size();
  const Json data = Json::parse(page.substr(start, page.find("</script>", start) - start));
  for (const Json& node : data["nodes"])
    if (!node["sample_lists"].empty()) return node["sample_lists"][0]["entries"];
  return {};
}

/// All parts of a text that match.
std::vector<std::string> found(const std::string& text, const std::string& pattern) {
  const std::regex expression(pattern);
  std::vector<std::string> all;
  for (std::sregex_iterator at(text.begin(), text.end(), expression), end; at != end; ++at)
    all.push_back((*at)[1]);
  return all;
}

Workplace& prepared(Workplace& work) {
  work.file("points.csv", Points().table());
  work.file("p.yaml", pipeline);
  return work;
}

}  // namespace

TEST_CASE("the samples that are wrong by most are drawn beside their nearest training rows") {
  Workplace work;
  prepared(work).succeed("run p.yaml --data . --out out --threads 1");
  const auto nodes = work.metrics("out").at("nodes");
  const auto& errors = nodes.at("errors");
  CHECK(errors.at("errors") == nodes.at("test").at("errors"));
  REQUIRE(errors.at("errors") >= 6);
  const Json drawn = samples_of(work.content("out/report.html"));
  const Points points;
  REQUIRE(drawn.size() == 6);
  for (std::size_t k = 0; k < drawn.size(); ++k) {
    const auto row = errors.at("largest_errors").at("values").at(k).at(0).get<std::size_t>();
    CAPTURE(row);
    const Json& sample = drawn[k]["sample"];
    CHECK(sample["name"] == "row " + std::to_string(row));
    CHECK(sample["label"] == points.labels[row]);
    CHECK(sample["columns"][0] == "across");
    // Three bases of each map.
    REQUIRE(drawn[k]["nearest"].size() == 6);
    CHECK(drawn[k]["nearest"][0]["map"] == "rbf");
    CHECK(drawn[k]["nearest"][3]["map"] == "linear");
    const auto nearest = points.nearest(row, 3);
    for (std::size_t n = 0; n < 3; ++n) {
      const Json& near = drawn[k]["nearest"][n]["sample"];
      CHECK(near["name"] == "row " + std::to_string(nearest[n]));
      CHECK(near["label"] == points.labels[nearest[n]]);
    }
  }

  // The same drawings with other threads, and if everything except this evaluator comes from the
  // store.
  work.succeed("run p.yaml --data . --out fresh --threads 2 --no-cache");
  CHECK(samples_of(work.content("fresh/report.html")) == drawn);
  work.succeed("run p.yaml --data . --out again");
  CHECK(work.metrics("again").at("nodes").at("errors").at("cached") == true);
  CHECK(samples_of(work.content("again/report.html")) == drawn);
  work.succeed("run p.yaml --data . --out more --set nodes.errors.count=7");
  CHECK(work.metrics("more").at("nodes").at("rbf").at("cached") == true);
  CHECK(work.metrics("more").at("nodes").at("errors").at("cached") == false);
  Json more = samples_of(work.content("more/report.html"));
  CHECK(more.size() == 7);
  more.erase(6);
  CHECK(more == drawn);
}

TEST_CASE("a model judges labelled rows with the same figures") {
  Workplace work;
  prepared(work).succeed("run p.yaml --data . --out out");
  const auto predicted = work.succeed("predict out/model --data . --out p").output;
  const auto nodes = work.metrics("out").at("nodes");
  char auc[32];
  std::snprintf(auc, sizeof auc, "AUC %.2f %%", 100 * nodes.at("rank").at("auc").get<double>());
  CHECK(contains(predicted, auc));
  CHECK(contains(predicted, "errors: errors " + nodes.at("errors").at("errors").dump()));
  CHECK(contains(predicted, "cal: "));
  // New data lack the training samples, so there are no bases to show.
  work.file("new.csv", Points().table());
  CHECK(contains(work.succeed("predict out/model new.csv --out q"), "errors: errors "));
}

TEST_CASE("the ranking is that of the predictions' scores, at any number of threads") {
  Workplace work;
  prepared(work).succeed("run p.yaml --data . --out out --threads 1");
  const auto rank = work.metrics("out").at("nodes").at("rank");
  CHECK(rank.at("positive") == "spam");
  std::vector<double> spam, ham;
  const std::string rows = work.content("out/predictions/svm.csv");
  for (const std::string& row : found(rows, "\n([^\n]+)")) {
    const auto fields = found(row, "([^,]+)");
    const double score = std::stod(fields.at(4)) - std::stod(fields.at(3));
    (fields.at(1) == "spam" ? spam : ham).push_back(score);
  }
  REQUIRE(spam.size() + ham.size() == 30);
  double ordered = 0;
  for (const double s : spam)
    for (const double h : ham) ordered += s > h ? 1 : s == h ? 0.5 : 0;
  CHECK(rank.at("auc").get<double>() ==
        doctest::Approx(ordered / double(spam.size() * ham.size())).epsilon(1e-12));
  work.succeed("run p.yaml --data . --out two --threads 2 --no-cache");
  CHECK(results_of(work, "two") == results_of(work, "out"));
  const std::string other_bases = " --set 'nodes.some={is: basis/index, per_class: 5, from: t}'";
  // Another seed draws other rows for the intervals, and changes no figure else.
  work.succeed("run p.yaml --data . --out other --seed 9" + other_bases);
  work.succeed("run p.yaml --data . --out same --seed 10" + other_bases);
  const auto other = work.metrics("other").at("nodes").at("rank");
  const auto same = work.metrics("same").at("nodes").at("rank");
  CHECK(other.at("auc") == same.at("auc"));
  CHECK(other.at("auc_low") != same.at("auc_low"));
}

TEST_CASE("probabilities have a log loss, other scores have none") {
  Workplace work;
  prepared(work).succeed("run p.yaml --data . --out out");
  const auto nodes = work.metrics("out").at("nodes");
  CHECK(nodes.at("nn_test").at("log_loss") == nodes.at("cal").at("log_loss"));
  CHECK(nodes.at("nn_test").at("brier_score") == nodes.at("cal").at("brier_score"));
  CHECK_FALSE(nodes.at("test").contains("log_loss"));
  const std::string page = work.content("out/report.html");
  CHECK(contains(page, R"("name":"reliability_perfect")"));
}

TEST_CASE("what a figure cannot be had of is refused before anything is learned") {
  Workplace work;
  prepared(work);
  work.expect("run p.yaml --data . --out a --set nodes.cal.from=svm", 1,
              "node 'cal' (evaluator/calibration), while preparing: it judges probabilities, but "
              "the scores of 'svm' (solver/linear_svm) are not; put calibrator/probabilities "
              "after it");
  work.expect("plan p.yaml --data . --set nodes.nn.scores=votes", 1,
              "the scores of 'nn' (solver/nearest_neighbour) are not;");
  work.expect("run p.yaml --data . --out b --set nodes.rank.positive=Spam", 1,
              "node 'rank' (evaluator/ranking), while preparing: 'positive' names the class "
              "'Spam', but the classes are 'ham', 'spam'");
  work.expect("run p.yaml --data . --out c --set nodes.errors.class=eggs", 1,
              "'class' names the class 'eggs', but the classes are 'ham', 'spam'");
  CHECK_FALSE(
      contains(work("run p.yaml --data . --out d --log-level info --set nodes.rank.positive=Spam"),
               "svm: finished"));
  work.expect("check p.yaml --data . --set nodes.rank.at_recall=0", 2,
              "'at_recall' must be in the range (0, 1], got 0");
}

TEST_CASE("a study compares an area under the curve, and a selection chooses by it") {
  Workplace work;
  prepared(work);
  work.file("study.yaml", std::string(pipeline) + R"(study:
  metric: rank.auc
  slots: {gamma: {path: nodes.rbf.gamma, values: [0.1, 4]}}
  repeats: {seeds: 2}
)");
  const auto study = work.succeed("ablate study.yaml --data . --out study").output;
  CHECK(contains(study, "AUC [%]"));
  CHECK(contains(study, "more is better"));
  // The runs above are in the store; an evaluator that asks the maps again finds their bases.
  work.succeed("ablate study.yaml --data . --out again --set nodes.errors.count=2");
  work.file("select.yaml", std::string(pipeline) + R"(select:
  metric: rank.auc
  folds: 3
  parameters: {gamma: {path: nodes.rbf.gamma, values: [0.1, 4]}}
)");
  CHECK(contains(work.succeed("run select.yaml --data . --out select"), ": rank.auc "));
}

}  // namespace figures_test
