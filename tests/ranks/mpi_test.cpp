// SPDX-License-Identifier: MIT
// Runs of several ranks over MPI, as users start them.
#include <doctest/doctest.h>
#include <signal.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "mpi_testing.hpp"

namespace mpi_test {

using namespace semblance::testing;

namespace {

constexpr const char* pipeline = R"(name: ranks
seed: 3
nodes:
  rows:  {is: source/clusters, classes: 3, columns: 6, train: 9100, test: 1300}
  x:     {is: normalizer/zscore, from: rows}
  bases: {is: basis/random, count: 60, from: x}
  rbf:   {is: similarity/rbf, gamma: 0.2, from: x, bases: bases}
  phi:   {is: normalizer/mean_norm, from: rbf}
  svm:   {is: solver/linear_svm, C: 1, from: phi}
  test:  {is: evaluator/classification, from: svm}
)";

}  // namespace

TEST_CASE("mpirun: the predictions and the model of one process, for any number of ranks") {
  const Workplace work;
  if (mpi_is_missing(work)) return;
  const std::string file = work.file("p.yaml", pipeline);
  work.succeed("run " + file + " --out alone --no-cache");
  const std::string expected = results_of(work, "alone"), scores = predictions(work, "alone");
  const std::string weights = work.content("alone/model/nodes/svm/part_0/weights.npy");
  for (const int ranks : {1, 2, 3, 5}) {
    CAPTURE(ranks);
    const std::string out = "ranks" + std::to_string(ranks);
    std::string arguments = "run " + file + " --quiet --no-cache --threads 1 --out ";
    arguments += out;
    const auto outcome = over_ranks(work, ranks, arguments);
    CAPTURE(outcome.output);
    REQUIRE(outcome.exit == 0);
    CHECK(results_of(work, out) == expected);
    CHECK(predictions(work, out) == scores);
    CHECK(work.content(out + "/model/nodes/svm/part_0/weights.npy") == weights);
  }
}

TEST_CASE("mpirun: what nodes have learned is found in the store, with any number of ranks") {
  const Workplace work;
  if (mpi_is_missing(work)) return;
  const std::string file = work.file("p.yaml", pipeline);
  REQUIRE(over_ranks(work, 2, "run " + file + " --quiet --out first").exit == 0);
  const auto again = over_ranks(work, 3, "run " + file + " --quiet --out second --json");
  REQUIRE(again.exit == 0);
  CHECK(results_of(work, "first") == results_of(work, "second"));
  CHECK(work.metrics("second")["nodes"]["bases"]["cached"] == true);
  CHECK(predictions(work, "first") == predictions(work, "second"));
  // One process finds the artifacts of several, and vice versa.
  work.succeed("run " + file + " --out third");
  CHECK(work.metrics("third")["nodes"]["bases"]["cached"] == true);
  CHECK(predictions(work, "first") == predictions(work, "third"));
  REQUIRE(over_ranks(work, 2, "run " + file + " --quiet --out fourth").exit == 0);
  CHECK(work.metrics("fourth")["nodes"]["svm"]["cached"] == true);
  CHECK(predictions(work, "first") == predictions(work, "fourth"));
}

