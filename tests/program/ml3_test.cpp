// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cstdlib>

#include "program.hpp"

namespace ml3_test {

using namespace semblance::testing;

namespace {

double error_rate(const Workplace& work, const std::string& arguments) {
  work.succeed("run " + arguments + " --out out --quiet");
  return work.metrics("out").at("nodes").at("test").at("error_rate").get<double>();
}

}  // namespace

TEST_CASE("XOR: ML3 solves it, one linear model a class does not") {
  const Workplace work;
  work.file("p.yaml", R"(name: xor
nodes:
  points: {is: source/xor, train: 1000, noise: 0}
  svm:    {is: solver/ml3, models: 6, lambda: 1e-4, from: points}
  test:   {is: evaluator/classification, from: svm}
)");
  for (const char* seed : {"1", "2", "3"})
    CHECK(error_rate(work, std::string("p.yaml --seed ") + seed) < 0.06);
  work.file("linear.yaml", R"(name: xor
nodes:
  points: {is: source/xor, train: 1000, noise: 0}
  svm:    {is: solver/linear_svm_sgd, lambda: 1e-4, from: points}
  test:   {is: evaluator/classification, from: svm}
)");
  CHECK(error_rate(work, "linear.yaml") > 0.25);
}

TEST_CASE("ML3's peers: each solves XOR, and its saved model gives the same scores") {
  const Workplace work;
  work.file("p.yaml", R"(name: xor
nodes:
  points: {is: source/xor, train: 600, test: 600, noise: 0}
  llsvm:    {is: solver/llsvm, models: 20, lambda: 1e-4, from: points}
  occ:      {is: solver/occ, models: 2, lambda: 1e-4, from: points}
  lcc:      {is: solver/lcc, anchors: 40, lambda: 1e-4, from: points}
  tangents: {is: solver/lcc, anchors: 40, coding: neighbours, tangents: 2, tangent_rows: 20, lambda: 1e-4, from: points}
  kernels:  {is: solver/localized_mkl, kernels: 8, C: 10, from: points}
  llsvm_test:    {is: evaluator/classification, from: llsvm}
  occ_test:      {is: evaluator/classification, from: occ}
  lcc_test:      {is: evaluator/classification, from: lcc}
  tangents_test: {is: evaluator/classification, from: tangents}
  kernels_test:  {is: evaluator/classification, from: kernels}
  llsvm_models:    {is: evaluator/assignments, points: 20, from: llsvm}
  occ_models:      {is: evaluator/assignments, points: 20, from: occ}
  lcc_models:      {is: evaluator/assignments, points: 20, from: lcc}
  tangents_models: {is: evaluator/assignments, points: 20, from: tangents}
  kernels_models:  {is: evaluator/assignments, points: 20, from: kernels}
)");
  work.succeed("run p.yaml --out out --quiet --threads 2");
  const auto nodes = work.metrics("out").at("nodes");
  work.succeed("predict out/model --out p --threads 1");
  for (const std::string name : {"llsvm", "occ", "lcc", "tangents", "kernels"}) {
    INFO(name);
    CHECK(nodes.at(name + "_test").at("error_rate").get<double>() < 0.1);
    CHECK(nodes.at(name + "_models").at("used_models").get<int>() > 1);
    CHECK(work.content("p/" + name + ".npy") == work.content("out/predictions/" + name + ".npy"));
  }
}

TEST_CASE("real data: ML3 on letters and zip code digits reaches the paper's errors" *
          doctest::skip(sanitized)) {
  if (!::getenv("SEMBLANCE_DATA")) {
    MESSAGE("skipped: $SEMBLANCE_DATA is not set");
    return;
  }
  const Workplace work;
  // Table 1: 3.43 % and 5.43 %; over seeds they vary by 0.2 points.
  CHECK(error_rate(work, SEMBLANCE_PIPELINES "/ml3/letter.yaml") < 0.04);
  CHECK(error_rate(work, SEMBLANCE_PIPELINES "/ml3/usps.yaml") < 0.06);
}

}  // namespace ml3_test
