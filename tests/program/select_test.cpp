// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <sstream>
#include <vector>

#include "pipelines.hpp"
#include "program.hpp"
#include "semblance/random.hpp"

namespace select_test {

using namespace semblance::testing;

namespace {

/// Two noisy classes of different size, and a map whose statistics and bases depend on the rows.
std::vector<std::string> samples() {
  semblance::Random random(5);
  std::vector<std::string> lines;
  for (int i = 0; i < 90; ++i) {
    const bool second = i % 3 == 0;
    std::ostringstream line;
    line << random.normal() + (second ? 1.2 : 0) << "," << random.normal() * 3 << ","
         << (second ? "b" : "a");
    lines.push_back(line.str());
  }
  return lines;
}

std::string joined(const std::vector<std::string>& lines, const std::vector<std::size_t>& rows) {
  std::string text;
  for (const std::size_t row : rows) text += lines[row] + "\n";
  return text;
}

std::vector<std::size_t> all_rows() {
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < 90; ++i) rows.push_back(i);
  return rows;
}

const std::string nodes =
    "  x: {is: normalizer/zscore, from: s}\n"
    "  bases: {is: basis/index, per_class: 4, from: s}\n"
    "  map: {is: similarity/rbf, gamma: 1, from: x, bases: bases}\n"
    "  phi: {is: normalizer/mean_norm, from: map}\n"
    "  svm: {is: solver/linear_svm, C: 1, from: phi}\n"
    "  test: {is: evaluator/classification, from: svm}\n";

std::string pipeline(const std::string& train, const std::string& test) {
  return "name: chosen\nseed: 3\nnodes:\n  s: {is: source/csv, path: " + train +
         ", test_path: " + test + "}\n" + nodes;
}

/// The partition by its definition: random order within a class, classes concatenated, assigned in
/// turn.
std::vector<std::size_t> fold_of_row(std::size_t folds, std::uint64_t seed) {
  std::vector<std::vector<std::size_t>> classes(2);
  for (const std::size_t row : all_rows()) classes[row % 3 == 0].push_back(row);
  semblance::Random random(seed);
  std::vector<std::size_t> fold(90);
  std::size_t place = 0;
  for (auto& rows : classes) {
    random.shuffle(std::span(rows));
    for (const std::size_t row : rows) fold[row] = place++ % folds;
  }
  return fold;
}

double error_of(const Workplace& work, const std::string& out) {
  return work.metrics(out)["nodes"]["test"]["error_rate"];
}

}  // namespace

TEST_CASE(
    "with halving, trials that others beat are trained on fewer folds, and no figure changes") {
  const Workplace work;
  const auto write = [&](const char* file, const char* halving) {
    work.file(file, std::string("name: rings\nselect:\n  metric: test.error_rate\n  folds: 3\n") +
                        halving +
                        "  parameters:\n"
                        "    C: {path: nodes.svm.C, values: [0.0001, 0.001, 1, 10, 100]}\n"
                        "    gamma: {path: nodes.svm.kernel.gamma, values: [0.001, 1, 100]}\n" +
                        rings_nodes);
  };
  write("all.yaml", "");
  write("fewer.yaml", "  halving: 3\n");
  work.succeed("run all.yaml --no-cache --out all");
  work.succeed("run fewer.yaml --no-cache --out fewer");
  work.succeed("run fewer.yaml --no-cache --threads 1 --out alone");
  const auto all = work.metrics("all")["selection"], fewer = work.metrics("fewer")["selection"];
  CHECK(fewer["chosen"] == all["chosen"]);
  CHECK(fewer["mean"] == all["mean"]);
  CHECK(work.metrics("alone")["selection"]["trials"] == fewer["trials"]);
  std::size_t trainings = 0;
  for (std::size_t t = 0; t < 15; ++t) {
    const auto& tried = fewer["trials"][t];
    const auto& whole = all["trials"][t];
    trainings += tried["folds"].size();
    CHECK(tried.contains("dropped") == (tried["folds"].size() < 3));
    for (std::size_t f = 0; f < tried["folds"].size(); ++f)
      CHECK(tried["folds"][f] == whole["folds"][f]);
  }
  CHECK(trainings >= 15 + 5 + 3);
  CHECK(trainings < 45);
}

