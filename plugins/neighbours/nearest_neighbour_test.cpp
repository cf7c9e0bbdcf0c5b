// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "semblance/predicted_class.hpp"
#include "solver_testing.hpp"

namespace nearest_neighbour_test {

using namespace semblance;
using namespace semblance::common::testing;

namespace {

/// Similarities with many ties, of random samples of some classes to some of the samples.
struct Map {
  FloatMatrix values;
  std::vector<std::int64_t> bases;
  std::vector<std::int32_t> labels;
  std::vector<std::string> classes;
  std::vector<double> weights = {};
};

Map map_with_ties(std::size_t rows, std::size_t classes, bool shuffled, std::uint64_t seed) {
  Random random(seed);
  Map map{FloatMatrix(rows, rows), std::vector<std::int64_t>(rows), {}, {}};
  std::iota(map.bases.begin(), map.bases.end(), 0);
  if (shuffled) random.shuffle(std::span(map.bases));
  for (std::size_t i = 0; i < rows; ++i)
    map.labels.push_back(static_cast<std::int32_t>(random.below(classes)));
  for (std::size_t c = 0; c < classes; ++c) {
    map.labels[c] = static_cast<std::int32_t>(c);
    map.classes.push_back("class " + std::to_string(c));
  }
  for (float& value : map.values.values) value = -static_cast<float>(random.below(9));
  return map;
}

MemoryReport train(Solver& solver, const Map& map) {
  TestContext context;
  const MemoryRows rows(map.values);
  const Layout layout = Layout::vector(map.values.cols);
  MemoryReport report;
  solver.bind(layout);
  TrainingSet training{rows, layout, map.labels, map.classes};
  training.bases = map.bases;
  training.weights = map.weights;
  solver.train(training, report, context);
  return report;
}

std::unique_ptr<Solver> trained(const Map& map, std::int64_t k,
                                const std::string& scores = "votes") {
  auto solver = make_component<Solver>("solver/nearest_neighbour", {{"k", k}, {"scores", scores}});
  train(*solver, map);
  return solver;
}

FloatMatrix scores(const Solver& solver, MatrixView in, std::size_t classes) {
  TestContext context;
  FloatMatrix out(in.rows, classes);
  solver.apply(in, out.view(), context);
  return out;
}

std::string message_of(const Map& map, std::int64_t k) {
  try {
    trained(map, k);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// The rule by its definition: sort all bases, count the first k.
std::int32_t voted(const Map& map, std::span<const float> row, std::size_t k) {
  std::vector<std::size_t> order(map.bases.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    return row[a] != row[b] ? row[a] > row[b] : map.bases[a] < map.bases[b];
  });
  std::map<std::int32_t, std::size_t> votes;
  const auto label = [&](std::size_t j) {
    return map.labels[static_cast<std::size_t>(map.bases[j])];
  };
  for (std::size_t i = 0; i < k; ++i) ++votes[label(order[i])];
  std::int32_t winner = -1;
  for (std::size_t i = 0; i < k; ++i)
    if (winner < 0 || votes[label(order[i])] > votes[winner]) winner = label(order[i]);
  return winner;
}

}  // namespace

TEST_CASE("the largest score is that of the class which the k nearest rows vote for") {
  for (const std::int64_t k : {1, 2, 3, 4, 7, 20, 40})
    for (const bool shuffled : {false, true})
      for (const std::size_t classes : {2, 3, 6}) {
        CAPTURE(k);
        CAPTURE(shuffled);
        const Map map = map_with_ties(40, classes, shuffled, 10 * classes + 1);
        const FloatMatrix out = scores(*trained(map, k), map.values.view(), classes);
        for (std::size_t i = 0; i < 40; ++i)
          CHECK(predicted_class(out.view().row_span(i)) ==
                voted(map, map.values.view().row_span(i), static_cast<std::size_t>(k)));
      }
}

TEST_CASE("shares of the votes are probabilities, with the winner of the votes") {
  for (const std::int64_t k : {1, 2, 3, 4, 7, 20, 40}) {
    CAPTURE(k);
    const Map map = map_with_ties(40, 4, true, 17);
    const auto solver = trained(map, k, "shares");
    CHECK(solver->gives_probabilities());
    const FloatMatrix out = scores(*solver, map.values.view(), 4);
    const FloatMatrix votes = scores(*trained(map, k), map.values.view(), 4);
    for (std::size_t i = 0; i < 40; ++i) {
      const auto row = out.view().row_span(i);
      const std::int32_t winner = voted(map, map.values.view().row_span(i), std::size_t(k));
      CHECK(predicted_class(row) == winner);
      double sum = 0;
      for (std::size_t c = 0; c < 4; ++c) {
        CHECK(row[c] >= 0);
        sum += double{row[c]};
        const double share = k == 1 ? double(winner == std::int32_t(c))
                                    : std::floor(double{votes.view().row(i)[c]}) / double(k);
        CHECK(double{row[c]} == doctest::Approx(share).epsilon(1e-6));
      }
      CHECK(sum == doctest::Approx(1).epsilon(1e-6));
    }
  }
  CHECK_FALSE(trained(map_with_ties(40, 4, true, 17), 3)->gives_probabilities());
}

TEST_CASE("votes count by the inverse of the distance, and those at distance 0 alone") {
  for (const std::int64_t k : {2, 5, 20}) {
    CAPTURE(k);
    Map map = map_with_ties(40, 3, true, 23);
    for (std::size_t i = 0; i < map.values.values.size(); ++i)
      if (map.values.values[i] != 0)
        map.values.values[i] -= 0.001F * static_cast<float>(i % 101);  // no other ties
    auto solver = make_component<Solver>("solver/nearest_neighbour",
                                         {{"k", k},
                                          {"scores", std::string("shares")},
                                          {"weighting", std::string("inverse_distance")}});
    train(*solver, map);
    const FloatMatrix out = scores(*solver, map.values.view(), 3);
    for (std::size_t i = 0; i < 40; ++i) {
      const auto row = map.values.view().row_span(i);
      std::vector<std::size_t> order(40);
      std::iota(order.begin(), order.end(), 0);
      std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
        return row[a] != row[b] ? row[a] > row[b] : map.bases[a] < map.bases[b];
      });
      std::vector<double> votes(3);
      double sum = 0;
      for (std::size_t r = 0; r < std::size_t(k); ++r) {
        const double d = -double{row[order[r]]}, nearest = -double{row[order[0]]};
        const double vote = nearest == 0 ? double(d == 0) : 1 / d;
        votes[std::size_t(map.labels[std::size_t(map.bases[order[r]])])] += vote;
        sum += vote;
      }
      for (std::size_t c = 0; c < 3; ++c)
        CHECK(double{out.view().row(i)[c]} == doctest::Approx(votes[c] / sum).epsilon(1e-5));
    }
  }
  Map map = map_with_ties(40, 3, true, 23);
  auto solver = make_component<Solver>(
      "solver/nearest_neighbour",
      {{"k", std::int64_t{3}}, {"weighting", std::string("inverse_distance")}});
  train(*solver, map);
  map.values.values[5] = 1;
  CHECK_THROWS_WITH(scores(*solver, map.values.view(), 3),
                    doctest::Contains("is above 0 and cannot be the negative of a distance"));
}

