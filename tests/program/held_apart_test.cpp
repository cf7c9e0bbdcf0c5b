// SPDX-License-Identifier: MIT
// Test pairs are never trained on, whichever component determines them.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>
#include <vector>

#include "program.hpp"
#include "semblance/random.hpp"

namespace held_apart_test {

using namespace semblance::testing;
using semblance::Random;

namespace {

const std::string plugin = " --plugin-path " SEMBLANCE_TEST_PLUGINS "/nearness.so";
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

/// The scores of listed pairs, minus the first score, and whether the pairs are of one class.
std::vector<std::pair<double, std::string>> scores(const Workplace& work) {
  std::istringstream in(work.content("out/predictions/near.csv"));
  std::vector<std::pair<double, std::string>> all;
  std::string line, field;
  std::getline(in, line);
  while (std::getline(in, line)) {
    std::istringstream fields(line);
    std::vector<std::string> of;
    while (std::getline(fields, field, ',')) of.push_back(field);
    all.emplace_back(std::stod(of.back()), of[of.size() - 2]);
  }
  REQUIRE(!all.empty());
  const double first = all.front().first;
  for (auto& [score, label] : all) score -= first;
  return all;
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
  for (const auto& trial : work.metrics("out")["selection"]["trials"])
    CHECK(trial["mean"].get<double>() > 0.38);
}

TEST_CASE("a list's samples are found by their order in the file, however it is divided") {
  const Workplace work;
  work.file("t.csv", noise(5));
  work.file("pairs.txt", protocol(5));
  const std::string near =
      "  near: {is: solver/nearness, from: t, pairs: pairs}\n"
      "  test: {is: evaluator/verification, from: near}\n";
  const auto run = [&](const std::string& table) {
    work.file("p.yaml", "name: near\nnodes:\n  t: {is: source/csv, path: t.csv, label: who" +
                            table +
                            "}\n  pairs: {is: pairs/listed, path: pairs.txt, fold: 1, train: {is: "
                            "pairs/all}, from: t}\n" +
                            near);
    nodes_of(work, plugin);
    return scores(work);
  };
  const auto whole = run("");
  for (const std::string table :
       {", test_fraction: 0.5", ", test_class_fraction: 0.4", ", test_rows: 50"}) {
    const auto divided = run(table);
    REQUIRE(divided.size() == whole.size());
    for (std::size_t p = 0; p < whole.size(); ++p) {
      CHECK(divided[p].second == (p < pairs_each ? "same" : "different"));
      CHECK(divided[p].first == doctest::Approx(whole[p].first).epsilon(1e-4));
    }
  }
}

TEST_CASE("nothing learns from rows that a list tests on, and each fold of a study has its own") {
  const Workplace work;
  work.file("t.csv", noise(6));
  work.file("pairs.txt", protocol(6));
  // The rows of the first fold's people are far away: a normalizer that saw them would show it.
  std::string far = work.content("t.csv");
  const std::string tested[] = {"p0", "p1", "p2", "p3", "p4", "p5", "p6", "p7"};
  std::istringstream in(far);
  std::string text, line;
  while (std::getline(in, line)) {
    const std::string name = line.substr(line.rfind(',') + 1);
    if (std::ranges::find(tested, name) != std::end(tested))
      line.replace(0, line.find(','), "1000000");
    text += line + "\n";
  }
  const auto objective = [&](const std::string& table) {
    work.file("t.csv", table);
    work.file("p.yaml",
              "name: p\nnodes:\n  t: {is: source/csv, path: t.csv, label: who}\n"
              "  x: {is: normalizer/zscore, from: t}\n"
              "  pairs: {is: pairs/listed, path: pairs.txt, fold: 1, train: {is: "
              "pairs/all}, from: t}\n"
              "  near: {is: solver/nearness, from: x, pairs: pairs}\n"
              "  test: {is: evaluator/verification, from: near}\n");
    return nodes_of(work, plugin)["near"]["objective"].get<double>();
  };
  CHECK(objective(text) == objective(far));

  work.file("study.yaml",
            "name: folds\nstudy:\n  pipeline: p.yaml\n  metric: near.objective\n  better: lower\n"
            "  slots:\n    fold: {path: nodes.pairs.fold, values: [1, 2, 3]}\n");
  work.succeed("ablate study.yaml --data . --out s" + plugin);
  for (const std::string fold : {"1", "2", "3"}) {
    const auto alone = nodes_of(work, " --set nodes.pairs.fold=" + fold + plugin);
    const auto nodes = work.metrics("s/variants/fold=" + fold)["nodes"];
    CHECK(nodes["near"]["objective"] == alone["near"]["objective"]);
    CHECK(nodes["pairs"]["train_pairs"] == 96 * 97 / 2);
  }
}

TEST_CASE(
    "what is tested on in the end is no part of a cross-validation, in the pair task either") {
  // a and b are 10 apart, with c in between. All pairs of a and b are test pairs: no other negative
  // pair is as far apart.
  const Workplace work;
  std::string table = "x,class\n", list = "1\t16\n";
  for (int i = 0; i < 4; ++i) table += "0,a\n10,b\n5,c\n";
  int positive = 0;
  for (const char* name : {"a", "b", "c"})
    for (int i = 1; i < 5; ++i)
      for (int j = i + 1; j < 5; ++j)
        if (positive++ < 16)
          list += std::string(name) + " " + std::to_string(i) + " " + std::to_string(j) + "\n";
  for (int i = 1; i < 5; ++i)
    for (int j = 1; j < 5; ++j) list += "b " + std::to_string(i) + " a " + std::to_string(j) + "\n";
  work.file("t.csv", table);
  work.file("pairs.txt", list);
  work.file("p.yaml",
            "name: p\nnodes:\n  t: {is: source/csv, path: t.csv}\n"
            "  pairs: {is: pairs/listed, path: pairs.txt, task: pair, train: {is: pairs/all}, "
            "from: t}\n"
            "  near: {is: solver/nearness, from: t, pairs: pairs}\n"
            "select: {metric: near.objective, better: lower, folds: 2, parameters: {f: {path: "
            "nodes.near.factor, values: [1, 2]}}}\n");
  const auto nodes = nodes_of(work, plugin);
  CHECK(nodes["pairs"]["task"] == "pair");
  CHECK(nodes["pairs"]["train_pairs"] == 12 * 13 / 2 - 32);
  CHECK(nodes["near"]["objective"] == 12.5);
  const auto selection = work.metrics("out")["selection"];
  for (const auto& fold : selection["trials"][0]["folds"]) CHECK(fold == 12.5);
}

TEST_CASE("lists that contradict each other or the source are refused before anything runs") {
  const Workplace work;
  work.file("t.csv", noise(7));
  work.file("pairs.txt", protocol(7));
  const auto problem = [&](const std::string& nodes) {
    work.file("p.yaml", "name: p\nnodes:\n" + nodes);
    return work("run p.yaml --data . --out out" + plugin).output;
  };
  const std::string table = "  t: {is: source/csv, path: t.csv, label: who}\n";
  const auto two = problem(table +
                           "  p1: {is: pairs/listed, path: pairs.txt, fold: 1, from: t}\n"
                           "  p2: {is: pairs/listed, path: pairs.txt, fold: 2, from: t}\n"
                           "  n1: {is: solver/nearness, from: t, pairs: p1}\n"
                           "  n2: {is: solver/nearness, from: t, pairs: p2}\n");
  CHECK_MESSAGE(two.find("the rows of 't' that it keeps from training differ from those of 'p1'; "
                         "give each of them its own source") != std::string::npos,
                two);
  const auto mixed = problem(
      "  t: {is: source/csv, path: t.csv, label: who, test_fraction: 0.5}\n"
      "  p: {is: pairs/listed, path: pairs.txt, task: pair, train: {is: pairs/all}, from: t}\n"
      "  n: {is: solver/nearness, from: t, pairs: p}\n");
  CHECK_MESSAGE(mixed.find("it tests on training rows (the pair of rows ") != std::string::npos,
                mixed);
}

}  // namespace held_apart_test