TEST_CASE("select finds what trainings on the folds by hand find") {
  const Workplace work;
  const auto lines = samples();
  // The first row's class is the first class, in every file.
  auto order = all_rows();
  const std::string train = work.file("train.csv", joined(lines, order));
  const std::string test = work.file("test.csv", joined(lines, {0, 1, 2, 3, 4, 5}));
  const std::string file =
      work.file("select.yaml", pipeline(train, test) +
                                   "select:\n  metric: test.error_rate\n  folds: 3\n  parameters:\n"
                                   "    C: {path: nodes.svm.C, values: [0.001, 1, 1000]}\n"
                                   "    gamma: {path: nodes.map.gamma, values: [0.1, 5]}\n");
  const auto outcome = work("run " + file + " --out " + (work.path / "s").string());
  INFO(outcome.output);
  REQUIRE(outcome.exit == 0);
  CHECK(outcome.output.find("chosen C=") != std::string::npos);
  const auto selection = work.metrics("s")["selection"];
  CHECK(selection["folds"] == 3);
  REQUIRE(selection["trials"].size() == 6);

  const auto fold = fold_of_row(3, 3);
  std::vector<std::string> files;
  for (std::size_t f = 0; f < 3; ++f) {
    std::vector<std::size_t> learned, held;
    for (const std::size_t row : all_rows()) (fold[row] == f ? held : learned).push_back(row);
    const std::string number = std::to_string(f);
    files.push_back(work.file("fold" + number + ".yaml",
                              pipeline(work.file("train" + number + ".csv", joined(lines, learned)),
                                       work.file("test" + number + ".csv", joined(lines, held)))));
  }
  double best = 2;
  std::string chosen;
  for (const auto& trial : selection["trials"]) {
    const std::string C = trial["values"]["C"], gamma = trial["values"]["gamma"];
    double sum = 0;
    for (std::size_t f = 0; f < 3; ++f) {
      const std::string out = "by_hand_" + std::to_string(f) + C + gamma;
      work.succeed("run " + files[f] + " --no-cache --set nodes.svm.C=" + C +
                   " --set nodes.map.gamma=" + gamma + " --out " + (work.path / out).string());
      CHECK(error_of(work, out) == trial["folds"][f].get<double>());
      sum += error_of(work, out);
    }
    CHECK(trial["mean"].get<double>() == doctest::Approx(sum / 3));
    if (sum / 3 < best - 1e-12) best = sum / 3, chosen = C + " " + gamma;
  }
  CHECK(selection["chosen"]["C"].get<std::string>() + " " +
            selection["chosen"]["gamma"].get<std::string>() ==
        chosen);

  // The run itself is that of the pipeline with the chosen values.
  const std::string C = selection["chosen"]["C"], gamma = selection["chosen"]["gamma"];
  const std::string plain = work.file("plain.yaml", pipeline(train, test));
  work.succeed("run " + plain + " --no-cache --set nodes.svm.C=" + C +
               " --set nodes.map.gamma=" + gamma + " --out " + (work.path / "p").string());
  CHECK(predictions(work, "p") == predictions(work, "s"));
  CHECK(work.content("s/report.html").find(R"("selection":{"metric")") != std::string::npos);
}

TEST_CASE("a study of pipelines that choose for themselves") {
  const Workplace work;
  const std::string data = work.file("data.csv", joined(samples(), all_rows()));
  const std::string file = work.file(
      "study.yaml",
      pipeline(data, data) +
          "select:\n  metric: test.error_rate\n  folds: 3\n  parameters:\n"
          "    C: {path: nodes.svm.C, values: [0.001, 1]}\n"
          "study:\n  metric: test.error_rate\n  slots:\n"
          "    features: {path: nodes.x.is, values: [normalizer/zscore, normalizer/none]}\n");
  work.succeed("ablate " + file + " --out " + (work.path / "o").string());
  for (const std::string features : {"zscore", "none"}) {
    const auto metrics = work.metrics("o/variants/features=" + features);
    CHECK(metrics["selection"]["trials"].size() == 2);
    // The time that choosing took is the study's time too.
    CHECK(work.metrics("o")["wall_seconds"] > metrics["selection"]["seconds"]);
    const std::string alone = "alone_" + features;
    const std::string single = work.file(
        alone + ".yaml", pipeline(data, data) +
                             "select:\n  metric: test.error_rate\n  folds: 3\n  parameters:\n"
                             "    C: {path: nodes.svm.C, values: [0.001, 1]}\n");
    work.succeed("run " + single + " --no-cache --set nodes.x.is=normalizer/" + features +
                 " --out " + (work.path / alone).string());
    auto expected = work.metrics(alone)["selection"], got = metrics["selection"];
    expected.erase("seconds");
    got.erase("seconds");
    CHECK(got == expected);
    CHECK(metrics["nodes"]["test"]["error_rate"] ==
          work.metrics(alone)["nodes"]["test"]["error_rate"]);
  }
}

}  // namespace select_test