TEST_CASE("scores of one neighbour are the largest similarities within the classes") {
  Map map{FloatMatrix(4, 4), {3, 0, 1, 2}, {0, 1, 1, 2}, {"a", "b", "c"}};
  // Bases in columns: rows 3 (c), 0 (a), 1 (b), 2 (b).
  const std::vector<float> first = {-2, -3, -1, -5}, tied = {-1, -4, -6, -1};
  std::copy(first.begin(), first.end(), map.values.view().row(0));
  std::copy(tied.begin(), tied.end(), map.values.view().row(1));
  const FloatMatrix out = scores(*trained(map, 1), map.values.view().rows_range(0, 2), 3);
  CHECK(out.values[0] == -3);
  CHECK(out.values[1] == -1);
  CHECK(out.values[2] == -2);
  // Rows 2 (b) and 3 (c) are equally near: the lower number wins.
  CHECK(out.values[3] == -4);
  CHECK(out.values[4] == -1);
  CHECK(out.values[5] < -1);
  CHECK(out.values[5] > -1.000001F);
}

TEST_CASE("a tie is recognized at both ends of float32") {
  constexpr float most = std::numeric_limits<float>::max();
  for (const float value : {-most, most, 0.0F, -0.0F}) {
    CAPTURE(value);
    Map map{FloatMatrix(3, 3), {2, 1, 0}, {1, 0, 0}, {"a", "b"}};
    std::ranges::fill(map.values.values, value);
    const FloatMatrix out = scores(*trained(map, 1), map.values.view(), 2);
    CHECK(out.values[1] > out.values[0]);
    CHECK(std::isfinite(out.values[0]));
    CHECK(std::isfinite(out.values[1]));
  }
}

