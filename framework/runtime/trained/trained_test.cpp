// SPDX-License-Identifier: MIT
#include "runtime/trained/trained.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "registry/discovery.hpp"
#include "runtime/results/predict.hpp"
#include "runtime/trained/trained_testing.hpp"
#include "support/npy.hpp"

using namespace semblance;
using namespace semblance::testing;

TEST_CASE("a machine is trained on rows in memory and applied to others") {
  const TwoClouds clouds(300);
  const HandedOver given("clouds", clouds.data());
  const auto trained = trained_on(R"(name: clouds
nodes:
  rows: {is: source/array, data: clouds}
  svm:  {is: solver/linear_svm, from: rows}
)");
  CHECK(trained->end() == RunEnd::done);
  CHECK(trained->nodes() == std::vector<std::string>{"rows", "svm"});
  CHECK(trained->scoring_node() == "svm");
  CHECK(trained->classes("svm") == std::vector<std::string>{"left", "right"});
  CHECK(trained->input_layout("svm") == Layout::vector(4));
  CHECK(trained->output_layout("svm") == Layout::vector(2));
  const FloatMatrix scores = trained->apply("svm", clouds.view());
  CHECK(scores.rows == 300);
  CHECK(clouds.accuracy(scores) > 0.95);
}
