// SPDX-License-Identifier: MIT
// Test pairs are never trained on, whichever component determines them.
#include <doctest/doctest.h>

#include <array>
#include <sstream>
#include <vector>

#include "program.hpp"
#include "semblance/random.hpp"

namespace held_apart_test {

using namespace semblance::testing;
using semblance::Random;

namespace {

constexpr int people = 24, rows_each = 6, pairs_each = 100;

/// People with uninformative rows, in mixed order.
std::string noise(std::uint64_t seed) {
  Random random(seed);
  std::vector<int> who;
  for (int i = 0; i < people * rows_each; ++i) who.push_back(i % people);
  random.shuffle(std::span(who));
  std::ostringstream text;
  text << "a,b,c,d,e,f,g,h,who\n";
  for (const int person : who) {
    for (int k = 0; k < 8; ++k) text << random.normal() << ",";
    text << "p" << person << "\n";
  }
  return text.str();
}

/// Three folds of eight people, as Labeled Faces in the Wild has ten.
std::string protocol(std::uint64_t seed) {
  Random random(seed);
  std::ostringstream text;
  text << "3\t" << pairs_each << "\n";
  const auto row = [&] { return 1 + random.below(rows_each); };
  for (int fold = 0; fold < 3; ++fold) {
    const auto person = [&] { return 8 * fold + static_cast<int>(random.below(8)); };
    for (int k = 0; k < pairs_each; ++k) {
      const auto first = row();
      text << "p" << person() << "\t" << first << "\t" << first % rows_each + 1 << "\n";
    }
    for (int k = 0; k < pairs_each; ++k) {
      const int one = person();
      const int other = 8 * fold + (one + 1 + static_cast<int>(random.below(7))) % 8;
      text << "p" << one << "\t" << row() << "\tp" << other << "\t" << row() << "\n";
    }
  }
  return text.str();
}

/// A machine that knows its training pairs by heart.
const std::string learner =
    "  x: {is: normalizer/zscore, from: t}\n"
    "  svm: {is: solver/pairwise_newton, C: 10, tolerance: 0.1, kernel: {is: "
    "pair_kernel/tensor_learning, kernel: {is: similarity/rbf, gamma: 1}}, from: x, pairs: "
    "pairs}\n"
    "  test: {is: evaluator/verification, from: svm}\n";

std::string pipeline(const std::string& table, const std::string& pairs) {
  return "name: noise\nnodes:\n  t: {is: source/csv, path: t.csv, label: who" + table +
         "}\n  pairs: {is: pairs/listed, path: pairs.txt, from: t" + pairs + "}\n" + learner;
}

nlohmann::json nodes_of(const Workplace& work, const std::string& options = "") {
  work.succeed("run p.yaml --data . --quiet --no-cache --out out" + options);
  return work.metrics("out")["nodes"];
}

}  // namespace

TEST_CASE("on noise, listed pairs are recognized by chance, however the table is divided" *
          doctest::skip(sanitized)) {
  double sum = 0;
  int count = 0;
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Workplace work;
    work.file("t.csv", noise(seed));
    work.file("pairs.txt", protocol(seed));
    const std::string train = ", train: {is: pairs/all}";
    for (const auto& [table, pairs, task] : std::vector<std::array<std::string, 3>>{
             {"", ", fold: 1" + train, "interclass"},
             {", test_fraction: 0.3", ", fold: 2" + train, "interclass"},
             {", test_class_fraction: 0.3", ", fold: 3" + train, "interclass"},
             {", test_rows: 40", ", fold: 1, task: interexample" + train, "interclass"},
             {"", ", fold: 2", "interclass"}}) {
      work.file("p.yaml", pipeline(table, pairs));
      const auto nodes = nodes_of(work, " --seed " + std::to_string(seed));
      CHECK(nodes["pairs"]["test_pairs"] == 2 * pairs_each);
      CHECK(nodes["pairs"]["task"] == task);
      const double eer = nodes["test"]["eer"];
      CAPTURE(table);
      CAPTURE(pairs);
      CHECK(eer > 0.33);  // the standard deviation of a hundred pairs a side is 0.05
      sum += eer, ++count;
    }
  }
  CHECK(sum / count > 0.46);
}

TEST_CASE("on noise, cross-validation is by chance too, and so is what it chooses" *
          doctest::skip(sanitized)) {
  const Workplace work;
  work.file("t.csv", noise(4));
  work.file("pairs.txt", protocol(4));
  work.file("p.yaml",
            pipeline("", ", fold: 1, train: {is: pairs/all}") +
                "select: {metric: test.eer, better: lower, folds: 3, parameters: {C: {path: "
                "nodes.svm.C, values: [0.1, 10]}}}\n");
  CHECK(nodes_of(work)["test"]["eer"].get<double>() > 0.33);
  const nlohmann::json metrics = work.metrics("out");
  const nlohmann::json& trials = metrics.at("selection").at("trials");
  CHECK(trials.size() == 2);
  for (const auto& trial : trials) CHECK(trial["mean"].get<double>() > 0.38);
}

}  // namespace held_apart_test
