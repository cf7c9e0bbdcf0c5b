// SPDX-License-Identifier: MIT
// A calibrator learns from scores of rows that no node before it has learned from, and its output
// is a result like a solver's.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <sstream>
#include <vector>

#include "program.hpp"
#include "semblance/random.hpp"

namespace calibrators_test {

using namespace semblance::testing;

namespace {

constexpr std::size_t row_count = 120;

/// Three classes of different size that overlap.
std::vector<std::string> samples(std::uint64_t seed) {
  semblance::Random random(seed);
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < row_count; ++i) {
    const std::size_t c = i % 6 == 0 ? 2 : i % 2;
    std::ostringstream line;
    line << random.normal() + (c == 1 ? 1.5 : 0) << "," << 3 * random.normal() + (c == 2 ? 4 : 0)
         << ","
         << "abc"[c];
    lines.push_back(line.str());
  }
  return lines;
}

std::string joined(const std::vector<std::string>& lines,
                   const std::function<bool(std::size_t)>& wanted) {
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (wanted(i)) text += lines[i] + "\n";
  return text;
}
std::string joined(const std::vector<std::string>& lines) {
  return joined(lines, [](std::size_t) { return true; });
}

/// A normalizer, bases and a map, all of which learn, before the solver.
const std::string map_nodes =
    "  x: {is: normalizer/zscore, from: s}\n"
    "  bases: {is: basis/index, per_class: 6, from: s}\n"
    "  map: {is: similarity/rbf, gamma: 1, from: x, bases: bases}\n"
    "  phi: {is: normalizer/mean_norm, from: map}\n"
    "  svm: {is: solver/linear_svm, C: 10, from: phi}\n";

std::string pipeline(const std::string& source, const std::string& calibrator) {
  return "name: calibrated\nseed: 3\nnodes:\n  s: {is: source/csv, " + source + "}\n" + map_nodes +
         "  p: {is: calibrator/" + calibrator +
         ", from: svm}\n  test: {is: evaluator/classification, from: p}\n";
}

std::string rings(const std::string& calibrator, const std::string& more = "") {
  return "name: rings\nnodes:\n"
         "  points: {is: source/rings, classes: 3, train: 150, test: 200, noise: 0.35" +
         more +
         "}\n  bases: {is: basis/all, from: points}\n"
         "  rbf: {is: similarity/rbf, gamma: 1, from: points, bases: bases}\n"
         "  svm: {is: solver/linear_svm, from: rbf}\n"
         "  p: {is: calibrator/" +
         calibrator +
         ", from: svm}\n"
         "  test: {is: evaluator/classification, from: p}\n";
}

/// The partition by its definition: random order within a class, classes concatenated, assigned in
/// turn.
std::vector<std::size_t> fold_of_row(const std::vector<std::string>& lines, std::size_t folds,
                                     std::uint64_t seed) {
  std::map<char, std::vector<std::size_t>> classes;
  // Classes are numbered in the order of first occurrence.
  std::string order;
  for (const auto& line : lines)
    if (order.find(line.back()) == std::string::npos) order += line.back();
  for (std::size_t i = 0; i < lines.size(); ++i) classes[lines[i].back()].push_back(i);
  std::ranges::sort(order);
  semblance::Random random(seed);
  std::vector<std::size_t> fold(lines.size());
  std::size_t place = 0;
  for (const char c : order) {
    random.shuffle(std::span(classes[c]));
    for (const std::size_t row : classes[c]) fold[row] = place++ % folds;
  }
  return fold;
}

struct Row {
  std::string label, predicted;
  std::vector<double> scores;
};

/// The rows of predictions/NODE.csv.
std::vector<Row> rows_of(const std::string& csv) {
  std::istringstream text(csv);
  std::string line;
  std::getline(text, line);
  std::vector<Row> rows;
  while (std::getline(text, line)) {
    std::istringstream fields(line);
    std::string field;
    std::vector<std::string> all;
    while (std::getline(fields, field, ',')) all.push_back(field);
    Row row{all.at(1), all.at(2), {}};
    for (std::size_t i = 3; i < all.size(); ++i) row.scores.push_back(std::stod(all[i]));
    rows.push_back(std::move(row));
  }
  return rows;
}

double softmax_loss(const Row& row) {
  const std::size_t label = std::string("abc").find(row.label);
  double sum = 0;
  for (const double s : row.scores) sum += std::exp(s - row.scores[label]);
  return std::log(sum);
}

}  // namespace

