// SPDX-License-Identifier: MIT
// Novelty at a false discovery rate: the rows of a batch are judged together, wherever they come
// from.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

#include "http_client.hpp"
#include "program.hpp"
#include "semblance/random.hpp"

namespace novelty_test {

using namespace semblance::testing;

namespace {

struct Row {
  std::string predicted;
  double score = 0;
};

std::vector<Row> rows_of(const std::string& csv) {
  std::istringstream lines(csv);
  std::string line;
  std::getline(lines, line);
  CHECK(line.starts_with("row,label,predicted,score"));
  std::vector<Row> rows;
  while (std::getline(lines, line)) {
    std::istringstream fields(line);
    std::string field[4];
    for (std::string& one : field) std::getline(fields, one, ',');
    rows.push_back({field[2], std::stod(field[3])});
  }
  return rows;
}

/// The rows that Benjamini and Hochberg reject, by trying each number of them.
std::size_t discoveries(std::vector<double> p, double rate) {
  std::ranges::sort(p);
  std::size_t found = 0;
  for (std::size_t k = 1; k <= p.size(); ++k)
    if (p[k - 1] <= rate * double(k) / double(p.size()) * (1 + 1e-6)) found = k;
  return found;
}

/// Checks one batch, and returns the number of novel rows.
std::size_t check_batch(const std::vector<Row>& rows, double rate) {
  std::vector<double> p;
  std::size_t novel = 0;
  for (const Row& row : rows) {
    CHECK((row.predicted == "novel") == (row.score < 0));
    p.push_back(row.score < 0 ? row.score + 1 : row.score);
    novel += row.score < 0;
  }
  CHECK(novel == discoveries(p, rate));
  return novel;
}

std::string table(std::size_t usual, std::size_t odd, std::uint64_t seed, bool labels) {
  semblance::Random random(seed);
  std::ostringstream text;
  text << (labels ? "a,b,class\n" : "a,b\n");
  for (std::size_t i = 0; i < usual + odd; ++i)
    text << random.normal() + (i < usual ? 0 : 6) << "," << random.normal()
         << (!labels     ? "\n"
             : i < usual ? ",usual\n"
                         : ",odd\n");
  return text.str();
}

const std::string nodes =
    "nodes:\n"
    "  rows:  {is: source/csv, path: train.csv, label: class, test_path: test.csv}\n"
    "  near:  {is: solver/neighbour_novelty, normal: usual, from: rows}\n"
    "  found: {is: calibrator/false_discoveries, rate: 0.2, from: near}\n"
    "  test:  {is: evaluator/novelty, normal: usual, from: found}\n";

}  // namespace

TEST_CASE("rows of a run, a prediction and a request are judged together") {
  const Workplace work;
  work.file("train.csv", table(200, 2, 1, true));
  work.file("test.csv", table(60, 20, 2, true));
  work.file("new.csv", table(30, 3, 3, true));
  work.file("p.yaml", "name: found\n" + nodes);
  work.succeed("run p.yaml --data . --out out");
  const std::string csv = work.content("out/predictions/found.csv");
  CHECK(check_batch(rows_of(csv), 0.2) >= 20);
  const auto figures = work.metrics("out")["nodes"]["test"];
  CHECK(figures["rejected_novel"] == 1);
  CHECK(figures["false_discoveries"].get<double>() ==
        doctest::Approx(1 - 20.0 / double(check_batch(rows_of(csv), 0.2))));
  // From the store, and from the model.
  work.succeed("run p.yaml --data . --out again --threads 1");
  CHECK(work.content("again/predictions/found.csv") == csv);
  work.succeed("predict out/model test.csv --out p");
  const auto predicted = rows_of(work.content("p/found.csv")), run = rows_of(csv);
  REQUIRE(predicted.size() == run.size());
  for (std::size_t i = 0; i < run.size(); ++i) CHECK(predicted[i].score == run[i].score);
  work.succeed("predict out/model new.csv --out new");
  const auto few = rows_of(work.content("new/found.csv"));
  CHECK(few.size() == 33);
  CHECK(check_batch(few, 0.2) >= 3);
  // A request is a batch; lines are none.
  const Served served(work, "out/model");
  const auto reply =
      exchange(served.port(), post("text/csv; header=present", table(30, 3, 3, false)));
  REQUIRE(reply.status == 200);
  const auto given = nlohmann::json::parse(reply.body)["predictions"];
  REQUIRE(given.size() == few.size());
  for (std::size_t i = 0; i < few.size(); ++i) {
    CHECK(given[i]["novel"] == (few[i].predicted == "novel"));
    CHECK(given[i]["score"].get<double>() == doctest::Approx(few[i].score));
  }
  work.file("lines.csv", "1,2\n");
  work.expect("predict out/model --stdin < lines.csv", 1,
              "judges all rows of a batch together, not line by line; give them as a file");
}

TEST_CASE("neighbours recognize novel series and rows of tables, and are explained") {
  const Workplace work;
  work.file("series.yaml",
            "name: series\nnodes:\n"
            "  series: {is: source/warped_series, per_class: 40, test_per_class: 30}\n"
            "  near:   {is: solver/neighbour_novelty, similarity: {is: similarity/dtw}, k: 3, "
            "normal: \"1\", from: series}\n"
            "  test:   {is: evaluator/novelty, normal: \"1\", from: near}\n"
            "  why:    {is: evaluator/explanations, count: 1, from: near}\n");
  work.succeed("run series.yaml --out series");
  CHECK(work.metrics("series")["nodes"]["test"]["auc"].get<double>() > 0.9);
  work.file("rockets.yaml",
            "name: rockets\nnodes:\n"
            "  series: {is: source/warped_series, per_class: 40, test_per_class: 30}\n"
            "  mini:   {is: normalizer/minirocket, from: series}\n"
            "  near:   {is: solver/neighbour_novelty, k: 3, normal: \"1\", from: mini}\n"
            "  test:   {is: evaluator/novelty, normal: \"1\", from: near}\n");
  work.succeed("run rockets.yaml --out rockets");
  CHECK(work.metrics("rockets")["nodes"]["test"]["auc"].get<double>() > 0.8);
  work.file("table.csv", table(150, 10, 4, true));
  work.file("table.yaml",
            "name: table\nnodes:\n"
            "  rows: {is: source/csv, path: table.csv, label: class, test_fraction: 0.3}\n"
            "  x:    {is: normalizer/robust, from: rows}\n"
            "  near: {is: solver/neighbour_novelty, score: lof, k: 10, normal: usual, from: x}\n"
            "  test: {is: evaluator/novelty, normal: usual, from: near}\n"
            "  why:  {is: evaluator/explanations, count: 1, from: near}\n");
  work.succeed("run table.yaml --data . --out table");
  CHECK(work.metrics("table")["nodes"]["test"]["auc"] == 1);
  // The last rows are odd, by their first column.
  const auto made = nlohmann::json::parse(
      work.succeed("explain table/model table.csv --row 155 --json").output)["explanations"][0];
  CHECK(made["value"] < 0);
  CHECK(made["shares"]["of"][0]["name"] == "a");
  CHECK(made["shares"]["of"][0]["share"].get<double>() <
        3 * made["shares"]["of"][1]["share"].get<double>());
  CHECK(made["shares"]["of"][0]["share"] < 0);
}

}  // namespace novelty_test