TEST_CASE("scores of several neighbours are votes and ranks") {
  // Classes a, b, c; the nearest row is c's, then two of b, then a.
  Map map{FloatMatrix(4, 4), {0, 1, 2, 3}, {0, 1, 1, 2}, {"a", "b", "c"}};
  const std::vector<float> row = {-9, -3, -2, -1};
  std::copy(row.begin(), row.end(), map.values.view().row(0));
  const FloatMatrix out = scores(*trained(map, 2), map.values.view().rows_range(0, 1), 3);
  CHECK(out.values == std::vector<float>{0.25F, 1.5F, 1.75F});
}

TEST_CASE("a row that is left out is scored as by a solver without it") {
  for (const std::int64_t k : {1, 3, 5})
    for (const bool shuffled : {false, true}) {
      const Map map = map_with_ties(30, 3, shuffled, 5);
      const auto all = trained(map, k);
      TestContext context;
      for (std::size_t i = 0; i < 30; ++i) {
        CAPTURE(i);
        // Without row i as a training sample: its column and label are removed, and later rows move
        // up.
        Map others{FloatMatrix(29, 29), {}, {}, map.classes};
        FloatMatrix sample(1, 29);
        for (std::size_t j = 0; j < 30; ++j) {
          if (j != i) others.labels.push_back(map.labels[j]);
          const auto base = static_cast<std::size_t>(map.bases[j]);
          if (base == i) continue;
          sample.values[others.bases.size()] = map.values.view().row(i)[j];
          others.bases.push_back(static_cast<std::int64_t>(base - (base > i ? 1 : 0)));
        }
        const FloatMatrix expected = scores(*trained(others, k), sample.view(), 3);
        FloatMatrix out(1, 3);
        const std::vector<std::int64_t> rows = {static_cast<std::int64_t>(i)};
        all->apply_left_out(map.values.view().rows_range(i, 1), rows, out.view(), context);
        CHECK(out.values == expected.values);
      }
    }
}

TEST_CASE("a class whose only row is left out gets the smallest score") {
  const Map map{FloatMatrix(3, 3), {0, 1, 2}, {0, 1, 1}, {"a", "b"}};
  TestContext context;
  const std::vector<std::int64_t> rows = {0};
  FloatMatrix out(1, 2);
  trained(map, 1)->apply_left_out(map.values.view().rows_range(0, 1), rows, out.view(), context);
  CHECK(out.values[0] == std::numeric_limits<float>::lowest());
  CHECK(out.values[1] == 0);
  trained(map, 2)->apply_left_out(map.values.view().rows_range(0, 1), rows, out.view(), context);
  CHECK(out.values[0] == 0);
  CHECK(out.values[1] > 2);
}

