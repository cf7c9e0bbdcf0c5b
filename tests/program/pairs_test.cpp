// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "program.hpp"

namespace pairs_test {

using namespace semblance::testing;

namespace {

const std::string plugin = " --plugin-path " SEMBLANCE_TEST_PLUGINS "/nearness.so";

constexpr const char* pipeline = R"(name: pairs
nodes:
  t:     {is: source/csv, path: train.csv, test_path: test.csv, label: class,
          new_test_classes: true}
  x:     {is: normalizer/zscore, from: t}
  pairs: {is: pairs/all, from: t}
  near:  {is: solver/nearness, from: x, pairs: pairs}
  test:  {is: evaluator/verification, from: near}
)";

/// Points of separated classes, class c around (3 c, -c).
std::string points(int rows, int first_class, int classes, unsigned salt) {
  std::string text = "a,b,class\n";
  for (int i = 0; i < rows; ++i) {
    const int c = first_class + i % classes;
    const unsigned noise = (static_cast<unsigned>(i) * 2654435761U + salt) >> 16;
    text += std::to_string(3 * c + (noise % 97) / 50.0) + "," +
            std::to_string(-c + (noise % 89) / 50.0) + ",class" + std::to_string(c) + "\n";
  }
  return text;
}

struct ScoredPair {
  int first = 0, second = 0;
  std::string label;
  double score = 0;
};

std::vector<ScoredPair> scored_pairs(const Workplace& work, const std::string& file) {
  std::vector<ScoredPair> all;
  std::istringstream in(work.content(file));
  std::string line;
  std::getline(in, line);
  CHECK(line == "first,second,label,score");
  while (std::getline(in, line)) {
    std::istringstream fields(line);
    std::string first, second, label, score;
    std::getline(fields, first, ',');
    std::getline(fields, second, ',');
    std::getline(fields, label, ',');
    std::getline(fields, score, ',');
    all.push_back({std::stoi(first), std::stoi(second), label, std::stod(score)});
  }
  return all;
}

Workplace& prepared(Workplace& work) {
  work.file("train.csv", points(24, 0, 4, 1));
  work.file("test.csv", points(15, 4, 3, 2));
  work.file("p.yaml", pipeline);
  return work;
}

/// The equal error rate by trying every score as the threshold.
double counted_eer(const std::vector<ScoredPair>& pairs) {
  double best = 2, eer = 1;
  for (const auto& at : pairs) {
    double counts[2] = {0, 0}, wrong[2] = {0, 0};
    for (const auto& p : pairs) {
      const bool same = p.label == "same";
      counts[same] += 1;
      wrong[same] += (p.score >= at.score) != same;
    }
    const double fmr = wrong[0] / counts[0], fnmr = wrong[1] / counts[1];
    if (std::abs(fmr - fnmr) >= best) continue;
    best = std::abs(fmr - fnmr);
    eer = (fmr + fnmr) / 2;
  }
  return eer;
}

}  // namespace

TEST_CASE("a solver learns from all training pairs and is tested on all test pairs") {
  Workplace work;
  const auto outcome = prepared(work)("run p.yaml --data . --out out" + plugin);
  INFO(outcome.output);
  REQUIRE(outcome.exit == 0);
  const auto nodes = work.metrics("out")["nodes"];
  CHECK(nodes["pairs"]["train_pairs"] == 24 * 25 / 2);
  CHECK(nodes["pairs"]["positive_train_pairs"] == 4 * 6 * 7 / 2);
  CHECK(nodes["pairs"]["test_pairs"] == 15 * 14 / 2);
  const auto pairs = scored_pairs(work, "out/predictions/near.csv");
  REQUIRE(pairs.size() == 15 * 14 / 2);
  CHECK(pairs.front().first == 24);
  CHECK(pairs.front().second == 25);
  for (const auto& p : pairs) CHECK((p.label == "same") == (p.first % 3 == p.second % 3));
  CHECK(nodes["test"]["eer"].get<double>() == doctest::Approx(counted_eer(pairs)).epsilon(0.05));
  CHECK(nodes["test"]["eer"].get<double>() < 0.2);
}

TEST_CASE("scores of pairs have the same bits for any number of threads, and from the store") {
  Workplace work;
  prepared(work);
  work.succeed("run p.yaml --data . --out one --threads 1 --no-cache" + plugin);
  work.succeed("run p.yaml --data . --out two --threads 3" + plugin);
  work.succeed("run p.yaml --data . --out three" + plugin);
  CHECK(work.content("one/predictions/near.npy") == work.content("two/predictions/near.npy"));
  CHECK(work.content("one/predictions/near.csv") == work.content("three/predictions/near.csv"));
  const auto again = work.metrics("three")["nodes"];
  CHECK(again["near"]["cached"] == true);
  CHECK(again["test"]["cached"] == true);
  CHECK(again["test"]["eer"] == work.metrics("one")["nodes"]["test"]["eer"]);
  // Another judge of scores that are in the store.
  work.succeed("run p.yaml --data . --out four --set nodes.test.is=evaluator/fusion" + plugin);
  const auto nodes = work.metrics("four")["nodes"];
  CHECK(nodes["near"]["cached"] == true);
  CHECK(nodes["test"]["eer"] == again["test"]["eer"]);
}

TEST_CASE("in the pair task held-out pairs of the training rows are the test") {
  Workplace work;
  prepared(work);
  work.succeed("run p.yaml --data . --out out --set nodes.pairs.held_out=0.25" + plugin);
  const auto pairs = scored_pairs(work, "out/predictions/near.csv");
  CHECK(pairs.size() == 69);  // of 24 * 23 / 2
  for (const auto& p : pairs) CHECK(p.second < 24);
}

