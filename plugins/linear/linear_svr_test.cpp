// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "convergence_testing.hpp"
#include "svr_testing.hpp"

namespace linear_svr_test {

using namespace semblance;
using namespace semblance::linear::testing;

namespace {

/// The objective of the saved model: from its weights, and the losses of its estimates in double.
double objective(const TrainedSvr& trained, const Numbers& data, const Loss& loss, double cost) {
  MemoryState state;
  trained.svr->save(state);
  const std::vector<double> w = state.doubles("weights"), b = state.doubles("offsets");
  const std::size_t cols = data.values.cols;
  double sum = 0;
  for (const double x : w) sum += x * x / 2;
  for (std::size_t i = 0; i < data.rows(); ++i)
    for (std::size_t t = 0; t < data.names.size(); ++t) {
      double f = b[t];
      for (std::size_t j = 0; j < cols; ++j)
        f += w[t * cols + j] * double{data.values.values[i * cols + j]};
      const double u = data.weights.empty() ? 1 : data.weights[i];
      sum += cost * u * loss(data.target(i, t) - f);
    }
  return sum;
}

std::string everything(const TrainedSvr& trained) {
  MemoryState state;
  trained.svr->save(state);
  std::string text = bits_of(trained.report);
  for (const char* name : {"weights", "offsets"})
    for (const double x : state.doubles(name))
      text += std::to_string(std::bit_cast<std::uint64_t>(x)) + ' ';
  return text;
}

/// The value of the function `f` at its minimum, which is convex on [low, high].
template <class F>
double minimum(double low, double high, const F& f) {
  for (int step = 0; step < 300; ++step) {
    const double a = low + (high - low) / 3, b = high - (high - low) / 3;
    (f(a) < f(b) ? high : low) = f(a) < f(b) ? b : a;
  }
  return f((low + high) / 2);
}

Numbers constant_column(const std::vector<double>& targets) {
  Numbers data{FloatMatrix(targets.size(), 1), targets, {"y"}};
  std::ranges::fill(data.values.values, 1.0F);
  return data;
}

}  // namespace

TEST_CASE("the optimum is certified, and the reported objective is that of the model") {
  const Numbers data = noisy_line(700, 12, 2);
  for (const Loss& loss : all_losses())
    for (const double cost : {0.01, 1.0, 100.0}) {
      CAPTURE(loss.name);
      CAPTURE(loss.epsilon);
      CAPTURE(loss.quantile);
      CAPTURE(cost);
      TestContext context;
      const TrainedSvr trained =
          train_svr(data, context,
                    with(loss.parameters(), {{"C", cost}, {"bias", 0.0}, {"tolerance", 1e-8}}));
      CHECK(trained.certificate() == "converged");
      CHECK(trained.number("duality_gap") <= 1e-8);
      CHECK(trained.number("duality_gap") >= -1e-12);
      CHECK(trained.number("objective") ==
            doctest::Approx(objective(trained, data, loss, cost)).epsilon(1e-10));
    }
}

TEST_CASE("a regression reports the gap on its way to the tolerance") {
  for (const double epsilon : {0.0, 0.1}) {
    TestContext context;
    const TrainedSvr trained = train_svr(noisy_line(700, 12, 1), context, {{"epsilon", epsilon}});
    common::testing::check_convergence(trained.report, "iteration", 1e-5,
                                       trained.number("duality_gap"));
  }
}

TEST_CASE("one column: the minimum of a brute-force search") {
  Random random(5);
  std::vector<double> targets;
  for (int i = 0; i < 41; ++i) targets.push_back(3 + random.normal());
  const Numbers data = constant_column(targets);
  for (const Loss& loss : all_losses())
    for (const double cost : {0.02, 10.0}) {
      CAPTURE(loss.name);
      TestContext context;
      const TrainedSvr trained =
          train_svr(data, context,
                    with(loss.parameters(), {{"C", cost}, {"bias", 0.0}, {"tolerance", 1e-9}}));
      CHECK(trained.certificate() == "converged");
      const double expected = minimum(-10, 10, [&](double w) {
        double sum = w * w / 2;
        for (const double t : targets) sum += cost * loss(t - w);
        return sum;
      });
      CHECK(trained.number("objective") == doctest::Approx(expected).epsilon(1e-8));
    }
}

TEST_CASE("a large C and one constant column give the quantile of the targets") {
  Random random(6);
  std::vector<double> targets;
  for (int i = 0; i < 101; ++i) targets.push_back(random.normal() * random.normal());
  const Numbers data = constant_column(targets);
  std::ranges::sort(targets);
  for (const double q : {0.1, 0.25, 0.5, 0.9, 0.99}) {
    CAPTURE(q);
    TestContext context;
    const TrainedSvr trained = train_svr(data, context,
                                         {{"loss", std::string("quantile")},
                                          {"quantile", q},
                                          {"C", 1e4},
                                          {"bias", 0.0},
                                          {"tolerance", 1e-9}});
    const double expected = targets[static_cast<std::size_t>(q * 101)];
    CHECK(estimates(*trained.svr, data).values[0] == doctest::Approx(expected).epsilon(1e-5));
  }
}

TEST_CASE("estimates move with the targets, whatever their size and offset") {
  const Numbers data = noisy_line(300, 5, 1);
  for (const Loss& loss : all_losses()) {
    if (loss.epsilon > 0) continue;
    CAPTURE(loss.name);
    const bool squared = loss.name == "squared_epsilon_insensitive";
    TestContext context;
    const FloatMatrix expected = estimates(
        *train_svr(data, context, with(loss.parameters(), {{"tolerance", 1e-10}})).svr, data);
    for (const auto& [scale, offset] :
         {std::pair{1e-8, 0.0}, {10.0, 5e5}, {1e-8, 1e-6}, {1e9, -1e12}, {1e30, 0.0}}) {
      CAPTURE(scale);
      Numbers moved = data;
      for (double& y : moved.targets) y = scale * y + offset;
      const TrainedSvr trained =
          train_svr(moved, context,
                    with(loss.parameters(), {{"tolerance", 1e-10}, {"C", squared ? 1 : scale}}));
      CHECK(trained.certificate() == "converged");
      const FloatMatrix found = estimates(*trained.svr, moved);
      for (std::size_t i = 0; i < data.rows(); ++i) {
        const double rounding = std::abs(offset) / scale * 1e-7;
        REQUIRE(std::abs((double{found.values[i]} - offset) / scale - double{expected.values[i]}) <
                1e-3 + rounding);
      }
    }
  }
}

TEST_CASE("constant targets, one row, and a tube wider than the targets") {
  for (const Loss& loss : all_losses()) {
    CAPTURE(loss.name);
    Numbers constant = noisy_line(50, 3, 1);
    std::ranges::fill(constant.targets, 0.1);
    Numbers one = noisy_line(1, 3, 1);
    one.targets = {-7};
    for (const Numbers& data : {constant, one}) {
      TestContext context;
      const TrainedSvr trained = train_svr(data, context, loss.parameters());
      CHECK(trained.certificate() == "converged");
      CHECK(trained.number("objective") == 0);
      for (const float f : estimates(*trained.svr, data).values)
        CHECK(f == static_cast<float>(data.targets[0]));
    }
    if (loss.name == "quantile") continue;
    const Numbers data = noisy_line(60, 3, 2);
    TestContext context;
    const TrainedSvr trained = train_svr(data, context, {{"loss", loss.name}, {"epsilon", 1e4}});
    CHECK(trained.certificate() == "converged");
    CHECK(trained.number("objective") == 0);
  }
}

TEST_CASE("columns far from 0 and of different scales are still solved, or not called so") {
  Numbers data = noisy_line(400, 6, 1);
  for (std::size_t i = 0; i < 400; ++i)
    for (std::size_t j = 0; j < 6; ++j) {
      float& x = data.values.values[i * 6 + j];
      x = (x + 50) * std::pow(10.0F, static_cast<float>(j) - 3);
    }
  for (const Loss& loss : all_losses()) {
    CAPTURE(loss.name);
    TestContext context;
    const TrainedSvr trained =
        train_svr(data, context, with(loss.parameters(), {{"tolerance", 1e-7}, {"bias", 0.0}}));
    CHECK(trained.certificate() == "converged");
    CHECK(trained.number("objective") ==
          doctest::Approx(objective(trained, data, loss, 1)).epsilon(1e-8));
  }
}

TEST_CASE("any number of threads and ranks gives the same bits") {
  const Numbers data = noisy_line(2900, 9, 3);
  for (const Loss& loss : all_losses()) {
    CAPTURE(loss.name);
    TestContext one(1), three(3);
    CHECK(everything(train_svr(data, one, loss.parameters())) ==
          everything(train_svr(data, three, loss.parameters())));
    check_same_on_ranks(data.values, {2, 3}, [&](const Rows& rows, Context& context) {
      return everything(train_svr_on(rows, data, context, loss.parameters()));
    });
  }
}

TEST_CASE("weights of rows are repetitions") {
  Numbers data = noisy_line(200, 6, 2), repeated = data;
  repeated.targets.clear();
  std::vector<float> values;
  for (std::size_t i = 0; i < 200; ++i) {
    data.weights.push_back(static_cast<double>(i * 7 % 11 % 4));
    for (double w = data.weights[i]; w > 0; --w) {
      const auto row = data.values.view().row_span(i);
      values.insert(values.end(), row.begin(), row.end());
      for (std::size_t t = 0; t < 2; ++t) repeated.targets.push_back(data.target(i, t));
    }
  }
  repeated.values = FloatMatrix(values.size() / 6, 6);
  std::ranges::copy(values, repeated.values.values.begin());
  for (const Loss& loss : all_losses()) {
    CAPTURE(loss.name);
    TestContext context;
    const Parameters parameters = with(loss.parameters(), {{"tolerance", 1e-9}});
    const TrainedSvr one = train_svr(data, context, parameters);
    const TrainedSvr two = train_svr(repeated, context, parameters);
    CHECK(one.certificate() == "converged");
    CHECK(one.number("objective") == doctest::Approx(two.number("objective")).epsilon(1e-8));
    const FloatMatrix a = estimates(*one.svr, data), b = estimates(*two.svr, data);
    for (std::size_t k = 0; k < a.values.size(); ++k)
      REQUIRE(a.values[k] == doctest::Approx(b.values[k]).epsilon(1e-3).scale(1));
  }
}

TEST_CASE("few rows of many columns, and several targets, are problems of their own") {
  const Numbers data = noisy_line(40, 300, 3);
  for (const Loss& loss : all_losses()) {
    CAPTURE(loss.name);
    TestContext context;
    const Parameters parameters = with(loss.parameters(), {{"tolerance", 1e-7}});
    const TrainedSvr together = train_svr(data, context, parameters);
    CHECK(together.certificate() == "converged");
    double sum = 0;
    for (std::size_t t = 0; t < 3; ++t) {
      Numbers alone{data.values, {}, {data.names[t]}};
      for (std::size_t i = 0; i < 40; ++i) alone.targets.push_back(data.target(i, t));
      sum += train_svr(alone, context, parameters).number("objective");
    }
    CHECK(together.number("objective") == doctest::Approx(sum).epsilon(1e-6));
  }
}

TEST_CASE("sparse rows have the optimum of dense ones") {
  for (const std::size_t cols : {20U, 900U}) {
    Numbers dense = noisy_line(300, cols, 2);
    for (std::size_t k = 0; k < dense.values.values.size(); ++k)
      if (k * 7 % 23 > 3) dense.values.values[k] = 0;
    Numbers sparse = dense;
    sparse.values = sparse_of(dense.values.view());
    for (const Loss& loss : all_losses()) {
      CAPTURE(loss.name);
      TestContext context, one(1), two(2);
      const Parameters parameters = with(loss.parameters(), {{"tolerance", 1e-7}});
      const TrainedSvr expected = train_svr(dense, context, parameters);
      const TrainedSvr found = train_svr(sparse, one, parameters);
      CHECK(found.certificate() == "converged");
      CHECK(found.number("objective") ==
            doctest::Approx(expected.number("objective")).epsilon(3e-7));
      CHECK(everything(found) == everything(train_svr(sparse, two, parameters)));
      const FloatMatrix a = estimates(*expected.svr, dense), b = estimates(*found.svr, sparse);
      for (std::size_t k = 0; k < a.values.size(); ++k)
        REQUIRE(b.values[k] == doctest::Approx(a.values[k]).epsilon(5e-3).scale(1));
    }
  }
}

TEST_CASE("a saved model gives the same bits") {
  for (const std::size_t targets : {1, 2, 3}) {
    const Numbers data = noisy_line(100, 7, targets);
    TestContext context;
    const TrainedSvr trained = train_svr(data, context);
    MemoryState state;
    trained.svr->save(state);
    const auto loaded = make_component<Regressor>("solver/linear_svr");
    loaded->bind(Layout::vector(7));
    loaded->load(state, context);
    CHECK(loaded->bind(Layout::vector(7)) == Layout::vector(targets));
    CHECK(estimates(*loaded, data).values == estimates(*trained.svr, data).values);
  }
}

TEST_CASE("no extreme of C or scale is called converged that is not") {
  for (const double cost : {1e-300, 1e-30, 1e10, 1e30, 1e300})
    for (const double scale : {1e-30, 1.0, 1e15, 1e30})
      for (const Loss& loss : all_losses()) {
        CAPTURE(cost);
        CAPTURE(scale);
        CAPTURE(loss.name);
        Numbers data = noisy_line(60, 4, 1);
        for (float& x : data.values.values) x *= static_cast<float>(scale);
        TestContext context;
        try {
          const TrainedSvr trained = train_svr(
              data, context,
              with(loss.parameters(), {{"C", cost}, {"max_iterations", std::int64_t{200}}}));
          for (const float f : estimates(*trained.svr, data).values) REQUIRE(!std::isnan(f));
          if (trained.certificate() != "converged") continue;
          CHECK(std::isfinite(trained.number("objective")));
          CHECK(std::abs(trained.number("duality_gap")) <= 1e-5);
        } catch (const Error& error) {
          const std::string message = error.what();
          CAPTURE(message);
          CHECK((message.find("lower C") != std::string::npos ||
                 message.find("scale") != std::string::npos ||
                 message.find("smaller") != std::string::npos));
        }
      }
}

TEST_CASE("a stop request leaves a model and says so") {
  const Numbers data = noisy_line(500, 10, 2);
  for (const Loss& loss : all_losses()) {
    TestContext context;
    context.stop = StopReason::deadline;
    const TrainedSvr trained =
        train_svr(data, context, with(loss.parameters(), {{"center", false}}));
    CHECK(trained.certificate() == "deadline");
    double expected = 0;
    for (const double t : data.targets) expected += loss(t);
    CHECK(trained.number("objective") == doctest::Approx(expected));
    for (const float f : estimates(*trained.svr, data).values) REQUIRE(f == 0);
  }
}

TEST_CASE("unusable data and parameters are refused") {
  Numbers data = noisy_line(10, 3, 1);
  CHECK(svr_error(data, {{"quantile", 0.3}}) ==
        "'quantile' belongs to 'loss: quantile', but the loss is 'squared_epsilon_insensitive'; "
        "omit it, or choose that loss");
  CHECK(svr_error(data, {{"loss", std::string("quantile")}, {"epsilon", 0.3}}) ==
        "'epsilon' belongs to the epsilon-insensitive losses; omit it with 'loss: quantile'");
  data.weights = {1, 2};
  CHECK(svr_error(data) == "2 weights for 10 training rows; there must be one per row");
  data.weights.assign(10, 0);
  CHECK(svr_error(data) ==
        "all training rows have the weight 0; give some of them a larger weight");
  data.weights.assign(10, 1);
  data.weights[4] = -1;
  CHECK(svr_error(data) ==
        "the weight of training row 4 (counted from 0) is -1; weights must be finite, and 0 or "
        "more");
  data.weights.clear();
  data.targets[3] = std::numeric_limits<double>::quiet_NaN();
  CHECK(svr_error(data) ==
        "training row 3 (counted from 0) has the target 'target 0' NaN; training needs finite "
        "targets");
  data.targets[3] = 0;
  data.values.values[7] = std::numeric_limits<float>::infinity();
  CHECK(svr_error(data).find("training row 2") != std::string::npos);
}

}  // namespace linear_svr_test