TEST_CASE("held-out scores are those of pipelines that never saw the rows") {
  const Workplace work;
  const auto lines = samples(5);
  constexpr std::size_t folds = 4;
  const auto fold = fold_of_row(lines, folds, 3);
  double loss = 0;
  for (std::size_t f = 0; f < folds; ++f) {
    const std::string number = std::to_string(f);
    const auto train =
        work.file("train" + number + ".csv", joined(lines, [&](auto i) { return fold[i] != f; }));
    const auto test =
        work.file("test" + number + ".csv", joined(lines, [&](auto i) { return fold[i] == f; }));
    work.file("fold.yaml", "name: fold\nseed: 3\nnodes:\n  s: {is: source/csv, path: " + train +
                               ", test_path: " + test + "}\n" + map_nodes);
    work.succeed("run fold.yaml --out f" + number);
    for (const Row& row : rows_of(work.content("f" + number + "/predictions/svm.csv")))
      loss += softmax_loss(row) / row_count;
  }
  const auto train = work.file("train.csv", joined(lines));
  work.file("p.yaml",
            pipeline("path: " + train + ", test_path: " + train, "probabilities, folds: 4"));
  work.succeed("run p.yaml --out out");
  const auto metrics = work.metrics("out")["nodes"]["p"];
  CHECK(metrics["held_out_log_loss_before"].get<double>() == doctest::Approx(loss).epsilon(1e-7));
}

TEST_CASE("what remembers its training rows gets the probability that it is right with") {
  const Workplace work;
  work.file("p.yaml", R"(name: neighbours
nodes:
  points: {is: source/rings, classes: 3, train: 600, test: 2000, noise: 0.5}
  bases: {is: basis/all, from: points}
  map: {is: similarity/rbf, gamma: 1, from: points, bases: bases}
  nn: {is: solver/nearest_neighbour, k: 1, scores: shares, from: map}
  sigmoid: {is: calibrator/probabilities, from: nn}
  isotonic: {is: calibrator/probabilities, method: isotonic, from: nn}
  temperature: {is: calibrator/probabilities, method: temperature, from: nn}
  test: {is: evaluator/classification, from: nn}
  of_sigmoid: {is: evaluator/calibration, bins: 1, from: sigmoid}
  of_isotonic: {is: evaluator/calibration, bins: 1, from: isotonic}
  of_temperature: {is: evaluator/calibration, bins: 1, from: temperature}
)");
  work.succeed("run p.yaml --out out");
  const auto nodes = work.metrics("out")["nodes"];
  const double accuracy = nodes["test"]["accuracy"];
  CHECK(accuracy < 0.85);
  for (const std::string name : {"sigmoid", "isotonic", "temperature"}) {
    CAPTURE(name);
    const double said = nodes["of_" + name]["bins"]["values"][0][1];
    CHECK(std::abs(said - accuracy) < 0.03);
  }
}

