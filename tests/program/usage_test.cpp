// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <string>

#include "pipelines.hpp"
#include "program.hpp"

namespace usage_test {

using namespace semblance::testing;

TEST_CASE("wrong usage exits with 2 and says what would be right") {
  const Workplace work;
  work.file("p.yaml", small_pipeline);
  work.file("wrong.yaml", "name: wrong\nnodes:\n  a: {is: source/xr}\n");
  struct Case {
    std::string arguments;
    std::string message;
  };
  const Case cases[] = {
      {"", "usage: semblance COMMAND"},
      {"rn p.yaml", "unknown command 'rn'; did you mean 'run'? Choose from: run, ablate, "},
      {"frobnicate", "unknown command 'frobnicate'; choose from: run, ablate, "},
      {"describe rbf", "unknown component 'rbf'; did you mean 'similarity/rbf'"},
      {"describe similarity/rfb", "did you mean 'similarity/rbf'"},
      {"describe rfb", "did you mean 'similarity/rbf'"},
      {"run", "an argument is missing; usage: semblance run FILE [options]"},
      {"run p.yaml q.yaml", "too many arguments"},
      {"run p.yaml --thread", "argument"},
      {"run p.yaml --nonsense 3", "nonsense"},
      {"run p.yaml --threads 0", "--threads must be between 1 and 4096, got 0"},
      {"run p.yaml --threads two", "two"},
      {"run p.yaml --memory lots", "'lots' is not a size"},
      {"run p.yaml --memory -4G", "is not a size"},
      {"run p.yaml --deadline 0", "--deadline must be a positive number"},
      {"run p.yaml --set nodes.svm.c=1", "did you mean 'C'"},
      {"run p.yaml --set nodes.smv.C=1", "did you mean 'svm'"},
      {"run nowhere.yaml", "nowhere.yaml"},
      {"check wrong.yaml", "did you mean 'source/xor'"},
      {"describe solver/linear_smv", "did you mean 'solver/linear_svm'"},
      {"list solvers", "unknown kind 'solvers'; choose from: source, feature"},
      {"graph p.yaml --out picture.png", "--out must end in .svg or .dot"},
  };
  for (const auto& c : cases) {
    const auto outcome = work(c.arguments);
    INFO(c.arguments << "\n" << outcome.output);
    CHECK(outcome.exit == 2);
    CHECK(outcome.output.find(c.message) != std::string::npos);
  }
}

TEST_CASE("check exits with 0 exactly when the pipeline can run") {
  const Workplace work;
  work.file("p.yaml", small_pipeline);
  for (const char* same :
       {"check p.yaml", "check -- p.yaml", "-- check p.yaml", "-- check -- p.yaml"})
    CHECK(work(same).exit == 0);
  work.expect("check -- --quiet", 2, "--quiet: error: no such file");
  work.file("data.yaml", R"(name: data
nodes:
  t:   {is: source/csv, path: missing.csv}
  svm: {is: solver/linear_svm, from: t}
)");
  const auto outcome = work("check data.yaml --data .");
  CHECK(outcome.exit == 2);
  CHECK(outcome.output.find("missing.csv") != std::string::npos);
  CHECK(outcome.output.find("--data") != std::string::npos);
}

TEST_CASE("list and describe tell everything, as text and as JSON") {
  const Workplace work;
  const auto list = work("list --json");
  REQUIRE(list.exit == 0);
  const auto all = nlohmann::json::parse(list.output);
  CHECK(all.size() >= 30);
  for (const auto& component : all) {
    INFO(component.dump());
    CHECK(component.at("summary").get<std::string>().size() > 3);
    for (const auto& p : component.at("parameters"))
      CHECK(p.at("documentation").get<std::string>().size() > 3);
    const auto one = work("describe " + component.at("id").get<std::string>() + " --json");
    REQUIRE(one.exit == 0);
    CHECK(nlohmann::json::parse(one.output).at("parameters") == component.at("parameters"));
  }
  const auto text = work("describe similarity/rbf");
  CHECK(text.output.find("gamma") != std::string::npos);
  CHECK(text.output.find("(0, inf)") != std::string::npos);
}

TEST_CASE("plan tells what is computed and what the store has; graph draws") {
  const Workplace work;
  work.file("p.yaml", small_pipeline);
  const auto before = work("plan p.yaml");
  INFO(before.output);
  REQUIRE(before.exit == 0);
  CHECK(before.output.find("from the store") == std::string::npos);
  CHECK(before.output.find("500 x 30") != std::string::npos);
  work.succeed("run p.yaml --out out");
  const auto after = work("plan p.yaml");
  CHECK(after.output.find("from the store") != std::string::npos);
  CHECK(after.output.find("compute ") == std::string::npos);
  CHECK(work("graph p.yaml").output.find("digraph") != std::string::npos);
  work.succeed("graph p.yaml --out p.svg");
  CHECK(work.content("p.svg").find("</svg>") != std::string::npos);
}

TEST_CASE("of a known data set that is missing the message tells the command that fetches it") {
  const Workplace work;
  work.file("data/other.txt", "");
  struct Case {
    const char* source;
    const char* advice;
  };
  const Case cases[] = {
      {"source/idx, path: mnist", ", or download this data set: semblance data get mnist"},
      {"source/csv, path: letter/letter-recognition.data, label: 1",
       ", or download this data set: semblance data get letter"},
      {"source/cifar10, path: cifar10", ", or download this data set: semblance data get cifar10"},
  };
  for (const auto& [source, advice] : cases) {
    work.file("p.yaml", std::string("name: data\nnodes:\n  t: {is: ") + source +
                            "}\n  svm: {is: solver/linear_svm, from: t}\n");
    work.expect("check p.yaml --data data", 2, advice);
    CHECK(work("check p.yaml --data nowhere").output.find(advice) != std::string::npos);
  }
  work.file("own.yaml", R"(name: data
nodes:
  t:   {is: source/csv, path: mine.csv}
  svm: {is: solver/linear_svm, from: t}
)");
  CHECK(work("check own.yaml --data data").output.find("data get") == std::string::npos);
}

}  // namespace usage_test