TEST_CASE("mpirun: the log tells ranks and threads, never more than there are cores") {
  const Workplace work;
  if (mpi_is_missing(work)) return;
  const std::string file = work.file("p.yaml", pipeline);
  const auto cores = std::stoi(work.shell("nproc").output);
  int told = 0;
  for (const std::string how : {"-n 2 --bind-to none", "-n 2 --bind-to core",
                                "-n 1 --map-by slot:PE=2 --bind-to core", "-n 3 --bind-to none"}) {
    CAPTURE(how);
    const std::string out = "out" + std::to_string(told);
    const auto outcome = work.shell(prepared_for_mpi + "mpirun " + how + " \"$program\" run " +
                                    file + " --quiet --no-cache --mpi --out " + out);
    // mpirun refuses more ranks than cores.
    if (outcome.exit != 0 && cores < 2) continue;
    CAPTURE(outcome.output);
    REQUIRE(outcome.exit == 0);
    ++told;
    const auto metrics = work.metrics(out);
    const auto ranks = static_cast<int>(metrics.at("ranks").size());
    const int threads = metrics.at("threads");
    CHECK(threads * ranks <= std::max(cores, ranks));
    const std::string log = work.content(out + "/run.log");
    CHECK(contains(log, std::to_string(ranks) + (ranks == 1 ? " rank x " : " ranks x ") +
                            std::to_string(threads) + (threads == 1 ? " thread" : " threads")));
    CHECK(contains(log, "rank 0 on "));
    CHECK(contains(log, " training rows, "));
    for (const auto& rank : metrics.at("ranks"))
      CHECK(rank.at("sent_bytes").get<double>() > (ranks > 1 ? 10000 : 0));
  }
  CHECK(told > 0);
  work.succeed("run " + file + " --quiet --no-cache --out alone");
  CHECK_FALSE(work.metrics("alone").contains("ranks"));
  CHECK_FALSE(contains(work.content("alone/run.log"), " x "));
}

TEST_CASE("mpirun: on one machine no network is looked for, unless the user chooses how") {
  const Workplace work;
  if (mpi_is_missing(work)) return;
  if (work.shell("mpirun --version").output.find("Open MPI") == std::string::npos) {
    MESSAGE("skipped: this is not Open MPI");
    return;
  }
  const std::string file = work.file("p.yaml", pipeline);
  const auto told = [&](const std::string& chosen) {
    const auto outcome =
        work.shell(prepared_for_mpi + "unset OMPI_MCA_pml OMPI_MCA_mtl OMPI_MCA_btl\n" + chosen +
                   "\nexport OMPI_MCA_pml_base_verbose=10\nmpirun -n 2 \"$program\" run " + file +
                   " --no-cache --quiet --out out --mpi");
    CAPTURE(outcome.output);
    REQUIRE(outcome.exit == 0);
    return outcome.output;
  };
  const auto looks_for_networks = [&](const std::string& chosen) {
    return told(chosen).find("found loaded component cm") != std::string::npos;
  };
  CHECK(told("").find("component ob1 selected") != std::string::npos);
  CHECK_FALSE(looks_for_networks(""));
  CHECK(looks_for_networks("export OMPI_MCA_btl=self,vader,tcp"));
  CHECK(looks_for_networks("export OMPI_MCA_pml=^monitoring"));
}

