// SPDX-License-Identifier: MIT
// A calibrator that gives sets of classes: what is written, and who judges it.
#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <vector>

#include "program.hpp"
#include "semblance/random.hpp"

namespace sets_test {

using namespace semblance::testing;

namespace {

std::string sets_pipeline(const std::string& parameters) {
  return "name: sets\nnodes:\n"
         "  points: {is: source/rings, classes: 3, train: 300, test: 200, noise: 0.5}\n"
         "  bases: {is: basis/all, from: points}\n"
         "  rbf: {is: similarity/rbf, gamma: 1, from: points, bases: bases}\n"
         "  svm: {is: solver/linear_svm, from: rbf}\n"
         "  sets: {is: calibrator/conformal" +
         parameters +
         ", from: svm}\n"
         "  test: {is: evaluator/coverage, bootstrap: 100, from: sets}\n";
}

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream in(line);
  for (std::string field; std::getline(in, field, ',');) fields.push_back(field);
  return fields;
}

}  // namespace

TEST_CASE("the classes of each set are written, and judged by those scores") {
  const Workplace work;
  work.file("p.yaml", sets_pipeline(", coverage: 0.8"));
  work.succeed("run p.yaml --out out");
  std::istringstream lines(work.content("out/predictions/sets.csv"));
  std::string line;
  std::getline(lines, line);
  CHECK(line == "row,label,predicted,set,score 0,score 1,score 2");
  double rows = 0, covered = 0, members = 0;
  while (std::getline(lines, line)) {
    const auto fields = fields_of(line);
    REQUIRE(fields.size() == 7);
    std::string set;
    for (std::size_t c = 0; c < 3; ++c) {
      if (std::stod(fields[4 + c]) < 0) continue;
      set += (set.empty() ? "" : " | ") + std::to_string(c);
      ++members;
      covered += fields[1] == std::to_string(c);
    }
    CHECK(fields[3] == set);
    ++rows;
  }
  CHECK(rows == 200);
  const auto nodes = work.metrics("out")["nodes"];
  CHECK(nodes["test"]["coverage"] == covered / rows);
  CHECK(nodes["test"]["mean_size"] == members / rows);
  CHECK(covered / rows > 0.7);
  CHECK(covered / rows < 0.9);
  CHECK(nodes["sets"]["changed_predictions"] == 0);

  work.succeed("predict out/model --out again");
  CHECK(work.content("again/sets.csv") == work.content("out/predictions/sets.csv"));
  work.succeed("run p.yaml --out one --no-cache --threads 1");
  CHECK(work.content("one/predictions/sets.csv") == work.content("out/predictions/sets.csv"));
}

TEST_CASE("scores that are no sets are refused before anything runs") {
  const Workplace work;
  auto text = sets_pipeline("");
  text.replace(text.rfind("from: sets"), 10, "from: svm ");
  text.erase(text.find("  sets:"), text.find("  test:") - text.find("  sets:"));
  work.file("p.yaml", text);
  work.expect(
      "run p.yaml --out out", 1,
      "node 'test' (evaluator/coverage), while preparing: it judges sets of classes, but the "
      "scores of 'svm' (solver/linear_svm) are none; put calibrator/conformal after it");
}

TEST_CASE("rows on standard input get the sets that a file's rows get") {
  const Workplace work;
  std::ostringstream points, rows;
  points << "x,y,class\n";
  semblance::Random random(3);
  for (int i = 0; i < 240; ++i) {
    const auto c = static_cast<double>(i % 3);
    points << c + 1.5 * random.uniform() << ',' << random.uniform() << ",c" << i % 3 << '\n';
    if (i < 30) rows << 3.5 * random.uniform() << ',' << random.uniform() << '\n';
  }
  work.file("points.csv", points.str());
  std::string text = sets_pipeline(", coverage: 0.8");
  const std::string source = "{is: source/rings, classes: 3, train: 300, test: 200, noise: 0.5}";
  text.replace(text.find(source), source.size(),
               "{is: source/csv, path: points.csv, label: class, test_fraction: 0.3}");
  work.file("p.yaml", text);
  work.succeed("run p.yaml --data . --out out");
  work.file("rows.csv", rows.str());
  work.succeed("predict out/model rows.csv --out given");
  std::istringstream lines(work.content("given/sets.csv"));
  std::string line, csv, json;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    const auto fields = fields_of(line);
    csv += fields[2] + "," + fields[3] + "\n";
    std::string members = fields[3].empty() ? "" : "\"" + fields[3] + "\"";
    for (std::size_t at = 0; (at = members.find(" | ", at)) != std::string::npos;)
      members.replace(at, 3, "\", \"");
    json += "{\"class\": \"" + fields[2] + "\", \"set\": [" + members + "]}\n";
  }
  CHECK(work.shell("$program predict out/model --stdin < rows.csv").output == csv);
  CHECK(work.shell("$program predict out/model --stdin --json < rows.csv").output == json);
}

TEST_CASE("rejected rows have empty sets, and are judged as such") {
  const Workplace work;
  std::string text = sets_pipeline(", share: 0.2");
  text.replace(text.find("calibrator/conformal"), 20, "calibrator/reject");
  work.file("p.yaml", text);
  work.succeed("run p.yaml --out out");
  std::istringstream lines(work.content("out/predictions/sets.csv"));
  std::string line;
  std::getline(lines, line);
  double rejected = 0, right = 0;
  while (std::getline(lines, line)) {
    const auto fields = fields_of(line);
    REQUIRE(fields.size() == 7);
    if (fields[3].empty())
      ++rejected;
    else
      right += fields[3] == fields[1];
    if (!fields[3].empty()) CHECK(fields[3] == fields[2]);
  }
  const auto figures = work.metrics("out").at("nodes").at("test");
  CHECK(figures.at("empty_share").get<double>() == doctest::Approx(rejected / 200));
  CHECK(figures.at("single_accuracy").get<double>() == doctest::Approx(right / (200 - rejected)));
  CHECK(rejected / 200 > 0.05);
  CHECK(rejected / 200 < 0.35);
}

}  // namespace sets_test