TEST_CASE("a model scores pairs of new data, whose classes it need not know") {
  Workplace work;
  prepared(work);
  work.file("new.csv", points(9, 20, 2, 2));
  work.succeed("run p.yaml --data . --out out" + plugin);
  // The very test samples: the same scores, though they are now counted from 0.
  const std::string predict = "predict out/model --data . --set \"nodes.t.test_path=''\" ";
  const auto same = work(predict + "--set nodes.t.path=test.csv --out same" + plugin);
  INFO(same.output);
  REQUIRE(same.exit == 0);
  CHECK(work.content("same/near.npy") == work.content("out/predictions/near.npy"));
  CHECK(scored_pairs(work, "same/near.csv").front().first == 0);
  const auto fresh = work(predict + "--set nodes.t.path=new.csv --out new" + plugin);
  INFO(fresh.output);
  REQUIRE(fresh.exit == 0);
  const auto pairs = scored_pairs(work, "new/near.csv");
  CHECK(pairs.size() == 36);
  for (const auto& p : pairs) CHECK((p.label == "same") == (p.first % 2 == p.second % 2));
  CHECK(fresh.output.find("test: EER ") != std::string::npos);
}

TEST_CASE("solvers of the same pairs are compared, and their sum is judged") {
  Workplace work;
  prepared(work);
  work.file("two.yaml", std::string(pipeline) +
                            "  far:   {is: solver/nearness, factor: 2, from: t, pairs: pairs}\n"
                            "  both:  {is: evaluator/verification, from: [near, far]}\n"
                            "  sum:   {is: evaluator/fusion, from: [near, far]}\n");
  work.succeed("run two.yaml --data . --out out" + plugin);
  const auto nodes = work.metrics("out")["nodes"];
  CHECK(nodes["both"].contains("eer_sem"));
  const auto near = scored_pairs(work, "out/predictions/near.csv");
  auto sum = scored_pairs(work, "out/predictions/far.csv");
  for (std::size_t p = 0; p < sum.size(); ++p) sum[p].score += near[p].score;
  CHECK(nodes["sum"]["eer"].get<double>() == doctest::Approx(counted_eer(sum)).epsilon(0.05));
}

TEST_CASE("studies and cross-validation work on pairs") {
  Workplace work;
  prepared(work);
  work.file("study.yaml",
            "name: s\nstudy:\n  pipeline: p.yaml\n  metric: test.eer\n  better: lower\n"
            "  slots:\n    factor: {path: nodes.near.factor, values: [0.5, 1, 2]}\n");
  const auto study = work("ablate study.yaml --data . --out s" + plugin);
  INFO(study.output);
  CHECK(study.exit == 0);
  // The order of scores does not depend on the threshold.
  CHECK(study.output.find("3 variants, 0 failed; 9 nodes instead of 15") != std::string::npos);
  const auto eer = [&](const std::string& factor) {
    return work.metrics("s/variants/" + factor)["nodes"]["test"]["eer"].get<double>();
  };
  CHECK(eer("factor=0.5") == eer("factor=2"));
  work.file("select.yaml",
            std::string(pipeline) +
                "select: {metric: test.zero_threshold_error, better: lower, folds: 3, parameters: "
                "{f: {path: nodes.near.factor, values: [0.01, 1]}}}\n");
  work.succeed("run select.yaml --data . --out c" + plugin);
  CHECK(work.metrics("c")["selection"].dump().find("0.01") != std::string::npos);
}

TEST_CASE("what cannot work with pairs is refused before anything runs") {
  Workplace work;
  prepared(work);
  const auto expect = [&](const std::string& set, const std::string& message) {
    work.expect("check p.yaml --data ." + plugin + " " + set, 2, message);
  };
  expect("--set nodes.test.is=evaluator/classification",
         "takes scores, but 'near' (solver/nearness) gives scores of pairs");
  expect("--set nodes.near.pairs=t", "takes pairs, but 't' (source/csv) gives samples");
  expect("--set \"nodes.near={is: solver/nearness, from: x}\"", "pairs");
  expect("--set \"nodes.near={is: solver/linear_svm, from: x}\"",
         "takes scores of pairs, but 'near' (solver/linear_svm) gives scores");
}

TEST_CASE("without test pairs there is nothing to judge") {
  Workplace work;
  prepared(work);
  const auto outcome =
      work("run p.yaml --data . --out out --set \"nodes.t.test_path=''\" " + plugin);
  INFO(outcome.output);
  CHECK(outcome.exit == 1);
  CHECK(outcome.output.find("there are no test pairs to evaluate; 'pairs' gives none") !=
        std::string::npos);
}

TEST_CASE("a deadline during training leaves a model and is no failure of the program") {
  Workplace work;
  work.file("p.yaml", R"(name: slow
nodes:
  points: {is: source/double_interval, dimension: 200, task: interclass, classes: 60, examples_per_class: 20}
  pairs:  {is: pairs/all, from: points}
  svm:    {is: solver/pairwise_svm, C: 1000, from: points, pairs: pairs}
  test:   {is: evaluator/verification, from: svm}
)");
  const auto outcome = work("run p.yaml --out out --deadline 1");
  INFO(outcome.output);
  CHECK(outcome.exit == 1);
  CHECK(outcome.output.find("internal error") == std::string::npos);
  CHECK(outcome.output.find("deadline") != std::string::npos);
  CHECK(work.metrics("out")["nodes"]["svm"]["certificate"] == "deadline");
}

}  // namespace pairs_test
