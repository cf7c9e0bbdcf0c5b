// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <memory>

#include "calibrator_testing.hpp"

namespace false_alarms_test {

using namespace semblance;
using namespace semblance::testing;

namespace {

std::unique_ptr<NoveltyCalibrator> made(double share) {
  return make_component<NoveltyCalibrator>("calibrator/false_alarms", {{"share", share}});
}

std::vector<float> mapped(const Transform& calibrator, std::vector<float> scores) {
  FloatMatrix in(scores.size(), 1), out(scores.size(), 1);
  in.values = std::move(scores);
  TestContext context;
  calibrator.apply(in.view(), out.view(), context);
  return out.values;
}

}  // namespace

TEST_CASE("the threshold is the k-th smallest held-out score, k = floor(share (n + 1))") {
  std::vector<float> scores;
  for (int i = 0; i < 39; ++i) scores.push_back(static_cast<float>((i * 17) % 39) - 10);
  const auto calibrator = made(0.1);  // k = 4
  MemoryReport report;
  TestContext context;
  calibrator->fit({scores}, report, context);
  CHECK(report.numbers.at("threshold") == -7);
  CHECK(report.numbers.at("promised_share") == 0.1);
  CHECK(report.integers.at("held_out_rows") == 39);
  CHECK(report.numbers.at("held_out_novel") == 3.0 / 39);
  CHECK(mapped(*calibrator, {-8, std::nextafter(-7.0F, -8.0F), -7, 5}) ==
        std::vector<float>{-1, std::nextafter(-7.0F, -8.0F) + 7, 0, 12});
  MemoryState state;
  calibrator->save(state);
  const auto loaded = made(0.1);
  loaded->load(state, context);
  CHECK(mapped(*loaded, scores) == mapped(*calibrator, scores));
}

TEST_CASE("a score next to the threshold stays on its side") {
  const auto calibrator = made(0.5);
  const std::vector<float> equal(3, 1e30F);
  MemoryReport report;
  TestContext context;
  calibrator->fit({equal}, report, context);
  const auto given = mapped(*calibrator, {std::nextafter(1e30F, 0.0F), 1e30F, 1e-40F});
  CHECK(given[0] < 0);
  CHECK(given[1] == 0);
  CHECK(given[2] < 0);
}

TEST_CASE("weights are relative; a weight of 0 is no row") {
  const std::vector<float> all{3, 1, 2, 0, 5, 4}, some{3, 1, 2, 5, 4};
  const std::vector<double> weights{2, 2, 2, 0, 2, 2};
  for (const double share : {0.1, 0.2, 0.5, 0.9}) {
    MemoryReport one, other;
    TestContext context;
    made(share)->fit({all, weights}, one, context);
    made(share)->fit({some}, other, context);
    CHECK(one.numbers.at("threshold") == other.numbers.at("threshold"));
  }
}

TEST_CASE("with too few held-out rows nothing is novel") {
  TestContext context;
  MemoryReport report;
  const std::vector<float> scores(18, 1.0F), enough(19, 1.0F);
  const auto calibrator = made(0.05);
  calibrator->fit({scores}, report, context);
  REQUIRE(context.lines.size() == 1);
  CHECK(context.lines[0] ==
        "of usual rows to be taken for usual, 18 held-out rows promise at most 94.7 %, less than "
        "the 95 % asked for, so nothing is novel; raise 'share', or train with more rows");
  // The order stays as it was.
  const auto kept = mapped(*calibrator, {-3e38F, -7, -0.5F, 0, 0.5F, 7, 3e38F});
  CHECK(kept[0] >= 0);
  for (std::size_t i = 1; i < kept.size(); ++i) CHECK(kept[i] > kept[i - 1]);
  MemoryReport other;
  calibrator->fit({enough}, other, context);
  CHECK(other.numbers.at("threshold") == 1);
}

}  // namespace false_alarms_test
