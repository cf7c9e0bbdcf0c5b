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

TEST_CASE("select takes the parameters with the highest accuracy, without 'better'") {
  const Workplace work;
  work.file("p.yaml", R"(name: rings
select:
  metric: test.accuracy
  folds: 3
  parameters:
    C: {path: nodes.svm.C, values: [0.0001, 1]}
)" + rings_nodes);
  const auto outcome = work("run p.yaml --out out");
  INFO(outcome.output);
  REQUIRE(outcome.exit == 0);
  CHECK(outcome.output.find("chosen C=1: test.accuracy ") != std::string::npos);
  const auto metrics = work.metrics("out");
  CHECK(metrics["selection"]["better"] == "higher");
  CHECK(metrics["selection"]["chosen"]["C"] == "1");
  CHECK(metrics["nodes"]["test"]["accuracy"].get<double>() > 0.9);
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
  CHECK(work.content("s/report.html").find("Cross-validation") != std::string::npos);
}

TEST_CASE("the choice does not depend on threads nor on the store") {
  const Workplace work;
  const std::string data = work.file("data.csv", joined(samples(), all_rows()));
  const std::string file =
      work.file("select.yaml", pipeline(data, data) +
                                   "select:\n  metric: test.error_rate\n  parameters:\n"
                                   "    C: {path: nodes.svm.C, values: [0.001, 0.1, 1, 1000]}\n");
  std::vector<nlohmann::json> found;
  for (const std::string options : {"--threads 1 --no-cache", "--threads 3", "--threads 2"}) {
    const std::string out = "o" + std::to_string(found.size());
    work.succeed("run " + file + " " + options + " --out " + (work.path / out).string());
    auto selection = work.metrics(out)["selection"];
    selection.erase("seconds");
    found.push_back(selection);
  }
  CHECK(found[0] == found[1]);
  CHECK(found[1] == found[2]);
}