TEST_CASE("its predictions are a solver's, and a model's are the same") {
  const Workplace work;
  work.file("p.yaml", rings("probabilities"));
  const auto said = work.succeed("run p.yaml --out out");
  const std::string csv = work.content("out/predictions/p.csv");
  CHECK(csv.starts_with("row,label,predicted,probability 0,probability 1,probability 2\n"));
  CHECK(work.content("out/predictions/svm.csv")
            .starts_with("row,label,predicted,score 0,score 1,score 2\n"));
  const auto rows = rows_of(csv), before = rows_of(work.content("out/predictions/svm.csv"));
  REQUIRE(rows.size() == 200);
  int changed = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& p = rows[i].scores;
    CHECK(p[0] + p[1] + p[2] == doctest::Approx(1));
    const auto best = std::ranges::max_element(p) - p.begin();
    CHECK(rows[i].predicted == std::to_string(best));
    changed += rows[i].predicted != before[i].predicted;
  }
  CHECK(work.metrics("out")["nodes"]["p"]["changed_predictions"] == changed);
  CHECK(changed > 0);
  work.succeed("predict out/model --out again");
  CHECK(work.content("again/p.csv") == csv);

  // The copies that score held-out samples are no part of the result.
  CHECK(!contains(work.content("out/pipeline.yaml"), "fold="));
  CHECK(!contains(work.content("out/model/model.json"), "fold="));
  CHECK(!contains(work.content("out/metrics.json"), "fold="));
  CHECK(!contains(work.content("out/report.html"), "fold="));
  CHECK(std::filesystem::is_empty(work.path / "out/model/nodes/p") == false);
  CHECK(std::distance(std::filesystem::directory_iterator(work.path / "out/predictions"), {}) == 4);
  work.succeed("run out/pipeline.yaml --out twice");
  CHECK(predictions(work, "twice") == predictions(work, "out"));
}

TEST_CASE("threads, memory and the store change no bit") {
  const Workplace work;
  work.file("p.yaml", rings("probabilities, method: isotonic, folds: 3"));
  work.succeed("run p.yaml --out one --no-cache --threads 1");
  work.succeed("run p.yaml --out two --threads 4 --memory 112M");
  work.succeed("run p.yaml --out three");
  CHECK(predictions(work, "one") == predictions(work, "two"));
  CHECK(predictions(work, "one") == predictions(work, "three"));
  CHECK(results_of(work, "one") == results_of(work, "two"));
  CHECK(results_of(work, "one") == results_of(work, "three"));
}

TEST_CASE(
    "the store keeps held-out scores for other calibrators, and nothing is done for one that "
    "has learned") {
  const Workplace work;
  work.file("p.yaml", rings("probabilities"));
  CHECK(contains(work.succeed("plan p.yaml"), "svm[fold=5 of 5]"));
  work.succeed("run p.yaml --out one");
  CHECK(!contains(work.succeed("plan p.yaml"), "fold="));
  work.file("other.yaml", rings("probabilities, method: isotonic"));
  const auto said = work.succeed("run other.yaml --out two --log-level info");
  CHECK(contains(said, "svm[fold=5 of 5]: from the store"));
  CHECK(!contains(said, "svm[fold=5 of 5]: finished"));
  // Other folds are others.
  work.file("folds.yaml", rings("probabilities, folds: 3"));
  CHECK(contains(work.succeed("run folds.yaml --out three --log-level info"),
                 "svm[fold=3 of 3]: finished"));
  CHECK(predictions(work, "three") != predictions(work, "one"));
}

TEST_CASE("a remark about the data appears once, not for every fold") {
  const Workplace work;
  auto lines = samples(5);
  for (auto& line : lines) line.insert(0, "7,");
  work.file("p.yaml", "name: constant\nnodes:\n  s: {is: source/csv, test_fraction: 0.3, path: " +
                          work.file("t.csv", joined(lines)) +
                          "}\n  svm: {is: solver/linear_svm, from: s}\n"
                          "  p: {is: calibrator/probabilities, from: svm}\n");
  const auto said = work.succeed("run p.yaml --out out");
  const std::string remark = "has the same value in all training rows";
  CHECK(contains(said, remark));
  CHECK(said.output.find(remark) == said.output.rfind(remark));
}

TEST_CASE("without test rows there is a model all the same") {
  const Workplace work;
  const auto lines = samples(5);
  const auto train = work.file("train.csv", joined(lines));
  const auto fresh = work.file("new.csv", joined(samples(6)));
  auto text = pipeline("path: " + train + ", test_fraction: 0", "probabilities");
  text.erase(text.find("  test:"));
  work.file("p.yaml", text);
  work.succeed("run p.yaml --out out");
  work.file("q.yaml", pipeline("path: " + train + ", test_path: " + fresh, "probabilities"));
  work.succeed("run q.yaml --out other");
  work.succeed("predict out/model " + fresh + " --out new");
  const auto predicted = rows_of(work.content("new/p.csv"));
  const auto tested = rows_of(work.content("other/predictions/p.csv"));
  REQUIRE(predicted.size() == tested.size());
  for (std::size_t i = 0; i < tested.size(); ++i) CHECK(predicted[i].scores == tested[i].scores);
}