TEST_CASE("mpirun: what is wrong is said once") {
  const Workplace work;
  if (mpi_is_missing(work)) return;
  const auto count = [](const std::string& text, const std::string& part) {
    int found = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
  };
  const std::string wrong = work.file("wrong.yaml",
                                      "name: wrong\nnodes:\n  rows: {is: source/glyphs}\n"
                                      "  svm: {is: solver/linear_svn, from: rows}\n");
  const auto checked = over_ranks(work, 3, "run " + wrong);
  CHECK(checked.exit == 2);
  CHECK(count(checked.output, "unknown component 'solver/linear_svn'") == 1);

  work.file("in_the_way", "");
  const std::string file = work.file("p.yaml", pipeline);
  const auto refused = over_ranks(work, 3, "run " + file + " --quiet --out in_the_way/out");
  CHECK(refused.exit == 1);
  CHECK(count(refused.output, "cannot create the output folder") == 1);

  const auto classes = over_ranks(
      work, 3,
      "run " + file + " --quiet --no-cache --out out --set 'nodes.svm.class_weights={no: 2}'");
  CHECK(classes.exit == 1);
  CHECK(count(classes.output, "'class_weights' names the class 'no'") == 1);

  const std::string columns = work.file("columns.yaml", R"(name: columns
nodes:
  t:    {is: source/csv, path: t.csv, label: class, categorical: [city]}
  svm:  {is: solver/linear_svm, from: t}
  sets: {is: calibrator/conformal, by_column: city, from: svm}
)");
  std::string rows = "city,x,class\n";
  for (int i = 0; i < 80; ++i)
    rows += (i % 3 == 0 ? "Rome," : "Oslo,") + std::to_string(i * 7 % 11) + "," +
            (i * 7 % 11 > 5 ? "high\n" : "low\n");
  work.file("t.csv", rows);
  const std::string with_data = "run " + columns + " --data . --quiet --no-cache --out ";
  const auto apart = over_ranks(work, 2, with_data + "over_ranks");
  CHECK(apart.exit == 1);
  CHECK(count(apart.output,
              "'by_column' needs the rows of all ranks; run the pipeline without --mpi") == 1);
  CHECK(!std::filesystem::exists(work.path / "over_ranks/model"));
  // The model of one process is applied over ranks.
  work.succeed(with_data + "alone");
  work.succeed("predict alone/model t.csv --out one");
  REQUIRE(over_ranks(work, 2, "predict alone/model t.csv --out two").exit == 0);
  CHECK(work.content("two/sets.csv") == work.content("one/sets.csv"));
}

TEST_CASE("mpirun: several processes that do not know of each other are refused") {
  const Workplace work;
  if (mpi_is_missing(work)) return;
  const std::string file = work.file("p.yaml", pipeline);
  const auto copies =
      work.shell(prepared_for_mpi + "mpirun -n 2 \"$program\" run " + file + " --quiet --out out");
  CHECK(copies.exit == 2);
  CHECK(contains(copies, "has started this command 2 times, and without --mpi each"));
  CHECK_FALSE(std::filesystem::exists(work.path / "out"));
  CHECK(work.shell(prepared_for_mpi + "mpirun -n 1 \"$program\" run " + file + " --quiet --out one")
            .exit == 0);
}

TEST_CASE("mpirun: ranks that would not compute the same bits are refused") {
  const Workplace work;
  if (mpi_is_missing(work)) return;
  const std::string file = work.file("p.yaml", pipeline);
  const std::string run = "\"$program\" run " + file + " --mpi --quiet --no-cache --out out";
  const auto kinds = over_two_ranks(work, run, "env OPENBLAS_CORETYPE=Prescott " + run);
  CHECK(kinds.exit == 1);
  CHECK(contains(kinds, "rank 1 on "));
  CHECK(contains(kinds, "another kind of processor"));
  const auto others = over_two_ranks(work, run, run + " --set nodes.bases.count=50");
  CHECK(others.exit == 1);
  CHECK(contains(others, "has another pipeline, other data or options, or another version of"));
}

TEST_CASE("mpirun: a rank that is killed ends the job, and the next start is right") {
  const Workplace work;
  if (mpi_is_missing(work)) return;
  const std::string file = work.file("p.yaml", pipeline);
  work.succeed("run " + file + " --out alone --no-cache");
  const std::string long_one =
      work.file("long.yaml",
                "name: long\nseed: 3\nnodes:\n"
                "  rows: {is: source/clusters, classes: 4, columns: 40, train: 60000, test: 2000}\n"
                "  svm:  {is: solver/ml3, iterations: 100, from: rows}\n"
                "  test: {is: evaluator/classification, from: svm}\n");
  const auto killed =
      work.shell(prepared_for_mpi + "mpirun -n 3 \"$program\" run " + long_one +
                 " --mpi --quiet --out killed > log 2>&1 & job=$!\n"
                 "for i in $(seq 100); do [ $(pgrep -c -f 'run.*long.yaml --mpi --quiet --out "
                 "killed') -gt 3 ] && break; sleep 0.1; done\n"
                 "sleep 1\n"
                 "victim=$(pgrep -f \"$program run .*long.yaml --mpi --quiet --out killed\" | grep "
                 "-v \"^$job$\" | tail -1)\n"
                 "kill -9 $victim\n"
                 "for i in $(seq 300); do kill -0 $job 2>/dev/null || break; sleep 0.1; done\n"
                 "kill -0 $job 2>/dev/null && { kill -9 $job; echo 'it hangs'; }\n"
                 "wait $job; echo \"exit $?\"; cat log");
  CAPTURE(killed.output);
  CHECK(!contains(killed, "it hangs"));
  CHECK(!contains(killed, "exit 0"));
  CHECK(!std::filesystem::exists(work.path / "killed/metrics.json"));
  REQUIRE(over_ranks(work, 2, "run " + file + " --quiet --out next").exit == 0);
  CHECK(results_of(work, "next") == results_of(work, "alone"));
}