TEST_CASE("similarities that are all equal are reported once") {
  Map map = map_with_ties(12, 3, false, 4);
  TestContext context;
  const auto solver = trained(map, 1);
  FloatMatrix out(12, 3);
  solver->apply(map.values.view(), out.view(), context);
  CHECK(context.lines.empty());
  std::ranges::fill(map.values.values, 0.0F);
  solver->apply(map.values.view(), out.view(), context);
  solver->apply(map.values.view(), out.view(), context);
  REQUIRE(context.lines.size() == 1);
  CHECK(context.lines[0].find("as: negative") != std::string::npos);
}

TEST_CASE("a saved solver gives the same bits, and its figures count the bases") {
  const Map map = map_with_ties(40, 4, true, 3);
  auto solver = make_component<Solver>("solver/nearest_neighbour", {{"k", std::int64_t{3}}});
  const MemoryReport report = train(*solver, map);
  CHECK(report.texts.at("certificate") == "converged");
  CHECK(report.integers.at("bases") == 40);
  MemoryState state;
  solver->save(state);
  auto loaded = make_component<Solver>("solver/nearest_neighbour", {{"k", std::int64_t{3}}});
  TestContext context;
  loaded->bind(Layout::vector(40));
  loaded->load(state, context);
  CHECK(loaded->bind(Layout::vector(40)) == Layout::vector(4));
  CHECK(scores(*loaded, map.values.view(), 4).values ==
        scores(*solver, map.values.view(), 4).values);
  auto narrow = make_component<Solver>("solver/nearest_neighbour");
  narrow->bind(Layout::vector(39));
  CHECK_THROWS_WITH_AS(narrow->load(state, context),
                       "the nearest neighbours have arrays of the wrong size; train them again",
                       Error);
}

TEST_CASE("what nearest neighbours refuse") {
  const Map sound = map_with_ties(12, 3, false, 2);
  Map map = sound;
  map.bases.clear();
  CHECK(message_of(map, 1) ==
        "its rows are not similarities to training rows; connect it to one similarity directly, "
        "whose bases are training rows (basis/all)");
  map = sound;
  map.bases.pop_back();
  CHECK(message_of(map, 1) ==
        "11 bases for 12 columns; connect it to one similarity directly, whose bases are training "
        "rows (basis/all)");
  CHECK(message_of(sound, 13) ==
        "13 neighbours (k) cannot be found among 12 bases; lower k or use more bases");
  map = sound;
  map.labels.assign(12, 0);
  map.labels[0] = 1;
  map.labels[1] = 2;
  map.bases[0] = 5;
  map.bases[5] = 5;
  CHECK(message_of(map, 1) ==
        "class 'class 1' has no row among the bases and could never be found; use basis/all");
  map = sound;
  map.values.values[3] = std::numeric_limits<float>::quiet_NaN();
  CHECK_THROWS_WITH_AS(scores(*trained(map, 1), map.values.view(), 3),
                       "the similarity of row 0 of the block to basis 3 (both counted from 0) is "
                       "NaN; scale the samples or change the "
                       "measure's parameters",
                       Error);
  TestContext context;
  FloatMatrix out(1, 3);
  const std::vector<std::int64_t> rows = {0};
  CHECK_THROWS_WITH_AS(trained(sound, 12)->apply_left_out(sound.values.view().rows_range(0, 1),
                                                          rows, out.view(), context),
                       "12 neighbours (k) cannot be found among the 11 bases that are left without "
                       "the row itself; lower k",
                       Error);
}

