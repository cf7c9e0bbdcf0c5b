// SPDX-License-Identifier: MIT
// What it costs to apply a trained pipeline to one row, and to many, and to train a small one.
#include <benchmark/benchmark.h>

#include "runtime/trained/trained_testing.hpp"

namespace semblance {
namespace {

using namespace testing;

constexpr const char* linear = R"(name: clouds
nodes:
  rows: {is: source/array, data: clouds}
  svm:  {is: solver/linear_svm, from: rows}
)";

constexpr const char* maps = R"(name: clouds
nodes:
  rows:  {is: source/array, data: clouds}
  x:     {is: normalizer/zscore, from: rows}
  bases: {is: basis/random, count: 100, from: x}
  rbf:   {is: similarity/rbf, from: x, bases: bases}
  phi:   {is: normalizer/mean_norm, from: rbf}
  svm:   {is: solver/linear_svm, from: phi}
)";

/// Target for one row: under 50 microseconds.
void apply(benchmark::State& state, const char* pipeline) {
  const TwoClouds clouds(100'000);
  const HandedOver given("clouds", clouds.data());
  const auto trained = trained_on(pipeline);
  const MatrixView rows = clouds.view().rows_range(0, static_cast<std::size_t>(state.range(0)));
  FloatMatrix scores(rows.rows, 2);
  for ([[maybe_unused]] auto _ : state) trained->apply("svm", rows, scores.view());
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK_CAPTURE(apply, linear, linear)->Arg(1)->Arg(100)->Arg(100'000)->UseRealTime();
BENCHMARK_CAPTURE(apply, maps, maps)->Arg(1)->Arg(100)->Arg(100'000)->UseRealTime();

void train(benchmark::State& state) {
  const TwoClouds clouds(100);
  const HandedOver given("clouds", clouds.data());
  const auto pipeline = checked(linear);
  for ([[maybe_unused]] auto _ : state) Trained::train(pipeline, shipped(), in_memory());
}
BENCHMARK(train)->UseRealTime();

}  // namespace
}  // namespace semblance

BENCHMARK_MAIN();