namespace {

/// A table with names, whose last column is the class.
std::string table(int first, int last) {
  std::string text = "who,a,b,c,class\n";
  for (int i = first; i < last; ++i)
    text += "r" + std::to_string(i) + "," + std::to_string(i % 17) + "." + std::to_string(i % 10) +
            "," + std::to_string(i % 5) + "," + std::to_string(i * 7 % 23) +
            (i % 17 < 6    ? ",low"
             : i % 17 < 12 ? ",middle"
                           : ",high") +
            "\n";
  return text;
}

constexpr const char* of_table = R"(name: table
seed: 3
nodes:
  t:     {is: source/csv, path: train.csv, id: who, label: class, test_fraction: 0.4}
  x:     {is: normalizer/zscore, from: t}
  bases: {is: basis/random, count: 30, from: x}
  rbf:   {is: similarity/rbf, gamma: 0.2, from: x, bases: bases}
  svm:   {is: solver/linear_svm, from: rbf}
  test:  {is: evaluator/classification, from: svm}
  pairs: {is: pairs/all, from: t}
  same:  {is: solver/pairwise_newton, from: x, pairs: pairs}
  told:  {is: evaluator/verification, from: same}
)";

}  // namespace

TEST_CASE("mpirun: predict gives the bytes of one process, for all that it can be asked") {
  const Workplace work;
  if (mpi_is_missing(work)) return;
  work.file("train.csv", table(0, 700));
  work.file("new.csv", table(650, 1300));
  work.file("few.csv", table(900, 903));
  work.file("p.yaml", of_table);
  work.succeed("run p.yaml --data . --out out --no-cache");
  for (std::size_t n = 0; const char* arguments : {"--data .", "new.csv", "few.csv", "t=new.csv",
                                                   "--data . --set nodes.t.path=new.csv",
                                                   "--data . --seed 7", "new.csv --memory 12M"}) {
    CAPTURE(std::string(arguments));
    const auto alone = work("predict out/model " + std::string(arguments) + " --quiet --out alone");
    REQUIRE(alone.exit == 0);
    ++n;
    for (const int ranks : {1, 2, 3}) {
      if (!of_the_day(n + static_cast<std::size_t>(ranks), 3)) continue;
      CAPTURE(ranks);
      const auto outcome = over_ranks(
          work, ranks,
          "predict out/model " + std::string(arguments) + " --quiet --threads 1 --out together");
      CAPTURE(outcome.output);
      REQUIRE(outcome.exit == 0);
      for (const char* file : {"svm.csv", "svm.npy", "same.csv", "same.npy"}) {
        const bool same = work.content(std::string("together/") + file) ==
                          work.content(std::string("alone/") + file);
        CHECK(same);
      }
      std::string said = outcome.output;
      for (auto at = said.find("together"); at != std::string::npos; at = said.find("together"))
        said.replace(at, 8, "alone");
      CHECK(contains(said, alone.output));
    }
  }
}

