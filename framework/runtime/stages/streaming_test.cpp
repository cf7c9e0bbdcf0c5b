// SPDX-License-Identifier: MIT
#include "runtime/stages/streaming.hpp"

#include <doctest/doctest.h>

#include <atomic>

#include "semblance/error.hpp"

namespace streaming_test {

using namespace semblance;

namespace {

struct Bench {
  explicit Bench(std::size_t threads) : arena(static_cast<int>(threads)) { run.threads = threads; }
  StopSwitch stop;
  tbb::task_arena arena;
  RunServices run{stop,
                  arena,
                  1,
                  [](LogLevel, const std::string&) {},
                  [](const std::string&, double, double) {},
                  [] { return std::size_t{1} << 30; }};
  StageServices services{run, nullptr, [](const StageStep&, double, std::size_t) {},
                         [](std::size_t, const std::function<void()>& body) { body(); }};
};

StageStep numbers(RowSpan rows) {
  StageStep step;
  step.sizes.cols = 1;
  step.rows = rows;
  step.compute = [](std::size_t first, const auto&, MutableMatrixView out) {
    for (std::size_t r = 0; r < out.rows; ++r) out.row(r)[0] = static_cast<float>(first + r);
  };
  return step;
}

/// The sum of its inputs, written to `result`, whose first row is row `origin`.
StageStep sum_of(std::vector<std::size_t> inputs, RowSpan rows, std::vector<float>& result,
                 std::size_t origin) {
  StageStep step;
  step.inputs = std::move(inputs);
  step.sizes.cols = 1;
  step.rows = rows;
  step.compute = [](std::size_t, const auto& in, MutableMatrixView out) {
    for (std::size_t r = 0; r < out.rows; ++r) {
      out.row(r)[0] = 0;
      for (const auto& i : in) out.row(r)[0] += i.row(r)[0];
    }
  };
  step.destination = [&result, origin](std::size_t first, std::size_t count) {
    return MutableMatrixView{result.data() + first - origin, count, 1, 1};
  };
  return step;
}

}  // namespace

TEST_CASE("every row passes every step once, with one and two threads") {
  for (const std::size_t threads : {1, 2}) {
    Bench bench(threads);
    Stage stage;
    stage.rows = {0, 1000};
    stage.boundary = 700;
    std::vector<float> all(1000), test(300);
    stage.steps = {numbers(stage.rows), sum_of({0, 0}, {0, 1000}, all, 0),
                   sum_of({0, 1}, {700, 300}, test, 700)};
    std::atomic<std::size_t> done = 0;
    stage.steps[1].done = [&](std::size_t, std::size_t count) { done += count; };
    stream(stage, bench.services);
    CHECK(done == 1000);
    for (std::size_t i = 0; i < 1000; ++i) REQUIRE(all[i] == 2 * static_cast<float>(i));
    for (std::size_t i = 0; i < 300; ++i) REQUIRE(test[i] == 3 * static_cast<float>(i + 700));
  }
}

TEST_CASE("what a step throws ends the stage and arrives") {
  Bench bench(2);
  Stage stage;
  stage.rows = {0, 5000};
  std::vector<float> result(5000);
  stage.steps = {numbers(stage.rows), sum_of({0}, stage.rows, result, 0)};
  stage.steps[1].compute = [](std::size_t first, const auto&, auto) {
    if (first >= 2048) throw Error("enough");
  };
  CHECK_THROWS_WITH_AS(stream(stage, bench.services), "enough", Error);
}

TEST_CASE("a stop request ends the stage as cancelled") {
  Bench bench(2);
  Stage stage;
  stage.rows = {0, 5000};
  stage.steps = {numbers(stage.rows)};
  stage.steps[0].compute = [](std::size_t first, const auto&, auto) {
    if (first >= 1024) StopSwitch::cancel();
  };
  CHECK_THROWS_AS(stream(stage, bench.services), Cancelled);
  StopSwitch::reset();
}

}  // namespace streaming_test