TEST_CASE("a similarity matrix keeps its columns in a fold") {
  // Row i of the matrix has the similarities of training sample i to each training sample; the last
  // rows are for testing. If a fold used columns other than those of its rows, this could not be
  // learned.
  const Workplace work;
  std::ostringstream text;
  for (int i = 0; i < 40; ++i) {
    for (int j = 0; j < 30; ++j) text << (i % 2 == j % 2 ? 1 : 0) + (i == j ? 5 : 0) << ",";
    text << (i % 2 ? "odd" : "even") << "\n";
  }
  const std::string matrix = text.str();
  std::size_t cut = 0;
  for (int line = 0; line < 30; ++line) cut = matrix.find('\n', cut) + 1;
  const std::string train = work.file("train.csv", matrix.substr(0, cut));
  const std::string test = work.file("test.csv", matrix.substr(cut));
  const std::string file =
      work.file("select.yaml", "name: matrix\nnodes:\n  s: {is: source/csv, path: " + train +
                                   ", test_path: " + test +
                                   "}\n  bases: {is: basis/all, from: s}\n"
                                   "  map: {is: similarity/precomputed, from: s, bases: bases}\n"
                                   "  svm: {is: solver/linear_svm, from: map}\n"
                                   "  test: {is: evaluator/classification, from: svm}\n"
                                   "select: {metric: test.error_rate, folds: 5}\n");
  const auto outcome = work("run " + file + " --out " + (work.path / "o").string());
  INFO(outcome.output);
  REQUIRE(outcome.exit == 0);
  CHECK(outcome.output.find("validated: test.error_rate 0.00 % ") != std::string::npos);
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

TEST_CASE(
    "without test rows a cross-validation ends with its own figures and a model of all rows") {
  const Workplace work;
  const std::string data = work.file("data.csv", joined(samples(), all_rows()));
  const std::string only =
      "name: validated\nseed: 3\nnodes:\n  s: {is: source/csv, path: " + data + "}\n" + nodes;
  const std::string select = "select: {metric: test.error_rate, folds: 10}\n";
  for (const std::string options : {"--no-cache", "", ""}) {
    const auto outcome = work("run " + work.file("w.yaml", only + select) + " " + options +
                              " --out " + (work.path / "o").string());
    INFO(outcome.output);
    REQUIRE(outcome.exit == 0);
    CHECK(outcome.output.find("validated: test.error_rate ") != std::string::npos);
    CHECK(outcome.output.find("standard deviation") != std::string::npos);
    CHECK(outcome.output.find("each fold:") != std::string::npos);
    CHECK(outcome.output.find("the model is trained on all rows") != std::string::npos);
    const auto selection = work.metrics("o")["selection"];
    const std::vector<double> folds = selection["trials"][0]["folds"];
    REQUIRE(folds.size() == 10);
    double mean = 0, squares = 0;
    for (const double fold : folds) mean += fold / 10;
    for (const double fold : folds) squares += (fold - mean) * (fold - mean) / 9;
    CHECK(selection["mean"].get<double>() == doctest::Approx(mean));
    CHECK(selection["deviation"].get<double>() == doctest::Approx(std::sqrt(squares)));
    const std::string page = work.content("o/report.html");
    CHECK(page.find("test, cross-validated") != std::string::npos);
    CHECK(page.find("fold 10") != std::string::npos);
    CHECK(std::filesystem::exists(work.path / "o/model/model.json"));
  }
  const auto planned = work("plan " + (work.path / "w.yaml").string());
  CHECK_MESSAGE(planned.exit == 0, planned.output);
  const auto predicted =
      work("predict " + (work.path / "o/model").string() + " --out " + (work.path / "q").string());
  CHECK_MESSAGE(predicted.output.find("90 rows predicted") != std::string::npos, predicted.output);
  // It is the model of training on these rows, whatever the test data.
  const std::string test = work.file("test.csv", joined(samples(), {0, 1, 2, 3, 4, 5}));
  work.succeed("run " + work.file("t.yaml", pipeline(data, test)) + " --no-cache --out " +
               (work.path / "t").string());
  CHECK(work.metrics("o")["nodes"]["svm"]["objective"] ==
        work.metrics("t")["nodes"]["svm"]["objective"]);
  SUBCASE("with parameters to choose too") {
    work.expect("run " +
                    work.file("c.yaml", only + "select:\n  metric: test.error_rate\n"
                                               "  folds: 3\n  parameters:\n"
                                               "    C: {path: nodes.svm.C, values: "
                                               "[0.001, 1, 10]}\n") +
                    " --out " + (work.path / "c").string(),
                0, "chosen C=");
  }
  SUBCASE("without a select it is an error, before anything is trained") {
    const auto refused = work("run " + work.file("n.yaml", only) + " --no-cache --out " +
                              (work.path / "n").string());
    INFO(refused.output);
    CHECK(refused.exit == 1);
    CHECK(refused.output.find("there are no test rows to evaluate; give the source 's' some") !=
          std::string::npos);
    CHECK(refused.output.find("svm: done") == std::string::npos);
  }
}

TEST_CASE("pairs that only the folds can judge") {
  const Workplace work;
  const std::string file = work.file("p.yaml", R"(name: pairs
nodes:
  points: {is: source/checkerboard, task: pair, side: 10, classes: 10, examples_per_class: 6}
  pairs:  {is: pairs/all, from: points}
  svm:    {is: solver/pairwise_newton, kernel: {is: pair_kernel/metric_learning}, from: points, pairs: pairs}
  test:   {is: evaluator/verification, from: svm}
select: {metric: test.eer, folds: 3}
)");
  const auto outcome = work("run " + file + " --out " + (work.path / "o").string());
  INFO(outcome.output);
  CHECK(outcome.exit == 0);
  CHECK(work.metrics("o")["selection"]["trials"][0]["folds"].size() == 3);
}

TEST_CASE("selections that cannot be made") {
  const Workplace work;
  const std::string data = work.file("data.csv", joined(samples(), all_rows()));
  const auto run = [&](const std::string& select) {
    const auto outcome = work("run " + work.file("w.yaml", pipeline(data, data) + select) +
                              " --out " + (work.path / "o").string());
    return std::pair(outcome.exit, outcome.output);
  };
  const auto [too_many, message] = run("select: {metric: test.error_rate, folds: 91}\n");
  CHECK(too_many == 1);
  CHECK_MESSAGE(message.find("91 folds need at least as many training rows, but there are 90;") !=
                    std::string::npos,
                message);
  // All folds use the same data, so their problems are reported once.
  const std::string made = "folds need at least";
  CHECK_MESSAGE(message.find(made) == message.rfind(made), message);
  const auto [no_figure, said] = run("select: {metric: test.erorr_rate}\n");
  CHECK(no_figure == 2);
  CHECK_MESSAGE(said.find("reports no figure 'erorr_rate'") != std::string::npos, said);
  CHECK_MESSAGE(said.find("did you mean 'error_rate'?") != std::string::npos, said);
  const auto [wrong, told] = run("select: {metric: test.error_rate, folds: one}\n");
  CHECK(wrong == 2);
  CHECK_MESSAGE(told.find("'folds' must be a number") != std::string::npos, told);
}

TEST_CASE("what a source has to say of its data it says once, whatever the folds") {
  const Workplace work;
  std::string table = "0,1,label\n";
  for (int i = 0; i < 40; ++i)
    table += std::to_string(i % 7) + "," + std::to_string(i % 5) + (i % 2 ? ",a\n" : ",b\n");
  work.file("pandas.csv", table);
  const auto outcome =
      work("run " +
           work.file("w.yaml",
                     pipeline("pandas.csv", "pandas.csv") + "select: {metric: test.error_rate}\n") +
           " --quiet --data " + work.path.string() + " --out " + (work.path / "o").string());
  INFO(outcome.output);
  REQUIRE(outcome.exit == 0);
  CHECK(outcome.output.find("is taken as column names") != std::string::npos);
  CHECK(outcome.output.find("[fold=") == std::string::npos);
}

}  // namespace select_test