TEST_CASE("mpirun: what is wrong with a model or with new data is said once") {
  const Workplace work;
  if (mpi_is_missing(work)) return;
  work.file("train.csv", table(0, 300));
  work.file("p.yaml", of_table);
  work.file("narrow.csv", "a,class\n1,low\n2,high\n");
  work.succeed("run p.yaml --data . --out out --no-cache");
  const auto refused = [&](const std::string& arguments, int exit, const std::string& message) {
    const auto outcome = over_ranks(work, 3, "predict " + arguments);
    CAPTURE(outcome.output);
    CHECK(outcome.exit == exit);
    CHECK(contains(outcome, message));
    CHECK(outcome.output.find(message) == outcome.output.rfind(message));
  };
  refused("nowhere", 1, "no such folder");
  refused("out/model nothing.csv", 2, "nothing.csv' does not exist");
  refused("out/model narrow.csv train.csv", 2, "is one DATA too many");
  refused("out/model narrow.csv", 1, "lacks the column");
  work.file("in_the_way", "");
  refused("out/model train.csv --out in_the_way/out", 1, "cannot create the output folder");

  // Two models, and two files under one name.
  work.succeed("run p.yaml --data . --out other --no-cache --set nodes.svm.C=3");
  const std::string predict = "\"$program\" predict ";
  const std::string rest = " train.csv --mpi --quiet --out p";
  const auto models =
      over_two_ranks(work, predict + "out/model" + rest, predict + "other/model" + rest);
  CHECK(models.exit == 1);
  CHECK(contains(models, "rank 1 on "));
  CHECK(contains(models, "has another model than rank 0"));
  work.shell("mkdir a b; cp train.csv a/t.csv; head -200 train.csv > b/t.csv");
  const auto data = over_two_ranks(work, predict + "out/model a/t.csv --mpi",
                                   predict + "out/model b/t.csv --mpi");
  CHECK(data.exit == 1);
  CHECK(contains(data, "has another pipeline, other data or options"));
}

TEST_CASE("mpirun: sparse rows give the predictions and the model of one process") {
  const Workplace work;
  if (mpi_is_missing(work)) return;
  std::string rows;
  for (int i = 0; i < 900; ++i) {
    rows += std::to_string(i % 3);
    for (int c = 1 + (i * 7) % 11; c < 4000; c += 97 + (i * c) % 301)
      rows += ' ' + std::to_string(c) + ':' + std::to_string(1 + (c + i % 3) % 5);
    rows += '\n';
  }
  work.file("rows.svm", rows);
  const std::string start =
      "name: sparse\nseed: 3\nnodes:\n"
      "  t:    {is: source/libsvm, rows: sparse, path: rows.svm, test_fraction: 0.3}\n"
      "  x:    {is: normalizer/unit_length, from: t}\n";
  const std::string end = "  test: {is: evaluator/classification, from: svm}\n";
  const std::string maps =
      "  b:    {is: basis/random, count: 40, from: x}\n"
      "  phi:  {is: similarity/rbf, gamma: 1, from: x, bases: b}\n";
  for (std::size_t n = 0;
       const std::string& solver :
       {std::string("  svm:  {is: solver/linear_svm, from: x}\n"),
        std::string("  svm:  {is: solver/liblinear, from: x}\n"),
        std::string("  svm:  {is: solver/kernel_svm, kernel: {is: similarity/rbf}, from: x}\n"),
        maps + "  svm:  {is: solver/linear_svm, from: phi}\n"}) {
    CAPTURE(solver);
    work.file("p.yaml", start + solver + end);
    const auto alone = work("run p.yaml --data . --out alone --no-cache --quiet");
    CAPTURE(alone.output);
    REQUIRE(alone.exit == 0);
    ++n;
    for (const int ranks : {2, 3}) {
      if (!of_the_day(n + static_cast<std::size_t>(ranks), 2)) continue;
      CAPTURE(ranks);
      const auto outcome = over_ranks(
          work, ranks, "run p.yaml --data . --quiet --no-cache --threads 1 --out together");
      CAPTURE(outcome.output);
      REQUIRE(outcome.exit == 0);
      CHECK(results_of(work, "together") == results_of(work, "alone"));
      CHECK(predictions(work, "together") == predictions(work, "alone"));
      CHECK(work.shell("diff -r -x model.json alone/model together/model").exit == 0);
    }
  }
}

