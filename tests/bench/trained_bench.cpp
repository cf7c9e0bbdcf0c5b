// SPDX-License-Identifier: MIT
// The cost of applying a trained pipeline to one row and to many, and of training a small one.
#include <benchmark/benchmark.h>

#include "runtime/trained/borrowed_rows.hpp"
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

/// One row of 100 values against 1,000 bases. Target: under 50 microseconds.
void apply_be_svm(benchmark::State& state) {
  constexpr std::size_t rows = 2000, cols = 100;
  const auto values = std::make_shared<std::vector<float>>();
  BorrowedData data;
  data.layout = Layout::vector(cols);
  data.classes = {"left", "right"};
  Random random(3);
  for (std::size_t i = 0; i < rows; ++i) {
    data.labels.push_back(static_cast<std::int32_t>(i % 2));
    for (std::size_t k = 0; k < cols; ++k)
      values->push_back(static_cast<float>(random.normal() + (i % 2 == 0 ? -0.2 : 0.2)));
  }
  data.train = {values->data(), rows, cols, cols};
  const MatrixView all = data.train;
  data.owner = values;
  const HandedOver given("wide", std::make_shared<BorrowedRows>(std::move(data)));
  const auto trained = trained_on(R"(name: be_svm
nodes:
  rows:  {is: source/array, data: wide}
  x:     {is: normalizer/zscore, from: rows}
  bases: {is: basis/random, count: 1000, from: x}
  rbf:   {is: similarity/rbf, gamma: 0.01, from: x, bases: bases}
  phi:   {is: normalizer/mean_norm, from: rbf}
  svm:   {is: solver/linear_svm, tolerance: 0.1, from: phi}
)");
  const auto count = static_cast<std::size_t>(state.range(0));
  FloatMatrix scores(count, 2);
  for ([[maybe_unused]] auto _ : state)
    trained->apply("svm", all.rows_range(0, count), scores.view());
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(apply_be_svm)->Arg(1)->Arg(16)->Arg(1000)->UseRealTime();

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
