// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <set>

#include "greedy/input_trials.hpp"
#include "solver_testing.hpp"
#include "tuning/stratified_folds.hpp"

namespace greedy_selection_test {

using namespace semblance;
using namespace semblance::linear;
using namespace semblance::common::testing;

namespace {

const std::vector<std::size_t> widths = {3, 1, 2, 1};
const std::vector<std::string> names = {"noise", "hazy", "second", "first"};

/// Four classes encoded by two bits. `first` shows one bit clearly, `hazy` the same bit less
/// clearly, `second` the other bit with a little noise, and `noise` neither.
Data bits(std::size_t rows) {
  Random random(7);
  Data data{FloatMatrix(rows, 7), std::vector<std::int32_t>(rows), {"00", "01", "10", "11"}};
  for (std::size_t i = 0; i < rows; ++i) {
    const std::size_t label = random.below(4);
    data.labels[i] = static_cast<std::int32_t>(label);
    const double one = label / 2 == 0 ? -1 : 1, two = label % 2 == 0 ? -1 : 1;
    const double values[] = {random.normal(),
                             random.normal(),
                             random.normal(),
                             one + 1.5 * random.normal(),
                             two + 0.6 * random.normal(),
                             random.normal(),
                             one + 0.3 * random.normal()};
    for (std::size_t j = 0; j < 7; ++j)
      data.values.values[i * 7 + j] = static_cast<float>(values[j]);
  }
  return data;
}

/// With solver/linear_svm as the inner solver.
std::unique_ptr<Solver> selection(const Parameters& parameters = {}) {
  auto solver = make_component<Solver>("solver/greedy_selection", parameters,
                                       {{"solver", semblance::testing::part("solver/linear_svm")}});
  solver->bind(Layout::vector(7));
  return solver;
}

TrainedSolver select(const Data& data, Context& context, const Parameters& parameters = {},
                     const std::vector<std::size_t>& inputs = widths) {
  TrainedSolver outcome{selection(parameters), {}};
  const MemoryRows rows(data.values);
  outcome.solver->train({rows, Layout::vector(7), data.labels, data.classes, {}, inputs, names},
                        outcome.report, context);
  return outcome;
}

/// The rows whose entry in `mask` equals `wanted`, restricted to the columns of these inputs.
Data part(const Data& data, const std::set<std::size_t>& inputs, const std::vector<bool>& mask) {
  Data some{{}, {}, data.classes};
  for (std::size_t i = 0; i < data.labels.size(); ++i) {
    if (!mask[i]) continue;
    some.labels.push_back(data.labels[i]);
    std::size_t column = 0;
    for (std::size_t input = 0; input < widths.size(); ++input)
      for (std::size_t j = 0; j < widths[input]; ++j, ++column)
        if (inputs.contains(input))
          some.values.values.push_back(data.values.values[i * 7 + column]);
  }
  some.values.rows = some.labels.size();
  some.values.cols = some.values.values.size() / some.values.rows;
  return some;
}

double cross_validated(const Data& data, const std::set<std::size_t>& inputs, std::size_t folds) {
  TestContext context;
  const auto fold = common::stratified_folds(data.labels, data.classes.size(), folds,
                                             Random::stream(context.random().bits(), 0));
  std::size_t hits = 0;
  for (std::size_t f = 0; f < folds; ++f) {
    std::vector<bool> inside(fold.size()), outside(fold.size());
    for (std::size_t i = 0; i < fold.size(); ++i) (fold[i] == f ? inside : outside)[i] = true;
    const Data held = part(data, inputs, inside);
    const auto trained = train("solver/linear_svm", part(data, inputs, outside), context);
    const FloatMatrix f_values = scores(*trained.solver, held);
    for (std::size_t i = 0; i < held.labels.size(); ++i) {
      const auto row = f_values.view().row_span(i);
      hits += std::max_element(row.begin(), row.end()) - row.begin() == held.labels[i];
    }
  }
  return static_cast<double>(hits) / static_cast<double>(fold.size());
}

std::string message(const Data& data, const std::vector<std::size_t>& inputs = widths,
                    std::size_t budget = 1 << 30, const Parameters& parameters = {}) {
  TestContext context;
  context.budget = budget;
  try {
    select(data, context, parameters, inputs);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE(
    "the input that contributes most comes first, inputs that contribute nothing are omitted") {
  TestContext context;
  const auto outcome = select(bits(600), context, {{"least_gain", 0.02}});
  CHECK(outcome.report.texts.at("order") == "first, second");
  CHECK(outcome.report.integers.at("chosen_inputs") == 2);
  const Table& steps = outcome.report.tables.at("selection");
  CHECK(steps.rows == std::vector<std::string>{"first", "second"});
  CHECK(steps.columns == std::vector<std::string>{"accuracy", "gain"});
  CHECK(steps.values[0] > 0.45);
  CHECK(steps.values[2] > 0.9);
  CHECK(steps.values[3] == doctest::Approx(steps.values[2] - steps.values[0]));
  CHECK(outcome.report.numbers.at("cross_validated_accuracy") == steps.values[2]);
  CHECK(outcome.report.curves.at("accuracy_by_step").y ==
        std::vector<double>{steps.values[0], steps.values[2]});
  CHECK(outcome.report.integers.at("trainings") == 5 * (4 + 3 + 2));
  CHECK(outcome.report.integers.at("unconverged_trainings") == 0);
  CHECK(outcome.report.texts.at("certificate") == "converged");
  CHECK(outcome.report.numbers.at("train_seconds") >=
        outcome.report.numbers.at("selection_seconds"));
}

TEST_CASE("the choice is that of exhaustive trials by hand") {
  const Data data = bits(150);
  TestContext context;
  const auto outcome = select(data, context, {{"folds", std::int64_t{3}}, {"least_gain", -1.0}});
  const Table& tried = outcome.report.tables.at("candidates");
  REQUIRE(tried.rows == names);
  REQUIRE(tried.columns.size() == 4);
  std::set<std::size_t> chosen;
  for (std::size_t step = 0; step < 4; ++step) {
    std::optional<std::size_t> best;
    double best_value = 0;
    for (std::size_t candidate = 0; candidate < 4; ++candidate) {
      const double value = tried.values[candidate * 4 + step];
      CAPTURE(step);
      CAPTURE(candidate);
      if (chosen.contains(candidate)) {
        CHECK(std::isnan(value));
        continue;
      }
      std::set<std::size_t> inputs = chosen;
      inputs.insert(candidate);
      CHECK(value == cross_validated(data, inputs, 3));
      if (!best || value > best_value) best = candidate, best_value = value;
    }
    chosen.insert(*best);
    CHECK(outcome.report.tables.at("selection").rows[step] == names[*best]);
    CHECK(outcome.report.tables.at("selection").values[2 * step] == best_value);
  }
}

TEST_CASE("the scores are those of the inner solver trained on the chosen columns") {
  TestContext context;
  const Data data = bits(600);
  const auto some = select(data, context, {{"most", std::int64_t{2}}});
  CHECK(some.report.texts.at("order") == "first, second");
  const Data columns = part(data, {2, 3}, std::vector<bool>(600, true));
  CHECK(scores(*some.solver, data).values ==
        scores(*train("solver/linear_svm", columns, context).solver, columns).values);
  const auto all = select(data, context, {{"least_gain", -1.0}});
  CHECK(all.report.integers.at("chosen_inputs") == 4);
  CHECK(scores(*all.solver, data).values ==
        scores(*train("solver/linear_svm", data, context).solver, data).values);
}

TEST_CASE("one and two threads give the same bits") {
  const Data data = bits(300);
  TestContext one(1), two(2);
  const auto a = select(data, one), b = select(data, two);
  CHECK(a.report.texts.at("order") == b.report.texts.at("order"));
  CHECK(scores(*a.solver, data).values == scores(*b.solver, data).values);
}

TEST_CASE("a saved selection gives the same bits") {
  const Data data = bits(200);
  for (const std::int64_t most : {1, 2, 4}) {
    TestContext context;
    const auto trained = select(data, context, {{"most", most}, {"least_gain", -1.0}});
    MemoryState state;
    trained.solver->save(state);
    const auto loaded = selection();
    loaded->load(state, context);
    CHECK(loaded->bind(Layout::vector(7)) == Layout::vector(4));
    CHECK(scores(*loaded, data).values == scores(*trained.solver, data).values);
  }
  MemoryState damaged;
  damaged.integer("classes", 4);
  damaged.integers("widths", std::vector<std::int64_t>{3, 4});
  damaged.integers("chosen", std::vector<std::int64_t>{0, 2});
  TestContext context;
  CHECK_THROWS_WITH_AS(selection()->load(damaged, context),
                       "the saved selection of inputs is damaged; train it again", Error);
}

TEST_CASE("little memory means fewer trainings at once, not another choice") {
  const Data data = bits(300);
  TestContext large, small;
  small.budget = 300 << 10;
  const auto a = select(data, large), b = select(data, small);
  CHECK(a.report.texts.at("order") == b.report.texts.at("order"));
  CHECK(message(data, widths, 800) ==
        "the 240 rows of a fold take 1 MiB with 3 columns, but 0 MiB are free; raise --memory, or "
        "choose among smaller maps");
}

TEST_CASE("a stop request before the first step takes all inputs, and says so") {
  const Data data = bits(200);
  for (const auto& [reason, text] : {std::pair{StopReason::deadline, "deadline"},
                                     std::pair{StopReason::cancelled, "cancelled"}}) {
    TestContext context;
    context.stop = reason;
    const auto outcome = select(data, context);
    CHECK(outcome.report.texts.at("certificate") == text);
    CHECK(outcome.report.texts.at("order").empty());
    CHECK(outcome.report.integers.at("chosen_inputs") == 4);
    CHECK(scores(*outcome.solver, data).values.size() == 800);
  }
}

TEST_CASE("a single input is taken as it is, with a warning") {
  const Data data = bits(200);
  TestContext context;
  const auto outcome = select(data, context, {}, {7});
  CHECK(outcome.report.texts.at("order") == "input 1");
  REQUIRE(!context.lines.empty());
  CHECK(context.lines[0].find("there is nothing to choose") != std::string::npos);
  CHECK(scores(*outcome.solver, data).values ==
        scores(*train("solver/linear_svm", data, context).solver, data).values);
}

TEST_CASE("unusable training data are named") {
  Data data = bits(40);
  for (auto& label : data.labels) label = std::min(label, 2);
  data.labels[0] = 3;
  CHECK(message(data) ==
        "class '11' has a single training row, so one fold would have none to train on; train on "
        "more rows or remove the class");
  CHECK(message(bits(40), widths, 1 << 30, {{"folds", std::int64_t{41}}}) ==
        "40 training rows are too few for 41 folds; lower folds");
  CHECK(message(bits(40), {3, 3}) ==
        "the inputs' columns do not add up to the 7 of the training rows");
}

}  // namespace greedy_selection_test
