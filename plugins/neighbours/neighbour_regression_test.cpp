// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "regression_testing.hpp"

namespace neighbour_regression_test {

using namespace semblance;
using namespace semblance::common::testing;

namespace {

/// Similarities of samples to some of them, with two targets each.
struct Compared {
  NumberData data;  // its values are the similarities
  std::vector<std::int64_t> bases;
};

/// Negative distances with many ties.
Compared tied(std::size_t rows, bool shuffled, std::uint64_t seed) {
  Random random(seed);
  Compared made{{FloatMatrix(rows, rows), {}, {"first", "second"}},
                std::vector<std::int64_t>(rows)};
  std::iota(made.bases.begin(), made.bases.end(), 0);
  if (shuffled) random.shuffle(std::span(made.bases));
  for (float& value : made.data.values.values) value = -static_cast<float>(random.below(5));
  for (std::size_t i = 0; i < 2 * rows; ++i) made.data.targets.push_back(5e5 + random.normal());
  return made;
}

std::unique_ptr<Regressor> trained(const Compared& compared, std::int64_t k,
                                   const std::string& weighting) {
  auto solver = make_component<Regressor>("solver/neighbour_regression",
                                          {{"k", k}, {"weighting", weighting}});
  TestContext context;
  const MemoryRows rows(compared.data.values);
  const Layout layout = Layout::vector(compared.data.values.cols);
  const std::vector<std::int32_t> labels(compared.data.rows(), -1);
  TrainingSet training = training_set(rows, layout, labels, compared.data);
  training.bases = compared.bases;
  MemoryReport report;
  solver->bind(layout);
  solver->train(training, report, context);
  return solver;
}

std::string message_of(const Compared& compared, std::int64_t k,
                       const std::string& weighting = "equal") {
  try {
    estimates(*trained(compared, k, weighting), compared.data.values, 2);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// The definition: bases sorted by similarity and row number; `omitted` is no neighbour.
double plain_estimate(const Compared& compared, std::size_t row, std::size_t target, std::size_t k,
                      const std::string& weighting, std::int64_t omitted = -1) {
  const float* similarities = compared.data.values.values.data() + row * compared.bases.size();
  const auto weight = [&](std::int64_t base) {
    return compared.data.weights.empty() ? 1
                                         : compared.data.weights[static_cast<std::size_t>(base)];
  };
  std::vector<std::pair<float, std::int64_t>> order;
  for (std::size_t j = 0; j < compared.bases.size(); ++j)
    if (compared.bases[j] != omitted && weight(compared.bases[j]) > 0)
      order.emplace_back(-similarities[j], compared.bases[j]);
  std::ranges::sort(order);
  order.resize(k);
  const bool exact = weighting == "inverse_distance" && order.front().first == 0;
  double sum = 0, total = 0;
  for (const auto& [distance, base] : order) {
    double share = weight(base);
    if (exact) share *= distance == 0 ? 1 : 0;
    if (weighting == "inverse_distance" && !exact) share /= double{distance};
    if (weighting == "similarity") share *= -double{distance};
    sum += share * compared.data.target(static_cast<std::size_t>(base), target);
    total += share;
  }
  return sum / total;
}

void check_all(const Compared& compared, std::size_t k, const std::string& weighting) {
  const auto solver = trained(compared, static_cast<std::int64_t>(k), weighting);
  const FloatMatrix found = estimates(*solver, compared.data.values, 2);
  TestContext context;
  FloatMatrix left_out(compared.data.rows(), 2);
  std::vector<std::int64_t> rows(compared.data.rows());
  std::iota(rows.begin(), rows.end(), 0);
  solver->apply_left_out(compared.data.values.view(), rows, left_out.view(), context);
  for (std::size_t i = 0; i < compared.data.rows(); ++i)
    for (std::size_t t = 0; t < 2; ++t) {
      CHECK(found.values[2 * i + t] ==
            doctest::Approx(plain_estimate(compared, i, t, k, weighting)).epsilon(1e-7));
      CHECK(left_out.values[2 * i + t] ==
            doctest::Approx(
                plain_estimate(compared, i, t, k, weighting, static_cast<std::int64_t>(i)))
                .epsilon(1e-7));
    }
}

TEST_CASE("neighbour regression: the definition, with ties, weights, and rows left out") {
  for (const bool shuffled : {false, true})
    for (const std::size_t k : {1, 2, 7, 19})
      for (const char* weighting : {"equal", "inverse_distance"}) {
        CAPTURE(k);
        CAPTURE(weighting);
        Compared compared = tied(30, shuffled, 1);
        check_all(compared, k, weighting);
        for (std::size_t i = 0; i < 30; ++i)
          compared.data.weights.push_back(static_cast<double>(i % 3));
        check_all(compared, k, weighting);
      }
}

TEST_CASE("neighbour regression: similarities as weights") {
  Compared compared = tied(20, true, 2);
  for (float& value : compared.data.values.values) value += 5;
  check_all(compared, 4, "similarity");
  // Similarities of 0 weigh equally if there are no others, and the smallest count too.
  for (float& value : compared.data.values.values) value = 0;
  const FloatMatrix none = estimates(*trained(compared, 4, "similarity"), compared.data.values, 2);
  CHECK(none.values == estimates(*trained(compared, 4, "equal"), compared.data.values, 2).values);
  for (float& value : compared.data.values.values) value = 1e-45F;
  const FloatMatrix tiny = estimates(*trained(compared, 4, "similarity"), compared.data.values, 2);
  CHECK(tiny.values == none.values);
  compared.data.weights.assign(20, 1e308);
  const FloatMatrix heavy = estimates(*trained(compared, 4, "equal"), compared.data.values, 2);
  CHECK(heavy.values == none.values);
}

TEST_CASE("neighbour regression: left out is trained without, bit for bit") {
  const Compared all = tied(15, false, 3);
  const auto solver = trained(all, 3, "inverse_distance");
  TestContext context;
  for (std::size_t i = 0; i < 15; ++i) {
    Compared others{{FloatMatrix(14, 14), {}, all.data.names}, std::vector<std::int64_t>(14)};
    std::iota(others.bases.begin(), others.bases.end(), 0);
    FloatMatrix row(1, 14), whole(1, 15), expected(1, 2), found(1, 2);
    for (std::size_t j = 0, to = 0; j < 15; ++j) {
      whole.values[j] = all.data.values.values[i * 15 + j];
      if (j == i) continue;
      row.values[to++] = whole.values[j];
      for (std::size_t t = 0; t < 2; ++t) others.data.targets.push_back(all.data.target(j, t));
    }
    trained(others, 3, "inverse_distance")->apply(row.view(), expected.view(), context);
    const std::vector<std::int64_t> rows{static_cast<std::int64_t>(i)};
    solver->apply_left_out(whole.view(), rows, found.view(), context);
    CHECK(found.values == expected.values);
  }
}

// scikit-learn 1.2.1: KNeighborsRegressor(n_neighbors=3, weights=...).predict(X[:4] + 0.3)[:, 0]
TEST_CASE("neighbour regression: the numbers of scikit-learn") {
  Compared compared{{FloatMatrix(20, 20), {}, {"first", "second"}}, std::vector<std::int64_t>(20)};
  std::iota(compared.bases.begin(), compared.bases.end(), 0);
  const auto x = [](std::size_t i, std::size_t j) {
    return static_cast<double>((i * 7 + j * 13 + i * j) % 17) / 4;
  };
  for (std::size_t i = 0; i < 20; ++i) {
    for (std::size_t b = 0; b < 20; ++b) {
      double squares = 0;
      for (std::size_t j = 0; j < 3; ++j)
        squares += (x(i, j) + 0.3 - x(b, j)) * (x(i, j) + 0.3 - x(b, j));
      compared.data.values.values[i * 20 + b] = -static_cast<float>(std::sqrt(squares));
    }
    compared.data.targets.push_back(static_cast<double>((i * 5 + i * i) % 23) / 2);
    compared.data.targets.push_back(static_cast<double>((i * 11 + 3) % 13) / 8);
  }
  const std::vector<double> equal = {1.16666666667,  0.958333333333, 3.33333333333,
                                     0.708333333333, 7.66666666667,  1,
                                     1.16666666667,  0.708333333333};
  const std::vector<double> inverse = {1.23276263593,  0.904630358303, 2.96980550236,
                                       0.654630358303, 7.9356127105,   1,
                                       1.09329648776,  0.767946603692};
  const FloatMatrix first = estimates(*trained(compared, 3, "equal"), compared.data.values, 2);
  const FloatMatrix second =
      estimates(*trained(compared, 3, "inverse_distance"), compared.data.values, 2);
  for (std::size_t i = 0; i < equal.size(); ++i) {
    CHECK(double{first.values[i]} == doctest::Approx(equal[i]).epsilon(1e-6));
    CHECK(double{second.values[i]} == doctest::Approx(inverse[i]).epsilon(1e-6));
  }
}

TEST_CASE("neighbour regression: a loaded solver gives the same bits") {
  Compared compared = tied(30, true, 4);
  for (std::size_t i = 0; i < 30; ++i) compared.data.weights.push_back(static_cast<double>(1 + i));
  const auto solver = trained(compared, 3, "inverse_distance");
  MemoryState state;
  solver->save(state);
  const auto loaded = make_component<Regressor>(
      "solver/neighbour_regression",
      {{"k", std::int64_t{3}}, {"weighting", std::string("inverse_distance")}});
  TestContext context;
  loaded->bind(Layout::vector(30));
  loaded->load(state, context);
  CHECK(saved_bits(*loaded) == saved_bits(*solver));
  CHECK(estimates(*loaded, compared.data.values, 2).values ==
        estimates(*solver, compared.data.values, 2).values);
}

TEST_CASE("neighbour regression: messages") {
  Compared compared = tied(4, false, 1);
  CHECK(message_of(compared, 5) ==
        "5 neighbours (k) cannot be found among 4 bases; lower k or use more bases");
  CHECK(message_of(compared, 2, "similarity").find("is negative and cannot be a weight") !=
        std::string::npos);
  compared.data.values.values[1] = 3;
  CHECK(message_of(compared, 2, "inverse_distance")
            .find("is above 0 and cannot be the negative of a distance") != std::string::npos);
  compared.data.values.values[2] = std::nanf("");
  CHECK(message_of(compared, 1).find("to basis 2 (both counted from 0) is NaN") !=
        std::string::npos);
  compared.bases.clear();
  CHECK(message_of(compared, 1) ==
        "its rows are not similarities to training rows; connect it to one similarity directly, "
        "whose bases are training rows (basis/all)");
}

}  // namespace

}  // namespace neighbour_regression_test
