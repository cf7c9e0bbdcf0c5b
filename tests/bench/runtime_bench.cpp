// SPDX-License-Identifier: MIT
// The cost of the runtime itself: a chain of steps that do nothing, one block of rows after the
// other.
#include <benchmark/benchmark.h>

#include "runtime/stages/streaming.hpp"

namespace semblance {
namespace {

Stage chain(std::size_t steps, std::size_t blocks) {
  Stage stage;
  stage.rows = {0, blocks * streaming_rows};
  for (std::size_t s = 0; s < steps; ++s) {
    StageStep step;
    step.node = s;
    if (s > 0) step.inputs = {s - 1};
    step.sizes.cols = 64;
    step.rows = stage.rows;
    step.compute = [](std::size_t, const auto&, auto) {};
    stage.steps.push_back(std::move(step));
  }
  return stage;
}

/// Time an edge and block: target under 20 microseconds.
void edge(benchmark::State& state) {
  const auto threads = static_cast<std::size_t>(state.range(0));
  const StopSwitch stop;
  tbb::task_arena arena(static_cast<int>(threads));
  RunServices run{stop,
                  arena,
                  threads,
                  [](LogLevel, const std::string&) {},
                  [](const std::string&, double, double) {},
                  [] { return std::size_t{1} << 30; }};
  Trace trace("bench");
  StageServices services{run, &trace, [](const StageStep&, double, std::size_t) {},
                         [](std::size_t, const std::function<void()>& body) { body(); }};
  constexpr std::size_t steps = 8, blocks = 1000;
  const Stage stage = chain(steps, blocks);
  for (auto _ : state) stream(stage, services);
  state.counters["seconds_per_edge_and_block"] =
      benchmark::Counter(static_cast<double>(state.iterations() * steps * blocks),
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
BENCHMARK(edge)->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace semblance

BENCHMARK_MAIN();
