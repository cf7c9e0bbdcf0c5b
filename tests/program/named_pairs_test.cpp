// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "http_client.hpp"
#include "program.hpp"

namespace named_pairs_test {

using namespace semblance::testing;

// Pairs of drugs and proteins that lines and requests name.

namespace {

/// A model of pairs, and the folder with its tables.
class TrainedOnPairs {
 public:
  TrainedOnPairs() {
    work.file("drugs.csv", "drug,x,y\nd0,1,2\nd1,2,1\nd2,3,5\nd3,0,1\nd4,4,4\nd5,2,2\n");
    work.file("proteins.csv", "protein,p\np0,1\np1,3\np2,2\np3,5\n");
    std::string pairs = "drug,protein,affinity\n";
    for (int a = 0; a < 6; ++a)
      for (int b = 0; b < 4; ++b)
        pairs += "d" + std::to_string(a) + ",p" + std::to_string(b) + "," +
                 std::to_string((a + 1) * (b + 2) % 7) + "\n";
    work.file("pairs.csv", pairs);
    work.file("p.yaml", R"(name: p
nodes:
  pairs:
    is: source/pairs
    path: pairs.csv
    first:  {is: source/csv, path: drugs.csv, label: none, id: drug}
    second: {is: source/csv, path: proteins.csv, label: none, id: protein}
    first_id: drug
    second_id: protein
    target: affinity
  fast: {is: solver/kronecker_ridge, first: {is: similarity/rbf}, second: {is: similarity/rbf}, from: pairs}
)");
    work.succeed("run p.yaml --data . --out run");
  }
  Workplace work;
};

}  // namespace

TEST_CASE("pairs are named in lines and in requests, with the bits of predict") {
  const TrainedOnPairs trained;
  const Workplace& work = trained.work;
  work.file("new.csv", "drug,protein\nd0,p1\nd5,p3\n");
  work.succeed("predict run/model new.csv --data . --out new");
  const auto lines = [&](const std::string& input, const std::string& options) {
    work.file("input", input);
    const auto outcome = work.shell("$program predict run/model --stdin " + options + " < input");
    return std::to_string(outcome.exit) + "|" + outcome.output;
  };
  const std::string both = lines("d0,p1\nd5,p3\n", "--data .");
  const std::string table = work.content("new/fast.csv");  // row,affinity,predicted affinity,name
  for (const std::string line : {"0,,", "1,,"}) {
    const std::size_t from = table.find("\n" + line) + 1 + line.size();
    CHECK(contains(both, table.substr(from, table.find(',', from) - from) + "\n"));
  }
  CHECK(both.starts_with("0|"));
  CHECK(lines("p1,d0\np3,d5\n", "--header") ==
        "1|semblance: line 1: lacks the columns 'drug', 'protein', which the model was "
        "trained on; add what is missing\n");
  CHECK(lines("protein,drug\np1,d0\np3,d5\n", "--header") == both);
  CHECK(lines("[\"d0\", \"p1\"]\n{\"protein\": \"p3\", \"drug\": \"d5\"}\n", "--format json") ==
        both);

  // A drug that no table of the training run has; it is like d0.
  work.file("new_drugs.csv", "drug,y,x\nfresh,2,1\n");
  const std::string of_d0 = lines("d0,p1\n", "");
  CHECK(lines("fresh,p1\n", "--data . --set nodes.pairs.first.path=new_drugs.csv") == of_d0);

  const Served served(work, "run/model --data .");
  const auto posted = [&](const std::string& type, const std::string& body) {
    return exchange(served.port(),
                    "POST /predict HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: " + type +
                        "\r\nAccept: text/csv\r\nContent-Length: " + std::to_string(body.size()) +
                        "\r\n\r\n" + body)
        .body;
  };
  const std::string expected = "predicted affinity\n" + both.substr(2);
  CHECK(posted("text/csv", "d0,p1\nd5,p3\n") == expected);
  CHECK(posted("text/csv", "protein,drug\np1,d0\np3,d5\n") == expected);
  CHECK(posted("application/json",
               "{\"rows\": [[\"d0\", \"p1\"], {\"drug\": \"d5\", \"protein\": \"p3\"}]}") ==
        expected);
  const std::string unknown =
      "column 'protein' names the sample 'p9', but none of the 4 of 'second' has this name";
  CHECK(contains(posted("text/csv", "d0,p1\nd5,p9\n"), "line 2: " + unknown));
  CHECK(contains(posted("application/json", "{\"rows\": [[\"d0\", \"p9\"]]}"),
                 "row 1 (counted from 1): " + unknown));
  CHECK(contains(posted("text/x-libsvm", "1:2\n"), "rows of this model are pairs of names"));
}

TEST_CASE("lines that name no pair say what is wrong") {
  const TrainedOnPairs trained;
  const Workplace& work = trained.work;
  const std::string no_d9 =
      "line 1: column 'drug' names the sample 'd9', but none of the 6 of 'first' has this name; "
      "add it there, or remove the pair\n";
  const std::string two = ", but a row of this model is 2 names, those of drug and protein\n";
  const std::vector<std::array<std::string, 3>> cases = {
      {"d9,p1", "", no_d9},
      {"d0", "", "line 1: has 1 value" + two},
      {"d0,p1,3", "", "line 1: has 3 values" + two},
      {"", "", "line 1: is empty; give a row\n"},
      {"drug,protein", "", "line 1: looks like a header; if it is one, say so with --header\n"},
      {"drug", "--header",
       "line 1: lacks the column 'protein', which the model was trained on; add what is "
       "missing\n"},
      {"[\"d9\", \"p1\"]", "--format json", no_d9},
      {"[\"d0\"]", "--format json", "line 1: has 1 value" + two},
      {"[0, 1]", "--format json",
       "line 1: column 'drug' names the sample '0', but none of the 6 of 'first' has this name; "
       "add it there, or remove the pair\n"},
      {"{\"drug\": \"d0\"}", "--format json",
       "line 1: lacks the column 'protein', which the model was trained on; add what is missing\n"},
      {"{\"drug\": \"d0\", \"protein\": null}", "--format json",
       "line 1: column 'protein' has no value; give one, or omit the row\n"},
      {"{\"drug\": [\"d0\"], \"protein\": \"p1\"}", "--format json",
       "line 1: an array stands in column 'drug' instead of a value; correct it\n"},
      {"1:2", "--format libsvm",
       "rows of this model are pairs of names, which this format cannot give; send CSV or JSON\n"}};
  for (const auto& [line, options, message] : cases) {
    work.file("input", line + "\n");
    const auto outcome = work.shell("$program predict run/model --stdin " + options + " < input");
    INFO(line << " " << options);
    CHECK(outcome.exit == 1);
    CHECK(outcome.output == "semblance: " + message);
  }
  work.expect("predict run/model --stdin --set nodes.pairs.test_fraction=0.5 < /dev/null", 2,
              "--set changes only where the samples of pairs come from, such as "
              "nodes.pairs.first.path=FILE, not 'nodes.pairs.test_fraction'");
  std::filesystem::remove(work.path / "drugs.csv");
  work.expect("predict run/model --stdin < /dev/null", 1,
              "node 'pairs' (source/pairs), while reading the samples of pairs: ");
}

TEST_CASE("a model that reads no files takes no folder for them") {
  const Workplace work;
  work.file("t.csv", "a,b\n1,x\n2,y\n3,x\n4,y\n");
  work.file("t.yaml",
            "name: t\nnodes:\n  t: {is: source/csv, path: t.csv, label: b}\n  s: {is: "
            "solver/linear_svm, from: t}\n");
  work.succeed("run t.yaml --data . --out run");
  work.expect("predict run/model --stdin --data . < /dev/null", 2,
              "--data is not for this model, which reads no files");
  work.expect("serve run/model --set nodes.t.path=x.csv", 2,
              "--set is not for this model, which reads no files");
}

}  // namespace named_pairs_test
