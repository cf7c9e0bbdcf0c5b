// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "program.hpp"

namespace pairwise_test {

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
  // Does not converge in ten times as many iterations either.
  const double midpoint =
      eer(work, board +
                    " --set nodes.svm.kernel.is=pair_kernel/symmetric_direct_sum"
                    " --set nodes.svm.max_iterations=1000000");
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

TEST_CASE("without new data a model of pairs predicts the test pairs of its training run") {
  const Workplace work;
  for (const std::string pairs :
       {"{is: pairs/all, from: x}", "{is: pairs/all, held_out: 0.3, from: x}"}) {
    CAPTURE(pairs);
    const std::string test_rows = pairs.find("held_out") == std::string::npos ? "5" : "0";
    work.file("p.yaml",
              "name: pairs\nnodes:\n"
              "  glyphs: {is: source/glyphs, train_per_class: 6, test_per_class: " +
                  test_rows +
                  "}\n"
                  "  x:      {is: feature/hog, cell: 8, from: glyphs}\n"
                  "  pairs:  " +
                  pairs +
                  "\n"
                  "  svm:    {is: solver/pair_cosine, from: x, pairs: pairs}\n"
                  "  test:   {is: evaluator/verification, from: svm}\n");
    work.succeed("run p.yaml --quiet --out out");
    work.expect("predict out/model --out p", 0, "the test rows of the training run");
    CHECK(work.content("p/svm.npy") == work.content("out/predictions/svm.npy"));
    CHECK(work.content("p/svm.csv") == work.content("out/predictions/svm.csv"));
  }
}

}  // namespace pairwise_test
