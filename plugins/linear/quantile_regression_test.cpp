// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "svr_testing.hpp"

namespace quantile_regression_test {

using namespace semblance;
using namespace semblance::linear::testing;

namespace {

struct Trained {
  std::unique_ptr<IntervalRegressor> solver;
  MemoryReport report;
};

Trained train_on(const Rows& rows, const Numbers& data, Context& context,
                 const Parameters& parameters) {
  Trained trained{make_component<IntervalRegressor>("solver/quantile_regression", parameters), {}};
  const Layout layout = layout_of(data.values);
  const std::vector<std::int32_t> labels(rows.rows(), -1);
  trained.solver->bind(layout);
  TrainingSet set{rows, layout, labels, {}};
  set.targets = data.targets;
  set.target_names = data.names;
  set.weights = data.weights;
  trained.solver->train(set, trained.report, context);
  return trained;
}

Trained train(const Numbers& data, const Parameters& parameters = {}, std::size_t threads = 2) {
  TestContext context(threads);
  return train_on(MemoryRows(data.values), data, context, parameters);
}

/// Rows x 3 for each target number.
FloatMatrix intervals_of(const IntervalRegressor& solver, const Numbers& data) {
  TestContext context;
  FloatMatrix out(data.values.rows, 3 * data.names.size());
  solver.apply(data.values.view(), out.view(), context);
  return out;
}

/// One column x in [0, 1); numbers are 5 + 2 x plus noise whose deviation is x.
Numbers widening(std::size_t rows, std::uint64_t seed, double scale = 1, double offset = 0) {
  Random random(seed);
  Numbers data{FloatMatrix(rows, 1), {}, {"y"}};
  for (std::size_t i = 0; i < rows; ++i) {
    const double x = random.uniform();
    data.values.values[i] = static_cast<float>(x);
    data.targets.push_back(offset + scale * (5 + 2 * x + x * random.normal()));
  }
  return data;
}

}  // namespace

TEST_CASE("each end and the estimate are the quantiles that linear_svr estimates") {
  for (const std::size_t targets : {1, 3}) {
    const Numbers data = noisy_line(300, 6, targets);
    const Trained trained = train(data, {{"coverage", 0.8}, {"tolerance", 1e-9}});
    CHECK(trained.report.texts.at("certificate") == "converged");
    const FloatMatrix intervals = intervals_of(*trained.solver, data);
    const double quantiles[] = {0.1, 0.5, 0.9};
    double objective = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      TestContext context;
      const TrainedSvr svr = train_svr(
          data, context,
          {{"loss", std::string("quantile")}, {"quantile", quantiles[k]}, {"tolerance", 1e-9}});
      objective += svr.number("objective");
      const FloatMatrix expected = estimates(*svr.svr, data);
      for (std::size_t i = 0; i < data.rows(); ++i)
        for (std::size_t t = 0; t < targets; ++t)
          REQUIRE(double{intervals.view().row(i)[3 * t + k]} ==
                  doctest::Approx(double{expected.view().row(i)[t]}).epsilon(1e-3).scale(1));
    }
    CHECK(trained.report.numbers.at("objective") == doctest::Approx(objective).epsilon(1e-7));
  }
}

TEST_CASE("intervals are as wide as the numbers spread, at any scale and offset") {
  for (const auto& [scale, offset] : {std::pair{1.0, 0.0}, {1e-6, 0.0}, {100.0, 1e6}, {1e8, 0.0}}) {
    CAPTURE(scale);
    CAPTURE(offset);
    const Parameters parameters = {{"coverage", 0.8}, {"C", 10 * scale}};
    const Trained trained = train(widening(4000, 1, scale, offset), parameters);
    const Numbers test = widening(4000, 2, scale, offset);
    const FloatMatrix intervals = intervals_of(*trained.solver, test);
    double covered = 0, below = 0;
    for (std::size_t i = 0; i < 4000; ++i) {
      const float* const ends = intervals.view().row(i);
      covered += double{ends[0]} <= test.targets[i] && test.targets[i] <= double{ends[2]};
      below += test.targets[i] < double{ends[1]};
      const double x{test.values.values[i]};
      if (x > 0.9) {
        // The 80 % interval of a normal distribution is 2.563 deviations wide.
        CHECK((double{ends[2]} - double{ends[0]}) / scale ==
              doctest::Approx(2.563 * x).epsilon(0.15));
        CHECK((double{ends[1]} - offset) / scale == doctest::Approx(5 + 2 * x).epsilon(0.03));
      }
    }
    CHECK(covered / 4000 == doctest::Approx(0.8).epsilon(0.05));
    CHECK(below / 4000 == doctest::Approx(0.5).epsilon(0.08));
  }
}

