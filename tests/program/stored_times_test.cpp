// SPDX-License-Identifier: MIT
// A time that a run did not measure itself has the date and conditions of its measurement; results
// of another kind of processor, or of other libraries, are reported or recomputed.
#include <doctest/doctest.h>

#include "pipelines.hpp"
#include "program.hpp"

namespace stored_times_test {

using namespace semblance::testing;

namespace {

const std::string plugins = SEMBLANCE_TEST_PLUGINS;

Workplace::Outcome run(const Workplace& work, const std::string& arguments) {
  auto outcome = work("run p.yaml " + arguments);
  REQUIRE_MESSAGE(outcome.exit == 0, outcome.output);
  return outcome;
}

}  // namespace

TEST_CASE("times out of the store say when and with how many threads they were measured") {
  const Workplace work;
  work.file("p.yaml", small_pipeline);
  CHECK_FALSE(contains(run(work, "--out two --threads 2"), "were measured"));
  const auto fresh = work.metrics("two");
  CHECK(fresh.at("threads") == 2);
  for (const auto& [name, node] : fresh.at("nodes").items())
    CHECK_MESSAGE(!node.contains("measured"), name);
  CHECK(contains(run(work, "--out one --threads 1"), "the times they report were measured on 20"));
  const auto stored = work.metrics("one");
  CHECK(stored.at("threads") == 1);
  const auto& svm = stored.at("nodes").at("svm");
  CHECK(svm.at("train_seconds") == fresh.at("nodes").at("svm").at("train_seconds"));
  CHECK(svm.at("measured").at("threads") == 2);
  CHECK(svm.at("measured").at("date").get<std::string>().size() == 20);
  CHECK_FALSE(svm.at("measured").at("processor").get<std::string>().empty());
  CHECK(work.content("one/report.html").find("UTC with 2 threads") != std::string::npos);

  SUBCASE("and are not compared with those of other threads") {
    const auto compared = work("compare two one --metric svm.train_seconds");
    CHECK(compared.exit == 1);
    CHECK(contains(compared, "'one' took svm.train_seconds from the store, measured on "));
    CHECK(contains(compared, "with 2 threads, but the run had 1"));
    CHECK(work("compare two one --metric test.error_rate").exit == 0);
  }
  SUBCASE("and as many threads are told") {
    run(work, "--out again --threads 2");
    const auto compared = work("compare two again --metric svm.train_seconds");
    CHECK(compared.exit == 0);
    CHECK(contains(compared, "note: 'again' took svm.train_seconds from the store"));
  }
}

TEST_CASE("a study of times says which of them earlier runs have measured") {
  const Workplace work;
  work.file("p.yaml", small_pipeline);
  run(work, "--out first --threads 2");
  const std::string pipeline = small_pipeline;
  work.file("s.yaml",
            "name: times\nstudy:\n  metric: svm.train_seconds\n  better: lower\n  slots:\n"
            "    C: {path: nodes.svm.C, values: [1, 0.1]}\n" +
                pipeline.substr(pipeline.find("nodes:")));
  const auto outcome = work("ablate s.yaml --out out --quiet --threads 1");
  CHECK(outcome.exit == 0);
  CHECK(contains(outcome, "svm.train_seconds of 1 of 2 variants comes from earlier runs"));
  CHECK(contains(outcome, "with 2 threads"));
}

TEST_CASE("results of another kind of processor are told") {
  const Workplace work;
  work.file("p.yaml", small_pipeline);
  CHECK_FALSE(contains(run(work, "--out one"), "another kind of processor"));
  CHECK_FALSE(contains(run(work, "--out two"), "another kind of processor"));
  const auto other =
      work.shell("OPENBLAS_CORETYPE=Nehalem exec \"$program\" run p.yaml --out three 2>&1");
  CHECK(other.exit == 0);
  CHECK(contains(other, "come from the store, computed on another kind of processor"));
  CHECK(contains(other, "OpenBLAS as Nehalem"));
}

TEST_CASE("--require-same-cpu refuses what another kind of processor has computed") {
  const Workplace work;
  work.file("p.yaml", small_pipeline);
  CHECK(run(work, "--out one --require-same-cpu").exit == 0);
  CHECK(run(work, "--out two --require-same-cpu").exit == 0);
  const auto elsewhere = [&](const std::string& arguments) {
    return work.shell("OPENBLAS_CORETYPE=Nehalem exec \"$program\" " + arguments + " 2>&1");
  };
  const auto refused = elsewhere("run p.yaml --out three --quiet --require-same-cpu");
  CHECK(refused.exit == 1);
  CHECK(contains(refused, "was computed on another kind of processor ("));
  CHECK(contains(refused, "and --require-same-cpu refuses that: use another store (--cache DIR)"));
  CHECK_FALSE(std::filesystem::exists(work.path / "three/metrics.json"));
  const auto fresh = elsewhere("run p.yaml --out four --quiet --require-same-cpu --no-cache");
  CHECK_MESSAGE(fresh.exit == 0, fresh.output);

  // A model records where its nodes were trained, also for nodes from the store.
  CHECK(work("predict one/model --out at_home --require-same-cpu").exit == 0);
  const auto told = elsewhere("predict one/model --out told");
  CHECK(told.exit == 0);
  CHECK(contains(told, "learned on another kind of processor ("));
  const auto unused = elsewhere("predict one/model --out refused --require-same-cpu");
  CHECK(unused.exit == 1);
  CHECK(contains(unused, "use a machine of that kind, or train the model again on this one"));
  CHECK(elsewhere("run p.yaml --out mixed --quiet").exit == 0);
  const auto learned_on = [&](const std::string& out) {
    const auto model = nlohmann::json::parse(work.content(out + "/model/model.json"));
    return model.at("nodes").at("svm").at("processor").get<std::string>();
  };
  CHECK(learned_on("mixed") == learned_on("one"));
  CHECK(learned_on("four") != learned_on("one"));
  CHECK(
      contains(work("predict four/model --out foreign --require-same-cpu"), "OpenBLAS as Nehalem"));
}

TEST_CASE("another library behind a plugin is another plugin") {
  const Workplace work;
  work.file("p.yaml", R"(name: linked
nodes:
  points: {is: source/xor, train: 40, test: 10}
  moved:  {is: feature/linked, from: points}
  svm:    {is: solver/linear_svm, from: moved}
  test:   {is: evaluator/classification, from: svm}
)");
  const auto with_library = [&](const std::string& folder, const std::string& out) {
    const auto outcome = work.shell("LD_LIBRARY_PATH=" + plugins + "/" + folder +
                                    " exec \"$program\" run p.yaml --quiet --out " + out +
                                    " --plugin-path " + plugins + "/linked.so 2>&1");
    REQUIRE_MESSAGE(outcome.exit == 0, outcome.output);
    return work.metrics(out).at("nodes");
  };
  with_library("one", "first");
  CHECK(with_library("one", "again").at("svm").at("cached") == true);
  const auto nodes = with_library("two", "second");
  CHECK(nodes.at("svm").at("cached") == false);
  with_library("one", "back");
  CHECK(work.metrics("back").at("nodes").at("svm").at("cached") == true);
}

}  // namespace stored_times_test
