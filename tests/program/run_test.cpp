// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>

#include "pipelines.hpp"
#include "program.hpp"

namespace run_test {

using namespace semblance::testing;
namespace fs = std::filesystem;

TEST_CASE("the quickstart shows that the deformable similarity beats the Gaussian one") {
  const Workplace work;
  work.succeed("run " SEMBLANCE_PIPELINES "/quickstart.yaml --out out");
  const auto nodes = work.metrics("out").at("nodes");
  const double rbf = nodes.at("rbf_test").at("accuracy");
  const double deformable = nodes.at("deformable_test").at("accuracy");
  CHECK(rbf > 0.7);
  CHECK(deformable > rbf + 0.03);
  CHECK(nodes.at("deformable_svm").at("certificate") == "converged");
}

TEST_CASE("a run leaves behind everything that was promised") {
  const Workplace work;
  work.file("p.yaml", small_pipeline);
  work.succeed("run p.yaml --out out --json");
  for (const char* name : {"metrics.json", "pipeline.yaml", "run.log", "trace.json", "report.html",
                           "model/model.json", "predictions/svm.csv", "predictions/svm.npy"})
    CHECK_MESSAGE(fs::exists(work.path / "out" / name), name);
  const auto metrics = work.metrics("out");
  for (const char* key : {"pipeline", "seed", "nodes", "peak_memory_bytes", "wall_seconds"})
    CHECK_MESSAGE(metrics.contains(key), key);
  for (const auto& node : metrics.at("nodes").items())
    for (const char* key : {"component", "seconds", "cached"})
      CHECK_MESSAGE(node.value().contains(key), node.key() << " " << key);
  const auto& svm = metrics.at("nodes").at("svm");
  CHECK(svm.at("predict_rows") == metrics.at("nodes").at("test").at("rows"));
  CHECK(svm.at("predict_seconds") > 0);
  CHECK(svm.at("predict_seconds") < svm.at("seconds"));
  const auto trace = nlohmann::json::parse(work.content("out/trace.json"));
  CHECK(trace.at("traceEvents").size() > 10);
  CHECK(work.content("out/report.html").find("<svg") != std::string::npos);
  SUBCASE("and the resolved pipeline gives the same result again") {
    work.succeed("run out/pipeline.yaml --out again --no-cache");
    CHECK(predictions(work, "out") == predictions(work, "again"));
  }
}

TEST_CASE("rows that are only gathered for training are not counted as predicted") {
  const Workplace work;
  work.file("p.yaml", R"(name: two_inputs
nodes:
  glyphs: {is: source/glyphs, train_per_class: 20, test_per_class: 10}
  coarse: {is: feature/hog, cell: 8, from: glyphs}
  fine:   {is: feature/hog, cell: 4, from: glyphs}
  svm:    {is: solver/linear_svm, from: [coarse, fine]}
  test:   {is: evaluator/classification, from: svm}
)");
  work.succeed("run p.yaml --out out");
  const auto nodes = work.metrics("out").at("nodes");
  CHECK(nodes.at("svm").at("predict_rows") == nodes.at("test").at("rows"));
}

TEST_CASE("results have the same bits with one and two threads, with and without the store") {
  const Workplace work;
  work.file("p.yaml", small_pipeline);
  work.succeed("run p.yaml --out two --threads 2 --no-cache");
  work.succeed("run p.yaml --out one --threads 1");
  work.succeed("run p.yaml --out stored --threads 2");
  CHECK(predictions(work, "one") == predictions(work, "two"));
  CHECK(predictions(work, "one") == predictions(work, "stored"));
  work.succeed("run p.yaml --out seed --seed 2");
  CHECK(predictions(work, "one") != predictions(work, "seed"));
}

TEST_CASE("memory stays within a budget far under the size of the map" * doctest::skip(sanitized)) {
  const Workplace work;
  work.file("p.yaml", wide_pipeline);
  const std::size_t budget = std::size_t{130} << 20;
  for (const char* store : {"", " --no-cache"}) {
    work.succeed("run p.yaml --memory 130M --out small" + std::string(store));
    // The map and the solver's normalized copy of it are 153 MiB each.
    CHECK(work.metrics("small").at("peak_memory_bytes").get<std::size_t>() <= budget);
  }
  work.succeed("run p.yaml --out large --no-cache");
  CHECK(predictions(work, "small") == predictions(work, "large"));
}

TEST_CASE("a small run gets along with less memory than the program is usually given") {
  const Workplace work;
  work.file("p.yaml", small_pipeline);
  work.succeed("run p.yaml --no-cache --out large");
  for (const char* memory : {"97M", "64M", "56M"}) {
    CAPTURE(memory);
    work.succeed(std::string("run p.yaml --no-cache --out small --memory ") + memory);
    CHECK(predictions(work, "small") == predictions(work, "large"));
  }
  work.expect("run p.yaml --no-cache --out none --memory 40M", 1,
              "does not fit into --memory 40 MiB: the program takes 48 MiB");
}

TEST_CASE("what cannot fit is refused with the arithmetic") {
  const Workplace work;
  work.file("p.yaml", wide_pipeline);
  work.expect("run p.yaml --memory 20M --out out", 1, "does not fit into --memory 20 MiB");
}

TEST_CASE("a deadline stops the run, keeps what is finished, and exits with 1") {
  const Workplace work;
  work.file("p.yaml", wide_pipeline);
  work.expect("run p.yaml --deadline 0.05 --out out", 1, "stopped by the deadline");
  CHECK(fs::exists(work.path / "out/metrics.json"));
  CHECK_FALSE(fs::exists(work.path / "out/predictions"));
}

TEST_CASE("a normalizer with several inputs may give rows of other widths") {
  const Workplace work;
  work.file("p.yaml", R"(name: words
nodes:
  images: {is: source/glyphs, size: 40, train_per_class: 12, test_per_class: 12}
  fine:   {is: feature/sift_grid, from: images}
  coarse: {is: feature/sift_grid, shrink: 2, step: 3, bins: [2], from: images}
  codes:  {is: normalizer/llc, words: 24, sample: 2000, pool: max, from: [fine, coarse]}
  svm:    {is: solver/linear_svm, from: codes}
  test:   {is: evaluator/classification, from: svm}
)");
  work.succeed("run p.yaml --out out --quiet");
  CHECK(work.metrics("out").at("nodes").at("test").at("accuracy").get<double>() > 0.8);
}

TEST_CASE("kept rows of several nodes are what one node gives of the same inputs") {
  const Workplace work;
  const std::string file = work.file("two.yaml", R"(name: two
nodes:
  points: {is: source/xor}
  bases:  {is: basis/random, count: 30, from: points}
  narrow: {is: similarity/rbf, gamma: 10, from: points, bases: bases}
  wide:   {is: similarity/rbf, gamma: 1, from: points, bases: bases}
  first:  {is: normalizer/nystrom, from: narrow}
  second: {is: normalizer/nystrom, from: wide}
  both:   {is: normalizer/nystrom, from: [narrow, wide]}
  apart:    {is: solver/linear_svm, from: [first, second]}
  together: {is: solver/linear_svm, from: both}
  apart_test:    {is: evaluator/classification, from: apart}
  together_test: {is: evaluator/classification, from: together}
)");
  work.succeed("run " + file + " --out o");
  const auto nodes = work.metrics("o").at("nodes");
  CHECK(nodes.at("apart").at("objective") == nodes.at("together").at("objective"));
  CHECK(nodes.at("apart_test").at("error_rate") == nodes.at("together_test").at("error_rate"));
  CHECK(nodes.at("apart_test").at("error_rate").get<double>() < 0.2);
}

TEST_CASE("series are refused where vectors are needed, with what makes vectors of them") {
  const Workplace work;
  const std::string nodes =
      "name: p\nnodes:\n  series: {is: source/warped_series}\n  test: {is: "
      "evaluator/classification, from: svm}\n";
  work.file("p.yaml", nodes + "  svm: {is: solver/linear_svm, from: series}\n");
  work.expect("check p.yaml", 2, "'series' gives a sequence");
  work.expect("check p.yaml", 2,
              "a sequence becomes one by feature/flatten, normalizer/hydra, normalizer/minirocket, "
              "normalizer/multirocket and normalizer/rdst");
  work.file("q.yaml", nodes +
                          "  svm: {is: solver/kernel_svm, kernel: {is: similarity/rbf}, from: "
                          "series}\n");
  work.expect(
      "check q.yaml", 2,
      "'kernel' of solver/kernel_svm is similarity/rbf, which needs samples that are each a "
      "vector or an image or a grid or a sparse vector, but 'series' gives a sequence");
  work.file("r.yaml", nodes +
                          "  svm: {is: solver/kernel_svm, kernel: {is: similarity/gak}, from: "
                          "series}\n");
  work.succeed("check r.yaml");
}

TEST_CASE("series of differing length: medoids, kernels, store and model give the same bits") {
  const Workplace work;
  work.file("p.yaml", R"(name: p
nodes:
  series: {is: source/warped_series, classes: 3, test_per_class: 20, length: 41, shortest: 19, channels: 2}
  z:      {is: feature/smooth, window: 3, from: series}
  bases:  {is: basis/k_medoids, per_class: 4, similarity: {is: similarity/erp, as: negative}, from: z}
  erp:    {is: similarity/erp, as: inverse, from: z, bases: bases}
  phi:    {is: normalizer/zscore, from: erp}
  map:    {is: solver/linear_svm, from: phi}
  kernel: {is: solver/kernel_svm, kernel: {is: similarity/gak}, C: 10, from: z}
  map_test:    {is: evaluator/classification, from: map}
  kernel_test: {is: evaluator/classification, from: kernel}
)");
  work.succeed("run p.yaml --no-cache --threads 1 --out one");
  for (const char* test : {"map_test", "kernel_test"})
    CHECK(work.metrics("one").at("nodes").at(test).at("accuracy").get<double>() > 0.8);
  work.succeed("run p.yaml --threads 2 --out two");
  work.succeed("run p.yaml --threads 2 --out stored");
  work.succeed("predict one/model --out predicted");
  for (const char* solver : {"map.npy", "kernel.npy"}) {
    const std::string bits = work.content(std::string("one/predictions/") + solver);
    CHECK(work.content(std::string("two/predictions/") + solver) == bits);
    CHECK(work.content(std::string("stored/predictions/") + solver) == bits);
    CHECK(work.content(std::string("predicted/") + solver) == bits);
  }
}

TEST_CASE("Ctrl-C, SIGTERM and SIGHUP stop the run within a second, and are told apart") {
  for (const auto& [signal, name] : {std::pair{SIGINT, "Ctrl-C"}, std::pair{SIGTERM, "SIGTERM"},
                                     std::pair{SIGHUP, "SIGHUP (its terminal was closed)"}}) {
    const Workplace work;
    work.file("p.yaml", wide_pipeline);
    const pid_t process = work.start("run p.yaml --out out --set nodes.svm.tolerance=1e-9");
    while (!fs::exists(work.path / "out/pipeline.yaml")) ::usleep(2000);
    ::kill(process, signal);
    CHECK(wait_for(process) == 1);
    CHECK(work.content("background.log").find(std::string("stopped by ") + name) !=
          std::string::npos);
  }
}

TEST_CASE("a deadline is kept with hundreds of classes, each in a problem with every other") {
  const Workplace work;
  std::string table = "a,b,c,label\n";
  for (int i = 0; i < 3200; ++i)
    table += std::to_string(i * 7919 % 3203) + "," + std::to_string(i * 104729 % 997) + "," +
             std::to_string(i * 31 % 89) + ",class" + std::to_string(i % 800) + "\n";
  work.file("many.csv", table);
  work.file("p.yaml", R"(name: many
nodes:
  table: {is: source/csv, path: many.csv, test_fraction: 0.5}
  x:     {is: normalizer/zscore, from: table}
  svm:   {is: solver/kernel_svm, C: 1000, from: x}
  test:  {is: evaluator/classification, from: svm}
)");
  const auto begin = std::chrono::steady_clock::now();
  const auto outcome = work("run p.yaml --data . --deadline 1 --out out --quiet");
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
  INFO(outcome.output);
  CHECK(spent.count() < 8);  // a busy machine; it took many times as long
}

TEST_CASE("columns that are constant are named once") {
  const Workplace work;
  std::string table = "id,unit,width,label\n";
  for (int i = 0; i < 60; ++i)
    table += std::to_string(i) + ",3," + std::to_string(i % 7) + (i % 2 ? ",odd\n" : ",even\n");
  work.file("t.csv", table);
  work.file("p.yaml", R"(name: constant
nodes:
  table: {is: source/csv, path: t.csv, test_fraction: 0.3}
  x:     {is: normalizer/zscore, from: table}
  one:   {is: solver/linear_svm, from: x}
  two:   {is: solver/linear_svm, C: 2, from: x}
  test:  {is: evaluator/classification, from: one}
  more:  {is: evaluator/classification, from: two}
)");
  const auto outcome = work("run p.yaml --data . --out out --quiet");
  INFO(outcome.output);
  REQUIRE(outcome.exit == 0);
  const std::string remark =
      "warning: table: 1 of 3 columns has the same value in all training rows";
  const auto at = outcome.output.find(remark);
  REQUIRE(at != std::string::npos);
  CHECK(outcome.output.find(remark, at + 1) == std::string::npos);
}

TEST_CASE("plan says where a time is not known") {
  const Workplace work;
  work.file("p.yaml", R"(name: kernel
nodes:
  points: {is: source/rings, classes: 3}
  svm:    {is: solver/kernel_svm, from: points}
  test:   {is: evaluator/classification, from: svm}
)");
  const auto outcome = work("plan p.yaml");
  INFO(outcome.output);
  CHECK(outcome.exit == 0);
  CHECK(outcome.output.find("about 0 s") == std::string::npos);
  CHECK(outcome.output.find("the training time is unknown") != std::string::npos);
}

TEST_CASE("real data: BE-SVM on the zip code digits from a table") {
  if (!::getenv("SEMBLANCE_DATA")) {
    MESSAGE("skipped: $SEMBLANCE_DATA is not set");
    return;
  }
  const Workplace work;
  work.succeed("run " SEMBLANCE_PIPELINES "/be_svm/digits_csv.yaml --out out --quiet");
  CHECK(work.metrics("out").at("nodes").at("test").at("error_rate").get<double>() < 0.07);
}

}  // namespace run_test