TEST_CASE("ends never cross the estimate, not even where the functions do") {
  // Trained where x is above 0; the functions cross at 0.
  const Trained trained = train(widening(500, 3), {{"C", 100.0}});
  Numbers outside = widening(100, 4);
  for (float& x : outside.values.values) x = -10 * (x + 1);
  const FloatMatrix intervals = intervals_of(*trained.solver, outside);
  bool moved = false;
  for (std::size_t i = 0; i < 100; ++i) {
    const float* const ends = intervals.view().row(i);
    CHECK(ends[0] <= ends[1]);
    CHECK(ends[1] <= ends[2]);
    moved |= ends[0] == ends[1];
  }
  CHECK(moved);
}

TEST_CASE("weights repeat rows, sparse rows are dense ones, threads and ranks change no bit") {
  Numbers data = noisy_line(900, 8, 2);
  const Parameters parameters = {{"tolerance", 1e-8}};
  const Trained trained = train(data, parameters);
  const FloatMatrix expected = intervals_of(*trained.solver, data);
  CHECK(intervals_of(*train(data, parameters, 3).solver, data).values == expected.values);
  check_same_on_ranks(data.values, {2, 3}, [&](const Rows& rows, Context& context) {
    const Trained shared = train_on(rows, data, context, parameters);
    std::string bits = bits_of(shared.report);
    for (const float end : intervals_of(*shared.solver, data).values)
      bits += std::to_string(std::bit_cast<std::uint32_t>(end)) + ' ';
    return bits;
  });
  const auto same = [&](const Numbers& given, const Numbers& rows) {
    const FloatMatrix found = intervals_of(*train(given, parameters).solver, rows);
    for (std::size_t k = 0; k < found.values.size(); ++k)
      REQUIRE(found.values[k] == doctest::Approx(expected.values[k]).epsilon(3e-3).scale(1));
  };
  Numbers sparse = data;
  sparse.values = sparse_of(data.values.view());
  same(sparse, sparse);
  Numbers more = data;
  more.weights.assign(900, 1);
  for (std::size_t i = 0; i < 900; i += 3) {
    const float* const row = data.values.view().row(i);
    more.values.values.insert(more.values.values.end(), row, row + 8);
    more.targets.insert(more.targets.end(), {1e6, -1e6});
    more.weights.push_back(0);
    ++more.values.rows;
  }
  same(more, data);
}

TEST_CASE("a saved model gives the same bits, and a state of other functions is refused") {
  const Numbers data = noisy_line(100, 7, 2);
  const Trained trained = train(data);
  MemoryState state;
  trained.solver->save(state);
  TestContext context;
  const auto loaded = make_component<IntervalRegressor>("solver/quantile_regression");
  loaded->bind(Layout::vector(7));
  loaded->load(state, context);
  CHECK(loaded->bind(Layout::vector(7)) == Layout::vector(6));
  CHECK(intervals_of(*loaded, data).values == intervals_of(*trained.solver, data).values);
  MemoryState other;
  train_svr(data, context).svr->save(other);
  CHECK_THROWS_WITH(loaded->load(other, context),
                    "the state has 2 functions, which are not three for each target number; train "
                    "the model again");
}

}  // namespace quantile_regression_test
