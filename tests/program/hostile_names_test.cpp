// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "pipelines.hpp"
#include "program.hpp"

namespace hostile_names_test {

using namespace semblance::testing;

namespace {

/// Two classes of these names, well apart, and a model of them in out/model.
void train(const Workplace& work, const std::string& one, const std::string& other) {
  std::string table = "a,b,class\n";
  for (int i = 0; i < 40; ++i)
    table += std::to_string(i % 7) + "." + std::to_string(i) + "," + std::to_string(i % 5) + "," +
             (i % 7 < 3 ? one : other) + "\n";
  work.file("t.csv", table);
  work.file("p.yaml", table_pipeline("path: t.csv, label: class, test_fraction: 0.5"));
  work.succeed("run p.yaml --data . --out out --quiet");
}

}  // namespace

TEST_CASE("what is written for spreadsheets computes nothing, and answers to programs are exact") {
  const Workplace work;
  train(work, "=1+2", "-1.5");
  const std::string predictions = work.content("out/predictions/svm.csv");
  CHECK(predictions.find(",'=1+2,'=1+2,") != std::string::npos);
  CHECK(predictions.find(",=1+2") == std::string::npos);
  CHECK(predictions.find(",-1.5,-1.5,") != std::string::npos);
  work.file("rows.csv", "0.1,1\n6.1,1\n");
  CHECK(work.shell("$program predict out/model --stdin < rows.csv").output == "=1+2\n-1.5\n");
}

TEST_CASE("names of classes turn no line of exported C around") {
  const Workplace work;
  train(work, "a\xe2\x80\xae*/b", "c\xe2\x81\xa6");
  work.succeed("export out/model --to c --out m.c --unproved");
  const std::string text = work.content("m.c");
  CHECK(text.find("a_* /b") != std::string::npos);
  CHECK(text.find("\xe2\x80\xae") == std::string::npos);
  CHECK(text.find("\xe2\x81\xa6") == std::string::npos);
}

}  // namespace hostile_names_test