TEST_CASE("mpirun: data from files, in folds, with rows set aside, and all messages about them") {
  const Workplace work;
  if (mpi_is_missing(work)) return;
  std::string text = table(0, 1500);
  std::string constant;
  for (std::size_t at = 0, line = 0; at < text.size(); ++line) {
    const std::size_t end = text.find('\n', at);
    constant += text.substr(at, end - at) + (line == 0 ? ",unit" : ",5") + "\n";
    at = end + 1;
  }
  work.file("train.csv", constant);
  const std::string direct = work.file("direct.yaml", R"(name: direct
seed: 3
nodes:
  t:    {is: source/csv, path: train.csv, id: who, label: class, test_fraction: 0.4}
  svm:  {is: solver/linear_svm, C: 1, from: t}
  test: {is: evaluator/classification, from: svm}
)");
  const std::string chosen =
      work.file("chosen.yaml", std::string(of_table) +
                                   "select:\n  metric: test.error_rate\n"
                                   "  folds: 3\n  parameters:\n"
                                   "    C: {path: nodes.svm.C, values: [0.1, 1]}\n");
  const std::string calibrated = work.file("calibrated.yaml", R"(name: calibrated
seed: 3
nodes:
  t:    {is: source/csv, path: train.csv, id: who, label: class, test_fraction: 0.4}
  svm:  {is: solver/linear_svm, C: 1, from: t}
  p:    {is: calibrator/probabilities, folds: 3, from: svm}
  test: {is: evaluator/classification, from: p}
)");
  for (std::size_t n = 0; const std::string& file : {direct, chosen, calibrated}) {
    CAPTURE(file);
    ++n;
    const auto alone = work("run " + file + " --data . --out alone --no-cache");
    REQUIRE(alone.exit == 0);
    // Two ranks each day, one or three in turn.
    for (const int ranks : {1, 2, 3}) {
      if (ranks != 2 && !of_the_day(n + static_cast<std::size_t>(ranks / 2), 2)) continue;
      CAPTURE(ranks);
      const auto outcome = over_ranks(
          work, ranks, "run " + file + " --data . --quiet --no-cache --threads 1 --out together");
      CAPTURE(outcome.output);
      REQUIRE(outcome.exit == 0);
      CHECK(results_of(work, "together") == results_of(work, "alone"));
      CHECK(predictions(work, "together") == predictions(work, "alone"));
    }
    if (file != direct) continue;
    const std::string remark = "1 of 4 columns has the same value in all training rows";
    CHECK(contains(alone, remark));
    const auto outcome = over_ranks(work, 3, "run " + file + " --data . --no-cache --out together");
    CHECK(contains(outcome, remark));
    CHECK(outcome.output.find(remark) == outcome.output.rfind(remark));
    CHECK(contains(work.content("together/report.html"), remark));
  }
}

TEST_CASE("mpirun: a first rank that cannot write its results ends all") {
  const Workplace work;
  if (mpi_is_missing(work)) return;
  const std::string file = work.file("p.yaml", pipeline);
  // A file is in the way of the folder of predictions.
  std::filesystem::create_directories(work.path / "out");
  work.file("out/predictions", "");
  const auto outcome = work.shell(prepared_for_mpi + "timeout 60 mpirun -n 3 \"$program\" run " +
                                  file + " --mpi --quiet --no-cache --out out");
  CHECK(outcome.exit == 1);
  CHECK(contains(outcome, "cannot create"));
}

}  // namespace mpi_test
