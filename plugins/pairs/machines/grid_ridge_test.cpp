// SPDX-License-Identifier: MIT
#include "machines/grid_ridge.hpp"

#include <numeric>

#include "semblance/left_out_scores.hpp"
#include "semblance/regressor.hpp"
#include "testing/pairs_testing.hpp"

namespace semblance::pairs::grid_ridge_test {

using namespace testing;

constexpr double gamma_of[] = {0.3, 0.2};
const Parts gaussians = {{"first", part("similarity/rbf", {{"gamma", gamma_of[0]}})},
                         {"second", part("similarity/rbf", {{"gamma", gamma_of[1]}})}};
const std::vector<std::pair<std::string, LeftOut>> settings = {{"new_pairs", LeftOut::pair},
                                                               {"new_first", LeftOut::first},
                                                               {"new_second", LeftOut::second},
                                                               {"both_new", LeftOut::both}};

/// Pairs and two targets of each.
struct Task {
  MadePairs pairs;
  std::vector<double> targets;

  Task(std::size_t m, std::size_t q, std::size_t count, std::uint64_t seed = 1)
      : pairs(made_pairs(m, q, 3, 2, count, seed)) {
    Random random(seed);
    for (std::size_t i = 0; i < count; ++i)
      for (const double level : {5.0, -1.0})
        targets.push_back(level + pairs.sample(0, i)[0] * pairs.sample(1, i)[1] +
                          0.3 * random.normal());
  }
  VecTrick products(Context& context) const {
    const auto kernel = [&](std::size_t side) {
      const auto& samples = pairs.samples[side];
      SquareMatrix made{samples.size(), {}};
      for (const Floats& a : samples)
        for (const Floats& b : samples) made.values.push_back(gaussian(a, b, gamma_of[side]));
      return made;
    };
    PairIndex index;
    for (const auto& [a, b] : pairs.pairs) index.first.push_back(a), index.second.push_back(b);
    return {kernel(0), kernel(1), index, context};
  }
  /// Trains on the pairs that are not left out; with `estimates`, those by machines without what
  /// the setting leaves out.
  std::unique_ptr<Regressor> trained(const Parameters& parameters,
                                     const std::vector<char>& left_out, MemoryReport& report,
                                     Context& context, MutableMatrixView estimates = {},
                                     std::span<const std::int32_t> groups = {}) const {
    std::vector<std::size_t> kept;
    std::vector<double> numbers;
    for (std::size_t i = 0; i < pairs.count(); ++i)
      if (left_out[i] == 0) {
        kept.push_back(i);
        numbers.insert(numbers.end(), {targets[2 * i], targets[2 * i + 1]});
      }
    const MatrixView all = std::as_const(pairs.rows).view();
    FloatMatrix rows = FloatMatrix::ragged(pairs.layout.size(),
                                           std::vector<std::size_t>(kept.size(), all.size(0)));
    for (std::size_t k = 0; k < kept.size(); ++k)
      copy_rows(all.rows_range(kept[k], 1), rows.view().rows_range(k, 1));
    const MatrixRows some(std::as_const(rows).view());
    const std::vector<std::int32_t> labels(kept.size(), -1);
    const std::vector<std::string> names = {"one", "two"};
    TrainingSet training{some, pairs.layout, labels, {}};
    training.targets = numbers;
    training.target_names = names;
    auto machine = make_component<Regressor>("solver/kronecker_ridge", parameters, gaussians);
    machine->bind(pairs.layout);
    training.groups = groups;
    dynamic_cast<LeftOutScores&>(*machine).train_leaving_out(training, estimates, report, context);
    return machine;
  }
  std::vector<char> left_out_with(std::size_t i, LeftOut what) const {
    std::vector<char> out(pairs.count());
    for (std::size_t j = 0; j < out.size(); ++j) {
      const bool first = pairs.pairs[j][0] == pairs.pairs[i][0];
      const bool second = pairs.pairs[j][1] == pairs.pairs[i][1];
      out[j] = static_cast<char>(what == LeftOut::pair    ? first && second
                                 : what == LeftOut::first ? first
                                 : what == LeftOut::both  ? first || second
                                                          : second);
    }
    return out;
  }
  /// The numbers minus their estimates by machines that are trained without.
  std::vector<double> refitted(double penalty, bool intercept, LeftOut what) const {
    TestContext context;
    std::vector<double> errors;
    for (std::size_t i = 0; i < pairs.count(); ++i) {
      MemoryReport report;
      const auto machine =
          trained({{"penalty", penalty}, {"intercept", intercept}, {"tolerance", 1e-13}},
                  left_out_with(i, what), report, context);
      FloatMatrix found(1, 2);
      machine->apply(std::as_const(pairs.rows).view().rows_range(i, 1), found.view(), context);
      for (std::size_t t = 0; t < 2; ++t)
        errors.push_back(targets[2 * i + t] - double{found.values[t]});
    }
    return errors;
  }
};

TEST_CASE("grid ridge: errors of pairs that are left out are those of fits without them") {
  const std::vector<double> penalties = {0.7, 0.05};
  for (const auto& [m, q] : {std::pair{4, 6}, std::pair{5, 3}})
    for (const bool intercept : {true, false})
      for (const auto& [name, what] : settings) {
        CAPTURE(m);
        CAPTURE(intercept);
        CAPTURE(name);
        const Task task(std::size_t(m), std::size_t(q), std::size_t(m * q));
        TestContext context;
        const VecTrick products = task.products(context);
        const GridRidge grid(products, intercept, what, context);
        const auto fits = grid.fits(task.targets, 2, penalties, context);
        TestContext many(3);
        const auto again =
            GridRidge(products, intercept, what, many).fits(task.targets, 2, penalties, many);
        for (std::size_t l = 0; l < 2; ++l) {
          const std::vector<double> expected = task.refitted(penalties[l], intercept, what);
          double worst = 0;
          for (std::size_t i = 0; i < expected.size(); ++i)
            worst = std::max(worst, std::abs(fits[l].errors[i] - expected[i]));
          CHECK(worst < 5e-6);
          CHECK(again[l].errors == fits[l].errors);
          CHECK(again[l].coefficients == fits[l].coefficients);
        }
      }
}

TEST_CASE("kronecker ridge chooses the penalty with the smallest errors in its setting") {
  const std::vector<double> penalties = {0.001, 0.03, 1, 30};
  const Task task(6, 5, 30);
  std::vector<double> found;
  for (const auto& [name, what] : settings) {
    CAPTURE(name);
    double least = HUGE_VAL, best = 0;
    std::vector<double> roots;
    for (const double penalty : penalties) {
      const std::vector<double> errors = task.refitted(penalty, true, what);
      double squares[] = {0, 0};
      for (std::size_t i = 0; i < errors.size(); ++i) squares[i % 2] += errors[i] * errors[i] / 30;
      double relative = 0;
      for (std::size_t t = 0; t < 2; ++t) {
        double sum = 0, own = 0;
        for (std::size_t i = 0; i < 30; ++i) sum += task.targets[2 * i + t] / 30;
        for (std::size_t i = 0; i < 30; ++i) own += std::pow(task.targets[2 * i + t] - sum, 2) / 30;
        relative += squares[t] / own;
      }
      roots.push_back(std::sqrt((squares[0] + squares[1]) / 2));
      if (relative < least) least = relative, best = penalty;
    }
    TestContext context;
    MemoryReport report, plain;
    const std::vector<char> none(30);
    const auto chosen =
        task.trained({{"penalties", penalties}, {"setting", name}}, none, report, context);
    CHECK(report.numbers.at("penalty") == best);
    CHECK(report.texts.at("certificate") == "converged");
    const Table& trials = report.tables.at("penalties");
    for (std::size_t l = 0; l < 4; ++l)
      CHECK(trials.values[4 * l] == doctest::Approx(roots[l]).epsilon(1e-5));
    const auto other =
        task.trained({{"penalty", best}, {"tolerance", 1e-12}}, none, plain, context);
    CHECK(report.numbers.at("objective") == doctest::Approx(plain.numbers.at("objective")));
    FloatMatrix one(30, 2), two(30, 2);
    chosen->apply(std::as_const(task.pairs.rows).view(), one.view(), context);
    other->apply(std::as_const(task.pairs.rows).view(), two.view(), context);
    for (std::size_t k = 0; k < 60; ++k)
      CHECK(one.values[k] == doctest::Approx(two.values[k]).epsilon(1e-5));
    found.push_back(best);
  }
  CHECK(std::ranges::adjacent_find(found, std::not_equal_to()) != found.end());
}

TEST_CASE("kronecker ridge: calibrators get the estimates of pairs that are left out") {
  const Task task(6, 5, 30);
  for (const auto& [name, what] : settings) {
    CAPTURE(name);
    TestContext context;
    MemoryReport report;
    FloatMatrix found(30, 2);
    task.trained({{"penalties", std::vector<double>{0.05}}, {"setting", name}},
                 std::vector<char>(30), report, context, found.view());
    const std::vector<double> errors = task.refitted(0.05, true, what);
    for (std::size_t k = 0; k < 60; ++k)
      CHECK(double{found.values[k]} == doctest::Approx(task.targets[k] - errors[k]).epsilon(1e-5));
  }
  // Groups must be what is left out.
  std::vector<std::int32_t> by_first;
  for (const auto& pair : task.pairs.pairs) by_first.push_back(std::int32_t(pair[0]));
  const auto train = [&](const std::string& setting) {
    TestContext context;
    MemoryReport report;
    FloatMatrix found(30, 2);
    const auto machine =
        task.trained({{"penalties", std::vector<double>{0.05}}, {"setting", setting}},
                     std::vector<char>(30), report, context, found.view(), by_first);
    return dynamic_cast<const LeftOutScores&>(*machine).leaves_out_groups();
  };
  CHECK(train("new_first"));
  CHECK(train("both_new"));
  CHECK(!train("new_pairs"));
  CHECK_THROWS_WITH(train("new_second"),
                    "'setting: new_second' estimates pairs with others of their group; give the "
                    "source and the solver the same setting");
}

TEST_CASE("kronecker ridge refuses to leave out pairs of an incomplete table, and what is alone") {
  const auto message = [](const Task& task, const Parameters& parameters) -> std::string {
    TestContext context;
    MemoryReport report;
    try {
      task.trained(parameters, std::vector<char>(task.pairs.count()), report, context);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  const std::vector<double> penalties = {0.1, 1};
  CHECK(message(Task(6, 5, 29), {{"penalties", penalties}}) ==
        "'penalties' are compared in closed form where each first sample has one pair with each "
        "second sample, but there are 29 pairs of 6 first and 5 second samples; give all pairs, or "
        "set 'penalty' and let `select` choose it");
  CHECK(message(Task(1, 5, 5), {{"penalties", penalties}, {"setting", std::string("both_new")}}) ==
        "nothing remains to learn from without what 'setting' leaves out, as there is a single "
        "first sample; give pairs of others, or set 'penalty'");
  CHECK(message(Task(1, 5, 5), {{"penalties", penalties}}).empty());
}

TEST_CASE("kronecker ridge: a stop while penalties are compared keeps the best so far") {
  const Task task(6, 5, 30);
  MemoryReport report;
  stop_early([&](Context& context) {
    report = {};
    task.trained({{"penalties", std::vector<double>{0.1, 1}}}, std::vector<char>(30), report,
                 context);
  });
  CHECK(report.texts.at("certificate") == "deadline");
}

}  // namespace semblance::pairs::grid_ridge_test