TEST_CASE("votes of weighted rows count their weights, and rows of weight 0 have none") {
  Map map = map_with_ties(40, 3, true, 5);
  for (std::size_t i = 0; i < 40; ++i)
    map.weights.push_back(static_cast<double>(i * 7 % 11 % 4) / 2);
  for (std::size_t c = 0; c < 3; ++c) map.weights[c] = 1;
  for (const std::int64_t k : {1, 2, 5, 12}) {
    CAPTURE(k);
    const auto solver = trained(map, k);
    const FloatMatrix out = scores(*solver, map.values.view(), 3);
    const FloatMatrix shares = scores(*trained(map, k, "shares"), map.values.view(), 3);
    for (std::size_t i = 0; i < 40; ++i) {
      const auto row = map.values.view().row_span(i);
      std::vector<std::size_t> order;
      for (std::size_t j = 0; j < 40; ++j)
        if (map.weights[static_cast<std::size_t>(map.bases[j])] > 0) order.push_back(j);
      std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
        return row[a] > row[b] || (row[a] == row[b] && map.bases[a] < map.bases[b]);
      });
      const auto label = [&](std::size_t base) {
        return static_cast<std::size_t>(map.labels[static_cast<std::size_t>(map.bases[base])]);
      };
      std::vector<double> votes(3);
      double all = 0;
      for (std::size_t n = 0; n < static_cast<std::size_t>(k); ++n) {
        const double weight = map.weights[static_cast<std::size_t>(map.bases[order[n]])];
        votes[label(order[n])] += weight;
        all += weight;
      }
      std::size_t nearest = 0;  // among those of the classes with most votes
      while (votes[label(order[nearest])] < *std::ranges::max_element(votes)) ++nearest;
      const std::size_t winner = k == 1 ? label(order[0]) : label(order[nearest]);
      CHECK(predicted_class(out.view().row_span(i)) == static_cast<std::int32_t>(winner));
      CHECK(predicted_class(shares.view().row_span(i)) == static_cast<std::int32_t>(winner));
      for (std::size_t c = 0; k > 1 && c < 3; ++c) {
        CHECK(double{out.view().row(i)[c]} == doctest::Approx(votes[c]));
        CHECK(double{shares.view().row(i)[c]} == doctest::Approx(votes[c] / all));
      }
    }
    MemoryState state;
    solver->save(state);
    auto loaded = make_component<Solver>("solver/nearest_neighbour", {{"k", k}});
    TestContext context;
    loaded->bind(Layout::vector(40));
    loaded->load(state, context);
    CHECK(scores(*loaded, map.values.view(), 3).values == out.values);
  }
  // A class's weight decides between classes with equal numbers of neighbours.
  Map four{FloatMatrix(4, 4), {0, 1, 2, 3}, {0, 1, 1, 0}, {"a", "b"}};
  const std::vector<float> row = {-1, -2, -3, -4};
  std::copy(row.begin(), row.end(), four.values.view().row(0));
  auto solver =
      make_component<Solver>("solver/nearest_neighbour",
                             {{"k", std::int64_t{4}}, {"class_weights", NamedValues{{"b", 1.5}}}});
  train(*solver, four);
  CHECK(predicted_class(
            scores(*solver, four.values.view().rows_range(0, 1), 2).view().row_span(0)) == 1);
}

TEST_CASE("weights that nearest neighbours cannot mind are refused") {
  Map map = map_with_ties(12, 3, false, 2);
  map.weights.assign(12, 1);
  map.weights[3] = 0;
  CHECK(
      message_of(map, 12) ==
      "12 neighbours (k) cannot be found among 11 bases whose weight is not 0; lower k or use more "
      "bases");
  CHECK_THROWS_WITH_AS(
      make_component<Solver>("solver/nearest_neighbour", {{"balanced", true}}),
      "with k: 1 the nearest row alone decides, whatever its class's weight; raise "
      "k, or remove 'class_weights' and 'balanced'",
      Error);
  const auto solver = trained(map, 2);
  TestContext context;
  FloatMatrix out(1, 3);
  const std::vector<std::int64_t> rows = {0};
  CHECK_THROWS_WITH_AS(
      solver->apply_left_out(map.values.view().rows_range(0, 1), rows, out.view(), context),
      "weights of rows or classes do not go with 'folds: leave_one_out'; remove them, or choose "
      "with a number of folds",
      Error);
}

}  // namespace nearest_neighbour_test