TEST_CASE("a selection by a figure before the calibrator does not calibrate its trials") {
  const Workplace work;
  const std::string select =
      "select:\n  metric: before.error_rate\n  folds: 3\n"
      "  parameters: {C: {path: nodes.svm.C, values: [0.1, 10]}}\n";
  work.file("p.yaml", rings("probabilities, folds: 2") +
                          "  before: {is: evaluator/classification, from: svm}\n" + select);
  const auto said = work.succeed("run p.yaml --out out --log-level info");
  std::size_t trained = 0;
  for (std::size_t at = 0; (at = said.output.find("of 2]: finished", at)) != std::string::npos;
       ++at)
    trained += said.output.substr(said.output.rfind('\n', at) + 1).starts_with("info: svm[fold=");
  CHECK(trained == 2);  // the chosen pipeline's two folds
}

TEST_CASE("a selection by a figure behind the calibrator holds out rows of held-in rows") {
  const Workplace work;
  const auto lines = samples(5);
  const auto all = work.file("all.csv", joined(lines));
  constexpr std::size_t folds = 3;
  const auto fold = fold_of_row(lines, folds, 3);
  std::vector<double> losses;
  for (std::size_t f = 0; f < folds; ++f) {
    const std::string number = std::to_string(f);
    const auto train =
        work.file("train" + number + ".csv", joined(lines, [&](auto i) { return fold[i] != f; }));
    const auto test =
        work.file("test" + number + ".csv", joined(lines, [&](auto i) { return fold[i] == f; }));
    work.file("fold.yaml",
              pipeline("path: " + train + ", test_path: " + test, "probabilities, folds: 4"));
    work.succeed("run fold.yaml --out f" + number);
    losses.push_back(work.metrics("f" + number)["nodes"]["test"]["log_loss"]);
  }
  work.file("p.yaml", pipeline("path: " + all + ", test_path: " + all, "probabilities, folds: 4") +
                          "select:\n  metric: test.log_loss\n  folds: 3\n"
                          "  parameters: {C: {path: nodes.svm.C, values: [10, 0.01]}}\n");
  work.succeed("run p.yaml --out out");
  const auto trial = work.metrics("out")["selection"]["trials"][0];
  for (std::size_t f = 0; f < folds; ++f) {
    CAPTURE(trial.dump());
    CHECK(trial["folds"][f].get<double>() == doctest::Approx(losses[f]).epsilon(1e-9));
  }
}

TEST_CASE("variants of a study share what they hold out") {
  const Workplace work;
  work.file("s.yaml", rings("probabilities, folds: 3") +
                          "study:\n  metric: test.log_loss\n  slots:\n    method:\n"
                          "      sigmoid: {}\n"
                          "      isotonic: {nodes.p.method: isotonic}\n");
  const auto said = work.succeed("ablate s.yaml --out out");
  // Four nodes, and a copy of each for a fold, are in both; a calibrator and an evaluator in one.
  CHECK(contains(said, "20 nodes instead of 36"));
  work.file("p.yaml", rings("probabilities, method: isotonic, folds: 3"));
  work.succeed("run p.yaml --out single --no-cache");
  CHECK(work.content("out/variants/method=isotonic/predictions/p.csv") ==
        work.content("single/predictions/p.csv"));
}

