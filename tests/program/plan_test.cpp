// SPDX-License-Identifier: MIT
// The output of `plan --ranks` without a run.
#include <doctest/doctest.h>

#include "program.hpp"

namespace plan_test {

using namespace semblance::testing;

namespace {

constexpr const char* pipeline = R"(name: planned
nodes:
  images: {is: source/glyphs, train_per_class: 100000, test_per_class: 100}
  hog:    {is: feature/hog, cell: 7, from: images}
  x:      {is: normalizer/mean_norm, from: hog}
  bases:  {is: basis/random, count: 5000, from: images}
  rbf:    {is: similarity/rbf, gamma: 1, from: x, bases: bases}
  svm:    {is: solver/linear_svm, preconditioner: diagonal, from: rbf}
  test:   {is: evaluator/classification, from: svm}
)";

}  // namespace

TEST_CASE("plan --ranks: rows and bytes of the rank with the most rows") {
  const Workplace work;
  work.file("p.yaml", pipeline);
  const auto of_8 = work.succeed("plan p.yaml --no-cache --ranks 8 --threads 16");
  CHECK(contains(of_8, "8 ranks of 16 threads each; figures are for the rank with the most rows"));
  // A million training samples, of which a rank has an eighth.
  CHECK(contains(of_8, "125440 x 5000"));
  CHECK_FALSE(contains(of_8, "learns on the first rank"));
}

TEST_CASE("plan --ranks: what learns on the first rank is named, with what it receives") {
  const Workplace work;
  work.file("p.yaml", pipeline);
  const std::string crammer =
      "--set nodes.svm.multiclass=crammer_singer "
      "--set nodes.svm.preconditioner=automatic ";
  const auto tight = work.succeed("plan p.yaml --no-cache --ranks 64 --memory 4G " + crammer);
  CHECK(contains(tight,
                 "'svm' (solver/linear_svm) learns on the first rank, which receives all its "
                 "training rows, 19 GiB; with what it holds already that is "));
  CHECK(contains(tight, "more than --memory 4.0 GiB"));
  const auto small = work.succeed(
      "plan p.yaml --no-cache --ranks 4 --set nodes.images.train_per_class=100 " + crammer);
  CHECK_FALSE(contains(small, "more than --memory"));
}

TEST_CASE("plan --ranks: figures that make no sense are refused, the plan of one process stays") {
  const Workplace work;
  work.file("p.yaml", pipeline);
  work.expect("plan p.yaml --network 10Gbit", 2, "--network is gone: plan --ranks shows rows");
  work.expect("plan p.yaml --ranks 0", 2, "--ranks must be between 1 and 100000, got 0");
  work.expect("plan p.yaml --no-cache --ranks 4 --memory 200M", 1,
              "this pipeline does not fit into --memory 200 MiB");
  const auto alone = work.succeed("plan p.yaml --no-cache --set nodes.images.train_per_class=100");
  CHECK(contains(alone, "the training time is unknown"));
  CHECK_FALSE(contains(alone, "ranks"));
}

}  // namespace plan_test
