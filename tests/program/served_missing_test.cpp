// SPDX-License-Identifier: MIT
// A model of a table as people have it: semicolons, decimal commas, values that are missing, names
// of rows, a column of labels. However its rows are sent, they are the rows of the file.
#include <doctest/doctest.h>

#include <sstream>

#include "pipelines.hpp"
#include "program.hpp"
#ifdef SEMBLANCE_TEST_HTTP
#include "http_client.hpp"
#endif

namespace served_missing_test {

using namespace semblance::testing;

namespace {

const std::string source =
    "path: train.csv, label: kind, id: who, separator: semicolon, decimal: comma, missing: keep, "
    "categorical: [town]";

std::string pipeline(const std::string& more) {
  return "name: table\nnodes:\n  t:   {is: source/csv, " + source + more +
         "}\n  full: {is: normalizer/impute, strategy: median, indicator: true, from: t}\n"
         "  x:   {is: normalizer/zscore, from: full}\n  svm: {is: solver/linear_svm, from: x}\n";
}

std::string table(int first, int count, const std::string& heading) {
  const char* const marks[] = {"", "?", "NA", "NaN", "null", "None", "#N/A", "<NA>"};
  std::string text = heading + "\n";
  for (int i = first; i < first + count; ++i) {
    const std::string a = std::to_string(i % 17) + "," + std::to_string(i % 10);
    const std::string b = i % 4 == 1 ? "-0,5e1" : i % 6 == 0 ? "TRUE" : std::to_string(i % 5);
    text += "p" + std::to_string(i) + ";" + (i % 5 == 0 ? marks[i % 8] : a) + ";" +
            (i % 9 == 0   ? marks[i % 7]
             : i % 3 == 0 ? "\"Ulm; Bay\""
                          : "Rom") +
            ";" + (i % 11 == 0 ? marks[i % 3] : b) + ";" + (i % 17 < 8 ? "low" : "=high") + "\n";
  }
  return text;
}

/// The model in out/model, and the output of predict for new.csv.
struct Table {
  Table() {
    work.file("train.csv", table(0, 300, "who;a;town;b;kind"));
    work.file("new.csv", rows);
    work.file("p.yaml", pipeline(""));
    work.succeed("run p.yaml --data . --out out");
    work.succeed("predict out/model new.csv --out p");
    std::istringstream in(work.content("p/svm.csv"));
    std::string line;
    std::getline(in, line);
    expected = "predicted,score =high,score low\n";
    while (std::getline(in, line)) {
      // row,label,predicted,score,score,name
      const std::size_t label = line.find(',') + 1, predicted = line.find(',', label) + 1;
      std::string answer = line.substr(predicted, line.rfind(',') - predicted);
      // The file is for spreadsheets as well.
      if (answer.starts_with('\'')) answer.erase(0, 1);
      expected += answer + "\n";
    }
  }
  Workplace work;
  std::string rows = table(1000, 200, "who;a;town;b;kind");
  std::string expected;
};

const Table& trained() {
  static const Table once;
  return once;
}

}  // namespace

TEST_CASE("lines with missing values get what predict says of the file") {
  const Workplace& work = trained().work;
  CHECK(work.shell("$program predict out/model --stdin --header --scores < new.csv").output ==
        trained().expected);
  // Without the labels and the names of rows, the columns in another order.
  work.file("some.csv", "b;town;a\n2;Rom;1,5\n;\"Ulm; Bay\";?\n-0,5e1;;16,3\n");
  work.succeed("predict out/model some.csv --out q");
  std::istringstream in(work.content("q/svm.csv"));
  std::string line, expected;
  std::getline(in, line);
  while (std::getline(in, line)) expected += line.substr(line.find(",,") + 2) + "\n";
  const auto answered =
      work.shell("$program predict out/model --stdin --header --scores < some.csv | tail -n +2");
  std::string guarded;
  std::istringstream answers(answered.output);
  while (std::getline(answers, line)) guarded += (line.starts_with('=') ? "'" : "") + line + "\n";
  CHECK(guarded == expected);
  // Objects: null is missing, numbers have points.
  work.file("some.json",
            "{\"b\": 2, \"town\": \"Rom\", \"a\": 1.5}\n{\"b\": null, \"town\": \"Ulm; Bay\", "
            "\"a\": null}\n{\"a\": 16.3, \"town\": null, \"b\": -5}\n");
  CHECK(work.shell("$program predict out/model --stdin --format json --scores < some.json | tail "
                   "-n +2")
            .output == answered.output);
}

TEST_CASE("a model without impute says which line and column lacks a value") {
  const Workplace work;
  work.file("train.csv", "a;b;kind\n1,5;2;x\n2,5;3;y\n0,5;1;x\n3,5;4;y\n1;2;x\n3;4;y\n");
  work.file("p.yaml", table_pipeline("path: train.csv, label: kind, decimal: comma, test_rows: 2"));
  work.succeed("run p.yaml --data . --out out");
  work.file("rows", "1,5;2\n;3\n2;5\n");
  const auto told = work.shell("$program predict out/model --stdin --keep-going < rows");
  CHECK(told.exit == 1);
  CHECK(told.output ==
        "x\n\ny\nsemblance: line 2: column 1 ('a') has no value; give one, or omit the row\n");
}

#ifdef SEMBLANCE_TEST_HTTP
TEST_CASE("requests with missing values get what predict says of the file") {
  const Served served(trained().work, "out/model");
  const std::string accept = "Accept: text/csv\r\n";
  CHECK(exchange(served.port(), post("text/csv", trained().rows, accept)).body ==
        trained().expected);
  CHECK(exchange(served.port(), post("text/csv", "sep=;\r\n\r\n" + trained().rows, accept)).body ==
        trained().expected);
  const HttpReply one =
      exchange(served.port(), post("text/csv", "b;town;a\n;\"Ulm; Bay\";?\n", accept));
  CHECK(one.status == 200);
  CHECK(exchange(served.port(),
                 post("application/json",
                      R"({"rows": [{"a": null, "b": null, "town": "Ulm; Bay"}]})", accept))
            .body == one.body);
  const HttpReply wrong =
      exchange(served.port(), post("text/csv", "b;town;a\n1;Rom;1.5\n", accept));
  CHECK(wrong.status == 400);
  CHECK(contains(wrong.body, "line 2: column 'a': '1.5' is not a number; correct it"));
}
#endif

TEST_CASE("of several solvers one is named") {
  const Workplace work;
  work.file("train.csv", table(0, 300, "who;a;town;b;kind"));
  work.file("p.yaml", pipeline("") + "  other: {is: solver/linear_svm, C: 0.1, from: x}\n");
  work.succeed("run p.yaml --data . --out out");
  const std::string message =
      "the model has several solvers, svm and other; name the one whose scores are wanted with "
      "--node";
  work.expect("serve out/model --port 0", 1, message);
  work.expect("predict out/model --stdin", 1, message);
}

}  // namespace served_missing_test