TEST_CASE("evaluators look through it at the solver and the maps") {
  const Workplace work;
  work.file("p.yaml", R"(name: looked_at
nodes:
  points: {is: source/rings, classes: 2, train: 200, test: 100, noise: 0.4}
  bases: {is: basis/index, per_class: 10, from: points}
  rbf: {is: similarity/rbf, gamma: 1, from: points, bases: bases}
  svm: {is: solver/linear_svm, from: rbf}
  p: {is: calibrator/probabilities, folds: 3, from: svm}
  size: {is: evaluator/complexity, from: p}
  size_before: {is: evaluator/complexity, from: svm}
  wrong: {is: evaluator/errors, from: p}
  order: {is: evaluator/ranking, from: p}
  order_before: {is: evaluator/ranking, from: svm}
  plane: {is: evaluator/boundary, from: p}
  ml3: {is: solver/ml3, models: 3, iterations: 3, from: rbf}
  q: {is: calibrator/probabilities, method: isotonic, folds: 2, from: ml3}
  who: {is: evaluator/assignments, from: q}
)");
  work.succeed("run p.yaml --out out");
  auto nodes = work.metrics("out")["nodes"];
  for (const char* part : {"component", "seconds", "cached"}) {
    nodes["size"].erase(part);
    nodes["size_before"].erase(part);
  }
  CHECK(nodes["size"] == nodes["size_before"]);
  // A sigmoid of the difference of two scores changes no order.
  CHECK(nodes["order"]["auc"] == nodes["order_before"]["auc"]);
  CHECK(nodes.contains("who"));
}

TEST_CASE("sparse rows, and rows that differ in size, are held out like others") {
  const Workplace work;
  semblance::Random random(3);
  std::string counts, names;
  for (int i = 0; i < 80; ++i) {
    counts += std::to_string(i % 2);
    for (int c = 1; c < 12; ++c)
      if (random.below(c % 2 == i % 2 ? 2 : 5) == 0) counts += " " + std::to_string(c) + ":1";
    counts += "\n";
    names += i % 2 ? "vowels\t" : "stops\t";
    for (std::uint64_t k = 0; k < 3 + random.below(4); ++k)
      names += random.below(4) == 0 ? 'x' : i % 2 ? "aeo"[random.below(3)] : "bdt"[random.below(3)];
    names += "\n";
  }
  work.file(
      "s.yaml",
      "name: sparse\nnodes:\n  s: {is: source/libsvm, path: " + work.file("counts.svm", counts) +
          ", rows: sparse, test_fraction: 0.25}\n  x: {is: normalizer/tfidf, from: s}\n"
          "  svm: {is: solver/linear_svm, from: x}\n"
          "  p: {is: calibrator/probabilities, from: svm}\n"
          "  test: {is: evaluator/calibration, from: p}\n");
  work.file("n.yaml", "name: names\nnodes:\n  s: {is: source/strings, path: " +
                          work.file("names.tsv", names) +
                          ", test_fraction: 0.25}\n  svm: {is: solver/kernel_svm, kernel: {is: "
                          "similarity/subsequence}, "
                          "from: s}\n"
                          "  p: {is: calibrator/probabilities, method: temperature, from: svm}\n"
                          "  test: {is: evaluator/calibration, from: p}\n");
  for (const std::string file : {"s.yaml", "n.yaml"}) {
    work.succeed("run " + file + " --out " + file + ".out");
    CHECK(work.metrics(file + ".out")["nodes"]["p"]["held_out_log_loss"] < 0.6);
  }
}

