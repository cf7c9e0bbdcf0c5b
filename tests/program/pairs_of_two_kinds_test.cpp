// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "program.hpp"

namespace pairs_of_two_kinds_test {

using namespace semblance::testing;

// Pairs of drugs and proteins, from three tables to the estimates of new ones.

namespace {

const std::string drugs = "drug,x,y\nd0,1,2\nd1,2,1\nd2,3,5\nd3,0,1\nd4,4,4\nd5,2,2\n";
const std::string matrix =
    "protein,s0,s1,s2,s3\np0,1,.5,.2,.1\np1,.5,1,.3,.2\np2,.2,.3,1,.4\np3,.1,.2,.4,1\n";

std::string pairs() {
  std::string text = "drug,protein,affinity,binds\n";
  for (int a = 0; a < 6; ++a)
    for (int b = 0; b < 4; ++b)
      text += "d" + std::to_string(a) + ",p" + std::to_string(b) + "," +
              std::to_string((a + 1) * (b + 2) % 7) + ((a + b) % 2 == 0 ? ",yes\n" : ",no\n");
  return text;
}

const std::string source = R"(name: p
nodes:
  pairs:
    is: source/pairs
    path: pairs.csv
    first:  {is: source/csv, path: drugs.csv, label: none, id: drug}
    second: {is: source/csv, path: matrix.csv, label: none, id: protein}
    first_id: drug
    second_id: protein
)";

const std::string machines = source + R"(    target: affinity
    setting: new_first
    test_fraction: 0.34
  x: {is: normalizer/parts, first: {is: normalizer/zscore}, from: pairs}
  fast:
    is: solver/kronecker_ridge
    first:  {is: similarity/rbf, gamma: 0.5}
    second: {is: similarity/precomputed}
    tolerance: 1e-12
    from: x
  plain:
    is: solver/kernel_ridge
    kernel: {is: similarity/kronecker, first: {is: similarity/rbf, gamma: 0.5}, second: {is: similarity/precomputed}}
    from: x
  fast_test:  {is: evaluator/regression, from: fast}
  plain_test: {is: evaluator/regression, from: plain}
)";

/// A folder with the three tables and a pipeline.
class Tables {
 public:
  explicit Tables(const std::string& pipeline) {
    work.file("drugs.csv", drugs);
    work.file("matrix.csv", matrix);
    work.file("pairs.csv", pairs());
    work.file("p.yaml", pipeline);
  }
  Workplace work;
};

}  // namespace

TEST_CASE("machines on pairs: threads, store and model give the same bits") {
  const Tables tables(machines);
  const Workplace& work = tables.work;
  work.succeed("run p.yaml --data . --no-cache --threads 1 --out one");
  work.succeed("run p.yaml --data . --threads 2 --out two");
  work.succeed("run p.yaml --data . --threads 2 --out stored");
  work.succeed("predict one/model pairs.csv --data . --out all");
  for (const char* machine : {"fast.npy", "plain.npy"}) {
    const std::string bits = work.content(std::string("one/predictions/") + machine);
    CHECK(work.content(std::string("two/predictions/") + machine) == bits);
    CHECK(work.content(std::string("stored/predictions/") + machine) == bits);
  }
  const auto nodes = work.metrics("one").at("nodes");
  CHECK(nodes.at("fast").at("certificate") == "converged");
  CHECK(nodes.at("fast_test").at("rows") == 8);
  CHECK(nodes.at("fast_test").at("rmse").get<double>() ==
        doctest::Approx(nodes.at("plain_test").at("rmse").get<double>()).epsilon(1e-5));
}

TEST_CASE("a model estimates pairs of new samples") {
  const Tables tables(machines);
  const Workplace& work = tables.work;
  work.succeed("run p.yaml --data . --out run");
  work.file("new.csv", "drug,protein\nfresh,p1\n");
  work.expect("predict run/model new.csv --data . --out new", 1,
              "line 2: column 1 names the sample 'fresh', but none of the 6 of 'first'");
  work.file("new_drugs.csv", "drug,y,x\nfresh,2,1\n");  // as d0, with its columns exchanged
  work.succeed(
      "predict run/model new.csv --data . --out new --set nodes.pairs.first.path=new_drugs.csv");
  work.file("known.csv", "drug,protein\nd0,p1\n");
  work.succeed("predict run/model known.csv --data . --out known");
  CHECK(work.content("new/fast.npy") == work.content("known/fast.npy"));
}

TEST_CASE("bases, folds and calibrators take pairs") {
  const Tables tables(source + R"(    label: binds
    setting: new_second
    test_fraction: 0.25
  bases: {is: basis/random, count: 8, from: pairs}
  map:   {is: similarity/cartesian, first: {is: similarity/rbf, gamma: 0.5}, from: pairs, bases: bases}
  svm:   {is: solver/linear_svm, from: map}
  test:  {is: evaluator/classification, from: svm}
  fast:  {is: solver/kronecker_svm, first: {is: similarity/rbf, gamma: 0.5}, from: pairs}
  sets:  {is: calibrator/conformal, folds: 2, from: fast}
  cover: {is: evaluator/coverage, from: sets}
)");
  tables.work.succeed("run p.yaml --data . --out run");
  CHECK(tables.work.metrics("run").at("nodes").at("cover").at("rows") == 6);
}

TEST_CASE("what a side's similarity cannot take is refused before anything runs") {
  const std::string kernel = "similarity/kronecker, first: {is: similarity/edit}";
  const Tables tables(
      source + "    target: affinity\n  r: {is: solver/kernel_ridge, kernel: {is: " + kernel +
      "}, from: pairs}\n  t: {is: evaluator/regression, from: r}\n");
  tables.work.expect("plan p.yaml --data .", 1,
                     "'first' of similarity/kronecker is similarity/edit, which does not take a "
                     "vector of 2; choose one that does");
  const Tables plain(source +
                     "    target: affinity\n  r: {is: solver/ridge, from: pairs}\n"
                     "  t: {is: evaluator/regression, from: r}\n");
  plain.work.expect("check p.yaml --data .", 2, "but 'pairs' gives a pair");
}

}  // namespace pairs_of_two_kinds_test
