// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <linear.h>

#include <cmath>

#include "semblance/regressor.hpp"
#include "semblance/sparse_testing.hpp"
#include "solver_testing.hpp"

namespace liblinear_svr_test {

using namespace semblance;
using namespace semblance::common::testing;

namespace {

struct Numbers {
  FloatMatrix values;
  std::vector<double> targets;  ///< rows x names
  std::vector<std::string> names;
};

Numbers noisy_line(std::size_t rows, std::size_t cols, std::size_t targets) {
  Random random(3);
  Numbers data{FloatMatrix(rows, cols), std::vector<double>(rows * targets), {}};
  for (std::size_t t = 0; t < targets; ++t) data.names.push_back("target " + std::to_string(t));
  for (std::size_t i = 0; i < rows; ++i) {
    double sum = 1;
    for (std::size_t j = 0; j < cols; ++j) {
      const float x = (i + j) % 3 == 0 ? 0 : static_cast<float>(random.normal());
      data.values.values[i * cols + j] = x;
      sum += double{x} * static_cast<double>(j);
    }
    for (std::size_t t = 0; t < targets; ++t)
      data.targets[i * targets + t] = sum * static_cast<double>(t + 1) + random.normal();
  }
  return data;
}

struct TrainedSvr {
  std::unique_ptr<Regressor> svr;
  MemoryReport report;
};

TrainedSvr train_svr(const Numbers& data, Context& context, const Parameters& parameters) {
  TrainedSvr trained{make_component<Regressor>("solver/liblinear_svr", parameters), {}};
  const MemoryRows rows(data.values);
  const Layout layout = layout_of(data.values);
  const std::vector<std::int32_t> labels(rows.rows(), -1);
  trained.svr->bind(layout);
  TrainingSet set{rows, layout, labels, {}};
  set.targets = data.targets;
  set.target_names = data.names;
  trained.svr->train(set, trained.report, context);
  return trained;
}

FloatMatrix estimates(const Regressor& svr, const Numbers& data) {
  TestContext context;
  FloatMatrix out(data.values.rows, data.names.size());
  svr.apply(data.values.view(), out.view(), context);
  return out;
}

/// The library called by hand.
std::vector<double> weights_by_hand(const Numbers& data, int type, double eps, double bias,
                                    double epsilon, unsigned seed) {
  const std::size_t cols = data.values.cols;
  std::vector<std::vector<feature_node>> rows;
  std::vector<feature_node*> pointers;
  for (std::size_t i = 0; i < data.targets.size(); ++i) {
    std::vector<feature_node> row;
    for (std::size_t j = 0; j < cols; ++j)
      if (data.values.values[i * cols + j] != 0)
        row.push_back({static_cast<int>(j + 1), data.values.values[i * cols + j]});
    if (bias > 0) row.push_back({static_cast<int>(cols + 1), bias});
    row.push_back({-1, 0});
    rows.push_back(std::move(row));
  }
  for (auto& row : rows) pointers.push_back(row.data());
  std::vector<double> targets = data.targets;
  const problem p{static_cast<int>(rows.size()), static_cast<int>(cols + (bias > 0 ? 1 : 0)),
                  targets.data(), pointers.data(), bias > 0 ? bias : -1};
  parameter settings{};
  settings.solver_type = type;
  settings.eps = eps;
  settings.C = 0.5;
  settings.p = epsilon;
  set_print_string_function([](const char*) {});
  std::srand(seed);
  model* trained = ::train(&p, &settings);
  std::vector<double> weights(trained->w, trained->w + p.n);
  free_and_destroy_model(&trained);
  return weights;
}

const std::vector<std::pair<std::string, int>> types = {
    {"l2r_l2loss_svr", L2R_L2LOSS_SVR},
    {"l2r_l2loss_svr_dual", L2R_L2LOSS_SVR_DUAL},
    {"l2r_l1loss_svr_dual", L2R_L1LOSS_SVR_DUAL}};

}  // namespace

TEST_CASE("regression: the estimates are those of the library called by hand") {
  const Numbers data = noisy_line(150, 6, 1);
  for (const auto& [solver, type] : types)
    for (const double bias : {0.0, 2.0}) {
      CAPTURE(solver);
      TestContext context;
      const auto trained = train_svr(
          data, context,
          {{"solver", solver}, {"C", 0.5}, {"eps", 1e-3}, {"bias", bias}, {"epsilon", 0.2}});
      const std::vector<double> w = weights_by_hand(data, type, 1e-3, bias, 0.2,
                                                    static_cast<unsigned>(context.random().bits()));
      const FloatMatrix found = estimates(*trained.svr, data);
      double objective = 0;
      for (const double x : w) objective += x * x / 2;
      for (std::size_t i = 0; i < 150; ++i) {
        double f = 0;
        for (std::size_t j = 0; j < 6; ++j) f += w[j] * double{data.values.values[i * 6 + j]};
        if (bias > 0) f += w[6] * bias;
        REQUIRE(found.values[i] == static_cast<float>(f));
        const double lost = std::max(0.0, std::abs(data.targets[i] - f) - 0.2);
        objective += 0.5 * (type == L2R_L1LOSS_SVR_DUAL ? lost : lost * lost);
      }
      CHECK(trained.report.numbers.at("objective") == doctest::Approx(objective).epsilon(1e-12));
    }
}

TEST_CASE("regression: gap and gradient vanish with eps") {
  for (const auto& [solver, type] : types) {
    CAPTURE(solver);
    TestContext context;
    const auto trained =
        train_svr(noisy_line(200, 4, 2), context, {{"solver", solver}, {"eps", 1e-6}, {"C", 0.1}});
    CHECK(trained.report.texts.at("certificate") == "converged");
    const bool dual = type != L2R_L2LOSS_SVR;
    const double distance = trained.report.numbers.at(dual ? "duality_gap" : "gradient_norm");
    CHECK(distance < 1e-4);
    CHECK(distance > -1e-6);
  }
}

TEST_CASE("regression: sparse rows and a saved model give the same bits") {
  const Numbers dense = noisy_line(100, 9, 3);
  Numbers sparse = dense;
  sparse.values = sparse_of(dense.values.view());
  for (const auto& [solver, type] : types) {
    CAPTURE(solver);
    TestContext one, two;
    const auto from_dense = train_svr(dense, one, {{"solver", solver}});
    const auto from_sparse = train_svr(sparse, two, {{"solver", solver}});
    const FloatMatrix expected = estimates(*from_dense.svr, dense);
    CHECK(estimates(*from_sparse.svr, sparse).values == expected.values);
    MemoryState state;
    from_dense.svr->save(state);
    const auto loaded = make_component<Regressor>("solver/liblinear_svr");
    loaded->load(state, one);
    CHECK(loaded->bind(Layout::vector(9)) == Layout::vector(3));
    CHECK(estimates(*loaded, dense).values == expected.values);
  }
}

TEST_CASE("regression: targets that cannot be learned are refused") {
  TestContext context;
  Numbers data = noisy_line(20, 4, 1);
  data.targets[3] = std::nan("");
  CHECK_THROWS_WITH_AS(train_svr(data, context, {}),
                       doctest::Contains("training row 3 (counted from 0)"), Error);
}

}  // namespace liblinear_svr_test