TEST_CASE("what a calibrator cannot stand behind, or hold out, is refused") {
  const Workplace work;
  work.file("p.yaml", rings("probabilities"));
  const auto refused = [&](const std::string& set, const std::string& message) {
    work.expect("check p.yaml --set '" + set + "'", 2, message);
  };
  refused(
      "nodes.p.from=points",
      "'from' of calibrator/probabilities takes scores, but 'points' (source/rings) gives samples");
  refused("nodes.p.from=test",
          "'from' of calibrator/probabilities takes scores, but 'test' "
          "(evaluator/classification) gives a report");
  refused("nodes.p.folds=1", "'folds' must be in the range [2, 1000], got 1");
  refused("nodes.p.folds=1001", "'folds' must be in the range [2, 1000], got 1001");
  refused("nodes.p.folds=2.5", "'folds' is 2.5; give it a whole number, or leave_one_out");
  refused("nodes.p.fold=5", "did you mean 'folds'?");
  work.file("twice.yaml", rings("probabilities") +
                              "  q: {is: calibrator/probabilities, method: isotonic, from: p}\n");
  work.expect("check twice.yaml", 2,
              "'from' of calibrator/probabilities takes the scores of a solver, but 'p' "
              "(calibrator/probabilities) is a calibrator itself");
  work.expect("check twice.yaml", 2, "write from: svm, so that both learn from the same solver");
  work.file("few.yaml", rings("probabilities, folds: 9"));
  work.expect("run few.yaml --set nodes.points.train=12 --out out", 0, "accuracy");
  work.expect("run few.yaml --set nodes.points.train=4 --set nodes.p.folds=4 --out out", 1,
              "class '1' has a single training row, but the calibrator holds out each row once");
  work.file("cost.yaml", rings("threshold, costs: {fraud: 3}"));
  work.expect("run cost.yaml --out out", 1,
              "'costs' names the class 'fraud', but the classes are '0', '1', '2'");
  work.file("judged.yaml", rings("threshold, recall: 0.9, of: \"2\"") +
                               "  r: {is: evaluator/calibration, from: p}\n");
  work.expect("run judged.yaml --out out", 1, "the scores of 'p' (calibrator/threshold) are not");
}

TEST_CASE("calibrators of the previous version name the method that remains") {
  const Workplace work;
  for (const std::string method : {"platt", "isotonic", "temperature"})
    work.file(method + ".yaml", rings(method));
  work.expect("check platt.yaml", 2, "'calibrator/platt' is gone");
  work.expect("check platt.yaml", 2, "write is: calibrator/probabilities, method: sigmoid");
  work.expect("check isotonic.yaml", 2, "write is: calibrator/probabilities, method: isotonic");
  work.expect("check temperature.yaml", 2,
              "write is: calibrator/probabilities, method: temperature");
}

TEST_CASE("rows that weigh more count more in probabilities") {
  const Workplace work;
  // Values are uninformative: the probability of a class is its share of the weights.
  semblance::Random random(4);
  std::string text = "x,w,class\n";
  for (int i = 0; i < 400; ++i)
    text += std::to_string(random.normal()) + (i % 2 ? ",3,a\n" : ",1,b\n");
  work.file("t.csv", text);
  for (const std::string method : {"sigmoid", "isotonic"}) {
    CAPTURE(method);
    work.file(
        "p.yaml",
        "name: weighted\nnodes:\n"
        "  s: {is: source/csv, path: t.csv, label: class, weight: w, test_fraction: 0.25}\n"
        "  svm: {is: solver/linear_svm, from: s}\n  p: {is: calibrator/probabilities, method: " +
            method + ", from: svm}\n");
    work.succeed("run p.yaml --data . --out " + method);
    double sum = 0;
    const auto rows = rows_of(work.content(method + "/predictions/p.csv"));
    for (const Row& row : rows) sum += row.scores[0] / static_cast<double>(rows.size());
    CHECK(std::abs(sum - 0.75) < 0.03);
  }
}

TEST_CASE("a threshold finds a rare class as often as wanted") {
  const Workplace work;
  work.file("p.yaml", R"(name: rare
nodes:
  points: {is: source/clusters, classes: 2, train: 2000, test: 4000, spread: 1}
  svm: {is: solver/linear_svm, from: points}
  p: {is: calibrator/threshold, recall: 0.95, of: "1", from: svm}
  before: {is: evaluator/classification, from: svm}
  test: {is: evaluator/classification, from: p}
)");
  work.succeed("run p.yaml --out out");
  const auto nodes = work.metrics("out")["nodes"];
  const double held_out = nodes["p"]["held_out_recall"];
  CHECK(held_out >= 0.95);
  const auto recall = [&](const std::string& node) {
    return nodes[node]["classes"]["values"][1][1].get<double>();
  };
  CHECK(std::abs(recall("test") - held_out) < 0.03);
}

}  // namespace calibrators_test
