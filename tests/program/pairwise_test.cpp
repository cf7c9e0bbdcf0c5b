// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "program.hpp"

using namespace semblance::testing;

namespace {

const std::string pipelines = SEMBLANCE_PIPELINES "/pairwise/";

double eer(const Workplace& work, const std::string& arguments) {
  static int number = 0;
  const std::string out = "out" + std::to_string(number++);
  work.succeed("run " + arguments + " --quiet --out " + out);
  return work.metrics(out)["nodes"]["test"]["eer"].get<double>();
}

}  // namespace

TEST_CASE("on the checker board differences tell pairs apart and midpoints do not" *
          doctest::skip(sanitized)) {
  const Workplace work;
  const std::string board = pipelines + "checkerboard.yaml";
  const double difference = eer(work, board);
  const double midpoint =
      eer(work, board + " --set nodes.svm.kernel.is=pair_kernel/symmetric_direct_sum");
  CHECK(difference < 0.02);
  CHECK(midpoint > 0.4);
  // With the squared hinge it is no worse.
  CHECK(eer(work, board + " --set nodes.svm.is=solver/pairwise_newton") < difference + 0.005);
}

TEST_CASE("a trained pairwise SVM judges new points of squares that it never saw" *
          doctest::skip(sanitized)) {
  const Workplace work;
  work.succeed("run " + pipelines + "checkerboard.yaml --quiet --out out");
  const auto outcome = work("predict out/model --set nodes.points.test_seed=9 --out p");
  INFO(outcome.output);
  REQUIRE(outcome.exit == 0);
  CHECK(outcome.output.find("test: EER ") != std::string::npos);
  CHECK(outcome.output.find(" pairs predicted") != std::string::npos);
}
