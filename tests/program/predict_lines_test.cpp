// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "pipelines.hpp"
#include "program.hpp"

namespace predict_lines_test {

using namespace semblance::testing;

namespace {

/// A model of a table with numbers and categories, its rows without labels in rows.csv and bare.csv
/// (no header), and the output of predict for them in expected.csv.
struct Trained {
  Trained() {
    std::string table = "a,town,b,class\n", rows = "b,a,town\n";
    for (int i = 0; i < 200; ++i) {
      const std::string a = std::to_string(i % 17) + "." + std::to_string(i % 10);
      const std::string b = std::to_string(i % 5), town = i % 3 == 0 ? "\"Ulm, Bay\"" : "Rom";
      table.append(a).append(",").append(town).append(",").append(b);
      table += i % 17 < 8 ? ",low\n" : ",\"hi, gh\"\n";
      rows.append(b).append(",").append(a).append(",").append(town).append("\n");
      bare.append(a).append(i % 3 == 0 ? ",0,1," : ",1,0,").append(b).append("\n");
    }
    work.file("train.csv", table);
    work.file("rows.csv", rows);
    work.file("bare.csv", bare);
    work.file("p.yaml",
              table_pipeline("path: train.csv, label: class, categorical: [town], test_rows: 10"));
    work.succeed("run p.yaml --data . --out out");
    work.succeed("predict out/model train.csv --out p");
    std::istringstream in(work.content("p/svm.csv"));
    for (std::string line; std::getline(in, line);) {
      const std::size_t label = line.find(',') + 1;
      const std::size_t end =
          line[label] == '"' ? line.find("\",", label) + 1 : line.find(',', label);
      expected += line.substr(end + 1) + "\n";
    }
  }
  Workplace work;
  std::string bare, expected;
};

const Trained& trained() {
  static const Trained once;
  return once;
}

std::string answers(const std::string& options) {
  const auto outcome = trained().work.shell("$program predict out/model --stdin " + options);
  CHECK(outcome.exit == 0);
  return outcome.output;
}

void refuses(const std::string& input, const std::string& options, int exit,
             const std::string& output) {
  trained().work.file("input", input);
  const auto outcome =
      trained().work.shell("$program predict out/model --stdin " + options + " < input");
  INFO(options << "\n" << outcome.output);
  CHECK(outcome.exit == exit);
  CHECK(outcome.output == output);
}

}  // namespace

TEST_CASE("lines get the bits of predict, by name and by position") {
  CHECK(answers("--scores --header < rows.csv") == trained().expected);
  CHECK(answers("--scores < bare.csv") == trained().expected);
  // Also one at a time.
  CHECK(answers("--scores < rows.csv --header --threads 1") == trained().expected);
  std::string classes, json;
  std::istringstream in(trained().expected.substr(trained().expected.find('\n') + 1));
  for (std::string line; std::getline(in, line);)
    classes += line.substr(0, line.find(',', line.find("\",") == line.npos ? 0 : 6)) + "\n";
  CHECK(answers("< bare.csv") == classes);
  std::istringstream rows(trained().bare);
  for (std::string line; std::getline(rows, line);) json += "[" + line + "]\n";
  trained().work.file("rows.jsonl", json);
  CHECK(answers("--scores --format json < rows.jsonl") == trained().expected);
  const std::string told = answers("--json --scores --format json < rows.jsonl");
  const auto first = nlohmann::json::parse(told.substr(0, told.find('\n')));
  CHECK(first["class"] == "low");
  CHECK(first["scores"].size() == 2);
  CHECK(answers("< /dev/null") == "");
  CHECK(answers("--scores < /dev/null") ==
        trained().expected.substr(0, trained().expected.find('\n') + 1));
}

TEST_CASE("each line is answered before the next one is waited for") {
  // The writer waits for each answer, so a batch that waits for more rows would hang.
  trained().work.file("talk.py", R"(
import subprocess, sys
child = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
for line in open("bare.csv"):
    child.stdin.write(line)
    child.stdin.flush()
    print(child.stdout.readline(), end="")
child.stdin.close()
sys.exit(child.wait())
)");
  const auto outcome = trained().work.shell(
      "timeout 60 python3 talk.py $program predict out/model --stdin > talked && "
      "$program predict out/model --stdin < bare.csv | cmp - talked && echo same");
  CHECK(outcome.output == "same\n");
}

TEST_CASE("a wrong line ends it, or has an empty answer") {
  const std::string good = "1.5,0,1,3\n";
  const std::string wrong = "semblance: line 2: has 3 values, but the model takes rows of 4\n";
  refuses(good + "1,2,3\n" + good, "", 1, "low\n" + wrong);
  refuses(good + "1,2,3\n" + good, "--keep-going", 1, "low\n\nlow\n" + wrong);
  refuses("[1.5, 0, 1, 3] 5\n[1.5, 0, 1, 3]\n", "--keep-going --format json --json", 1,
          "null\n{\"class\": \"low\"}\nsemblance: line 1: not JSON from column 16 on\n");
  refuses("1.5,,1,3\n", "", 1,
          "semblance: line 1: column 2 ('town=Rom') has no value; give one, or omit the row\n");
  refuses(
      "1.5,0,nan,3\n", "", 1,
      "semblance: line 1: column 3 ('town=Ulm, Bay') has no value; give one, or omit the row\n");
  refuses("1.5,0,x,3\n", "", 1,
          "semblance: line 1: column 3 ('town=Ulm, Bay'): 'x' is not a number; correct it\n");
  refuses("a,b\n1,2\n", "--header --keep-going", 1,
          "semblance: line 1: the header lacks the column 'town', which the model was trained on; "
          "add what is missing\n");
  refuses("town,a,b,class\nRom,1,2,low\n", "", 1,
          "semblance: line 1: names the columns of the model; say so with --header\n");
  refuses("town,a,b\nParis,1,2\n", "--header", 1,
          "semblance: line 2: the column 'town' has no category 'Paris'; the model knows 'Rom', "
          "'Ulm, Bay'\n");
  refuses("1 9:2\n", "--format libsvm", 1,
          "semblance: line 1: the index 9 is not one of the model's, which go from 1 to 4; remove "
          "or correct it\n");
  refuses("1 1:1.5 3:1 4:3\n1:1.5 3:1 4:3\n", "--format libsvm", 0, "low\nlow\n");
}

TEST_CASE("options that do not go together are refused") {
  const auto expect = [](const std::string& options, const std::string& message) {
    trained().work.expect("predict out/model " + options, 2, message);
  };
  expect("--scores", "--scores goes with --stdin");
  expect("--format json", "--format goes with --stdin");
  expect("--stdin --format xml", "--format must be one of csv, json, libsvm; got 'xml'");
  expect("--stdin --format json --header", "--header goes with --format csv");
  expect("--stdin --first-index 1", "--first-index goes with --format libsvm");
  expect("--stdin --format libsvm --first-index 2", "--first-index must be 0 or 1");
  expect("--stdin train.csv", "DATA does not go with --stdin");
  expect("--stdin --out p", "--out does not go with --stdin");
  expect("--stdin --set nodes.t.path=train.csv",
         "--set does not go with this model: it reads no files");
  trained().work.expect("predict out/model --stdin --node smv", 1, "did you mean 'svm'?");
}

TEST_CASE("sets whose classes could be read in two ways are refused as lines") {
  const Workplace work;
  std::string table = "a,class\n";
  for (int i = 0; i < 90; ++i)
    table += std::to_string(i % 30) + (i % 30 < 10 ? ",x\n" : i % 30 < 20 ? ",y\n" : ",x | y\n");
  work.file("d.csv", table);
  work.file("sets.yaml", R"(
name: sets
nodes:
  t:    {is: source/csv, path: d.csv, label: class}
  svm:  {is: solver/kernel_svm, from: t}
  sets: {is: calibrator/conformal, from: svm})");
  work.succeed("run sets.yaml --data . --out out");
  const std::string predict = "echo 15 | $program predict out/model --stdin ";
  const auto plain = work.shell(predict);
  CHECK(plain.exit == 1);
  CHECK(plain.output.find("the class 'x | y' has ' | ' in its name") != std::string::npos);
  const auto json = work.shell(predict + "--json");
  CHECK(json.exit == 0);
  CHECK(json.output.find("\"set\": [\"y\"]") != std::string::npos);
  CHECK(work.shell(predict + "--scores").exit == 0);
}

TEST_CASE("an interrupt and a reader that goes end it") {
  const auto interrupted = trained().work.shell(
      "mkfifo pipe; $program predict out/model --stdin < pipe > answered 2> told & child=$!\n"
      "exec 3> pipe; head -3 bare.csv >&3\n"
      "for i in $(seq 500); do [ \"$(wc -l < answered)\" = 3 ] && break; sleep 0.02; done\n"
      "kill -TERM $child; wait $child; echo exit $?; cat told");
  CHECK(interrupted.output == "exit 1\nsemblance: stopped by SIGTERM after line 3\n");
  const auto left = trained().work.shell(
      "yes 1.5,0,1,3 | timeout 60 $program predict out/model --stdin | head -2");
  CHECK(left.output == "low\nlow\n");
  const auto full =
      trained().work.shell("$program predict out/model --stdin < bare.csv > /dev/full; echo $?");
  CHECK(full.output == "semblance: the answers cannot be written: No space left on device\n1\n");
}

TEST_CASE("sparse rows are taken where the model has such") {
  const Workplace work;
  std::string lines, bare;
  for (int i = 0; i < 120; ++i) {
    const std::string row = std::to_string(i % 7) + ":" + std::to_string(1 + i % 3) + " " +
                            std::to_string(10 + i % 11) + ":0.5";
    lines += (i % 7 < 3 ? "left " : "right ") + row + "\n";
    bare += row + "\n";
  }
  work.file("train.libsvm", lines);
  work.file("rows", bare);
  work.file("p.yaml", R"(name: sparse
nodes:
  t:   {is: source/libsvm, path: train.libsvm, rows: sparse, first_index: 0, test_rows: 5}
  svm: {is: solver/linear_svm, from: t}
  e:   {is: evaluator/classification, from: svm}
)");
  work.succeed("run p.yaml --data . --out out");
  work.succeed("predict out/model train.libsvm --out p");
  // Indices count from 0 like those of the training data, without a setting.
  const auto outcome = work.shell(
      "$program predict out/model --stdin --format libsvm --scores < rows > answered && "
      "cut -d, -f3- p/svm.csv | cmp - answered && echo same");
  CHECK(outcome.output == "same\n");
  // If the content of a file decides, that of a row cannot.
  work.file("q.yaml", R"(name: sparse
nodes:
  t:   {is: source/libsvm, path: train.libsvm, rows: sparse, first_index: automatic}
  svm: {is: solver/linear_svm, from: t}
)");
  work.succeed("run q.yaml --data . --out q");
  const auto unknown = work.shell("$program predict q/model --stdin --format libsvm < rows");
  CHECK(unknown.exit == 2);
  CHECK(contains(unknown, "say which with --first-index"));
  CHECK(
      work.shell("$program predict q/model --stdin --format libsvm --first-index 0 < rows").exit ==
      0);
  const auto other =
      work.shell("$program predict out/model --stdin --format libsvm --first-index 1 < rows");
  CHECK(other.exit == 1);
  CHECK(contains(other, "line 1: the index 0 is not one of the model's, which go from 1 to 21"));
}

TEST_CASE("what has no rows of one size is refused with what to do") {
  const Workplace work;
  work.file("p.yaml", R"(name: strings
nodes:
  t:   {is: source/strings, path: t.tsv}
  svm: {is: solver/kernel_svm, kernel: {is: similarity/lcs}, from: t}
)");
  work.file("t.tsv", "a\txxyx\nb\tyyxy\na\txxxx\nb\tyyyy\n");
  const auto outcome = work("run p.yaml --data . --out out");
  if (outcome.exit != 0) MESSAGE(outcome.output);
  REQUIRE(outcome.exit == 0);
  work.expect("predict out/model --stdin", 1,
              "rows that differ in size are not read here; write them to a file and use semblance "
              "predict MODEL DATA");
  work.expect("serve out/model --port 0", 1, "rows that differ in size are not read here");
}

}  // namespace predict_lines_test
