// SPDX-License-Identifier: MIT
// 'C: automatic' of the kernel machine.
#include "classes/machine_cost_choice.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "classes/cost_cases_testing.hpp"
#include "classes/cost_path.hpp"
#include "expansion/linear_functions.hpp"
#include "libsvm_oracle_testing.hpp"
#include "row_weights_testing.hpp"
#include "semblance/decision_values.hpp"
#include "semblance/distance.hpp"
#include "semblance/row_groups.hpp"
#include "sparse_clouds_testing.hpp"
#include "tuning/stratified_folds.hpp"

namespace semblance::kernel::machine_cost_choice_test {
namespace {

using namespace testing;

const Parameters automatic = {{"C", std::string("automatic")}};
const Parameters accurate = {{"tolerance", 1e-6}};

Parameters among(std::vector<double> costs) {
  return and_also(automatic, {{"path", std::move(costs)}});
}

std::vector<std::size_t> folds_of(const Data& data, std::size_t folds) {
  return common::stratified_folds(data.labels, data.classes.size(), folds, Random(0));
}

std::vector<Case> cases() {
  Data weighted = clouds(120, 5, 3);
  weighted.weights = integer_weights(120);
  const Parameters rest = {{"multiclass", std::string("one_versus_rest")}};
  return {
      {"two classes", clouds(110, 4, 2)},
      {"one against one", clouds(130, 5, 4)},
      {"one against the rest", clouds(130, 5, 4), "similarity/rbf", gaussian, rest},
      {"weights", weighted},
      {"class weights",
       clouds(90, 4, 2),
       "similarity/rbf",
       gaussian,
       {{"class_weights", NamedValues{{"class 1", std::int64_t{3}}}}}},
      {"sparse", sparse_clouds(120, 30, 3)},
      {"linear", clouds(90, 6, 2), "similarity/linear", {}},
      {"linear, far from 0", far_away(clouds(90, 6, 2)), "similarity/linear", {}},
      {"linear, one against one, far from 0", far_away(clouds(90, 6, 3)), "similarity/linear", {}},
      {"not semi-definite by construction",
       clouds(80, 4, 2),
       "similarity/polynomial",
       {{"offset", -1e-7}, {"scale", 0.1}}}};
}

/// Decision values of a trained machine.
std::vector<double> decisions(const Solver& svm, const Data& data) {
  TestContext context;
  const auto& machine = dynamic_cast<const DecisionValues&>(svm);
  std::vector<double> found(data.labels.size() * machine.decision_values());
  machine.decide(data.values.view(), found, context);
  return found;
}

/// The weights of a learner's samples, as the machine gives them to the dual.
std::vector<double> weights_of(const Case& c) {
  std::vector<double> weights = c.data.weights;
  const bool classes = !c.parameters.empty() && c.parameters.front().first == "class_weights";
  if (!classes) return weights;
  for (const std::int32_t label : c.data.labels) weights.push_back(label == 1 ? 3 : 1);
  return weights;
}

/// Solves a path without a fold, and calls check(cost, solutions, decision values by held-out
/// sample, in the order of the samples).
template <class Check>
void without_fold(const Case& c, const std::vector<double>& costs,
                  const std::vector<std::size_t>& fold_of, std::size_t fold, const Check& check) {
  TestContext context;
  const MemoryRows all(c.data.values);
  const Layout layout = layout_of(c.data.values);
  const TrainingSet training = training_set(all, layout, c.data);
  const auto kernel = make_component<Similarity>(c.kernel, c.of_kernel);
  kernel->bind(layout);
  SortedSamples rows(training);
  MachineTask task{{*kernel, kernel->positive_semidefinite(), kernel->inner_product()}, costs};
  for (const auto& [name, value] : c.parameters)
    if (name == "multiclass") task.one_versus_one = false;
  task.options.tolerance = 1e-6;
  task.options.most_steps = 10'000'000;
  task.options.gradients = true;
  if (task.linear) rows.centre = far_centre(training, context);
  const KernelMatrix matrix = kernel_matrix(task, rows, context);
  std::vector<double> weights = weights_of(c);
  weights.resize(fold_of.size(), 1);
  std::vector<std::uint32_t> places;
  for (std::uint32_t place = 0; place < rows.order.size(); ++place)
    if (fold_of[rows.order[place]] == fold) {
      places.push_back(place);
      weights[rows.order[place]] = 0;
    }
  std::ranges::sort(places, {}, [&](std::uint32_t place) { return rows.order[place]; });
  const PathSetting path{
      task,
      weights,
      {task, rows, *matrix.source, task.options, std::size_t{1} << 28, context, false}};
  ClassProblems problems(rows.starts, {}, task.one_versus_one);
  solve_path(path, problems, [&](std::size_t cost, const Solutions& solutions) {
    check(cost, solutions, held_out_values(path.dual, problems, solutions, places));
  });
}

TEST_CASE("automatic C: in each fold, balanced classes are those of the rows that train") {
  const std::vector<double> costs = {1e-3, 0.1, 10};
  Data data = clouds(150, 4, 3);
  for (std::size_t i = 0; i < 60; ++i) data.labels[i] = 0;
  for (std::size_t i = 0; i < 150; ++i) data.weights.push_back(data.labels[i] == 1 ? 0.2 : 1.5);
  for (const bool with_weights : {true, false}) {
    if (!with_weights) data.weights.clear();
    const std::vector<std::size_t> fold_of = folds_of(data, 4);
    const Parameters parameters = and_also(accurate, {{"balanced", true}});
    TestContext context;
    const auto svm = kernel_svm(
        "similarity/rbf",
        and_also(and_also(among(costs), parameters), {{"folds", std::int64_t{4}}}), gaussian);
    const MemoryReport report = train(*svm, data, context);
    CHECK(report.texts.contains("weighted_errors"));
    for (std::size_t k = 0; k < costs.size(); ++k) {
      const double expected = plain_balanced_error(data, fold_of, 4, [&](const Data& others) {
        auto alone =
            kernel_svm("similarity/rbf", and_also(parameters, {{"C", costs[k]}}), gaussian);
        train(*alone, others, context);
        return alone;
      });
      CHECK(report.curves.at("error_by_cost").y[k] == doctest::Approx(expected).epsilon(1e-9));
    }
  }
}

TEST_CASE("automatic C: the optima without a fold are those of trainings on the other rows") {
  const std::vector<double> costs = {1e-3, 0.03, 1, 5, 40};
  for (const Case& c : cases()) {
    CAPTURE(std::string(c.name));
    const auto fold_of = folds_of(c.data, 3);
    for (std::size_t fold = 0; fold < 3; ++fold)
      without_fold(
          c, costs, fold_of, fold,
          [&](std::size_t k, const Solutions& solutions, const std::vector<double>& values) {
            TestContext context;
            const auto plain =
                kernel_svm(c.kernel, and_also(and_also(c.parameters, accurate), {{"C", costs[k]}}),
                           c.of_kernel);
            const MemoryReport report = train(*plain, part(c.data, fold_of, fold, false), context);
            double objective = 0;
            for (const numerics::DualSolution& s : solutions) {
              CHECK(s.certificate == Certificate::converged);
              CHECK(s.violation < 1e-6);
              objective += s.dual;
            }
            CHECK(objective == doctest::Approx(report.numbers.at("objective")).epsilon(1e-5));
            const auto expected = decisions(*plain, part(c.data, fold_of, fold, true));
            REQUIRE(values.size() == expected.size());
            for (std::size_t i = 0; i < values.size(); ++i)
              REQUIRE(values[i] == doctest::Approx(expected[i]).epsilon(2e-3).scale(1));
          });
  }
}

TEST_CASE("automatic C: the decision values of held-out rows are LIBSVM's") {
  const Case c{"", clouds(150, 4, 2)};
  const auto fold_of = folds_of(c.data, 3);
  const std::vector<double> costs = {0.01, 0.5, 20};
  const Data others = part(c.data, fold_of, 1, false), held = part(c.data, fold_of, 1, true);
  const auto kernel = [](std::span<const float> a, std::span<const float> b) {
    double squares = 0;
    for (std::size_t j = 0; j < a.size(); ++j) squares += std::pow(double{a[j]} - double{b[j]}, 2);
    return std::exp(-0.1 * squares);
  };
  without_fold(c, costs, fold_of, 1,
               [&](std::size_t k, const Solutions&, const std::vector<double>& values) {
                 svm_parameter parameter{};
                 parameter.svm_type = C_SVC;
                 parameter.C = costs[k];
                 parameter.eps = 1e-7;
                 std::vector<double> y;
                 for (const std::int32_t label : others.labels) y.push_back(label == 0 ? 1 : -1);
                 const OracleSolution found =
                     libsvm_solution(parameter, y, [&](std::size_t i, std::size_t j) {
                       return kernel(others.values.view().row_span(i),
                                     others.values.view().row_span(j));
                     });
                 for (std::size_t i = 0; i < held.labels.size(); ++i)
                   CHECK(values[i] == doctest::Approx(found.value([&](std::size_t j) {
                                        return kernel(held.values.view().row_span(i),
                                                      others.values.view().row_span(j));
                                      }))
                                          .epsilon(1e-4)
                                          .scale(1));
               });
}

/// The error when each fold is held out of a plain training.
double error_of_parts(const Case& c, double cost, std::size_t folds) {
  TestContext context;
  Data weighted = c.data;  // errors count by the weights of classes, too
  weighted.weights = weights_of(c);
  return plain_error(weighted, folds_of(c.data, folds), folds, [&](Data others) {
    if (c.data.weights.empty()) others.weights.clear();
    auto svm = kernel_svm(c.kernel, and_also(and_also(c.parameters, accurate), {{"C", cost}}),
                          c.of_kernel);
    train(*svm, others, context);
    return svm;
  });
}

/// All of it, and the machine of the chosen C.
void check_choice(const Case& c, const std::vector<double>& costs) {
  CAPTURE(std::string(c.name));
  TestContext context;
  const auto svm = kernel_svm(c.kernel,
                              and_also(and_also(and_also(c.parameters, accurate), among(costs)),
                                       {{"folds", std::int64_t{4}}}),
                              c.of_kernel);
  const MemoryReport report = train(*svm, c.data, context);
  const std::vector<double>& errors = report.curves.at("error_by_cost").y;
  REQUIRE(errors.size() == costs.size());
  for (std::size_t k = 0; k < costs.size(); ++k)  // but for a row: the optima are approximate
    CHECK(std::abs(errors[k] - error_of_parts(c, costs[k], 4)) <
          1.5 / static_cast<double>(c.data.labels.size()));
  const auto best = static_cast<std::size_t>(std::ranges::min_element(errors) - errors.begin());
  CHECK(report.numbers.at("cost") == costs[best]);
  CHECK(report.numbers.at("cross_validated_error_rate") == errors[best]);
  CHECK(report.integers.at("choice_trainings") == 4 * std::int64_t(costs.size()));
  CHECK(report.texts.at("certificate") == "converged");
  CHECK(report.tables.at("costs").values == errors);
  const auto alone = kernel_svm(
      c.kernel, and_also(and_also(c.parameters, accurate), {{"C", costs[best]}}), c.of_kernel);
  train(*alone, c.data, context);
  CHECK(saved_bits(*alone) == saved_bits(*svm));
}

TEST_CASE("automatic C: errors of machines trained on the other folds, and the smallest of them") {
  for (const Case& c : cases()) check_choice(c, {1e-4, 0.01, 1, 30});
}

TEST_CASE("automatic C: a kernel learns from the rows of the other folds") {
  // With the first row the variance of all values is a thousand times as large.
  Data data = clouds(90, 4, 3);
  for (float& x : data.values.view().row_span(0)) x = 300;
  const Case c{"scale", data, "similarity/rbf", {{"gamma", std::string("scale")}}};
  const double everywhere =
      error_of_parts({"", data, "similarity/rbf", {{"gamma", 1.0 / (4 * 900)}}}, 1, 4);
  CHECK(std::abs(error_of_parts(c, 1, 4) - everywhere) > 5.0 / 90);
  check_choice(c, {0.01, 1, 30});
  // Not semi-definite by construction, and it learns.
  check_choice({"polynomial",
                clouds(60, 4, 2),
                "similarity/polynomial",
                {{"offset", -1e-7}, {"scale", std::string("scale")}}},
               {0.01, 1});
}

/// The distance between the means of rows that differ in length.
class MeanDistance final : public RowDistance<MeanDistance> {
 public:
  static Declaration<MeanDistance> declare() {
    Declaration<MeanDistance> declaration("similarity/mean_distance", "For this test");
    return distance_parameters(declaration).accepts({LayoutKind::sequence}).symmetric();
  }
  double distance(std::span<const float> b, std::span<const float> x) const {
    const auto mean = [](std::span<const float> row) {
      double sum = 0;
      for (const float value : row) sum += double{value};
      return sum / static_cast<double>(row.size());
    };
    return std::abs(mean(b) - mean(x));
  }
};

TEST_CASE("automatic C: rows that differ in length") {
  Random random(4);
  std::vector<std::size_t> sizes;
  for (std::size_t i = 0; i < 60; ++i) sizes.push_back(1 + random.below(9));
  Data data{FloatMatrix::ragged(9, sizes), {}, {"a", "b", "c"}};
  for (std::size_t i = 0; i < 60; ++i) {
    data.labels.push_back(static_cast<std::int32_t>(i % 3));
    for (float& value : data.values.view().row_span(i))
      value = static_cast<float>(static_cast<double>(i % 3) + random.normal());
  }
  const MemoryRows rows(data.values);
  const Layout layout = Layout::sequence(9, 1);
  const TrainingSet set{rows, layout, data.labels, data.classes};
  const KernelMaker kernel = own_kernel<MeanDistance>();
  const auto train_on = [&](const Parameters& parameters, const Parameters& of_kernel) {
    TestContext context;
    const auto svm = kernel_svm(kernel, parameters, of_kernel);
    svm->bind(layout);
    MemoryReport report;
    svm->train(set, report, context);
    return std::pair{saved_bits(*svm), report};
  };
  const Parameters width = {{"width", 1.0}};
  const auto [bits, report] = train_on(among({0.1, 1, 10}), width);
  CHECK(report.numbers.at("cross_validated_error_rate") < 0.5);
  CHECK(bits == train_on({{"C", report.numbers.at("cost")}}, width).first);
  CHECK_THROWS_WITH(
      kernel_svm(kernel, automatic, {{"width", std::string("auto")}})->check_parameters(),
      "'C: automatic' holds rows out of a matrix that all folds share, but the kernel's values "
      "depend on all of its rows (as with width: auto); give its parameters numbers, or choose C "
      "by 'select'");
}

TEST_CASE("automatic C: the range follows the similarity of a row with itself") {
  const Data data = clouds(80, 5, 2);
  Data larger = data;
  for (float& x : larger.values.values) x *= 8;
  TestContext context;
  const auto curve = [&](const Data& given, const char* kernel, const Parameters& of_kernel) {
    const auto svm = kernel_svm(kernel, automatic, of_kernel);
    return train(*svm, given, context).curves.at("error_by_cost");
  };
  const Curve unit = curve(data, "similarity/rbf", gaussian);
  CHECK(unit.x == std::vector<double>{0.01, 0.1, 1, 10, 100, 1000});
  const Curve first = curve(data, "similarity/linear", {});
  const Curve second = curve(larger, "similarity/linear", {});
  double squares = 0;
  for (const float x : data.values.values) squares += double{x} * x / 80;
  CHECK(first.x[0] == doctest::Approx(0.01 / squares));
  for (std::size_t k = 0; k < 6; ++k) CHECK(second.x[k] == doctest::Approx(first.x[k] / 64));
  CHECK(second.y == first.y);
}

TEST_CASE("automatic C: the same bits for any number of threads, and any memory budget") {
  for (const std::size_t classes : {2U, 3U}) {
    const Data data = clouds(700, 12, classes);
    std::string expected;
    for (const std::size_t threads : {1U, 2U, 5U})
      for (const std::size_t budget : {std::size_t{1} << 30, std::size_t{3} << 20}) {
        TestContext context(threads);
        context.budget = budget;
        const auto svm = kernel_svm("similarity/rbf", among({0.1, 1, 10}), gaussian);
        const MemoryReport report = train(*svm, data, context);
        const std::string found = saved_bits(*svm) + bits_of(report);
        if (expected.empty()) expected = found;
        CHECK(found == expected);
      }
  }
}

TEST_CASE("automatic C: the rows of a group are held out together") {
  const auto error = [](const Data& data) {
    TestContext context;
    const auto svm = kernel_svm("similarity/rbf", automatic, {{"gamma", 0.01}});
    return train(*svm, data, context).numbers.at("cross_validated_error_rate");
  };
  Data data = repeated_samples();
  CHECK(error(data) > 0.25);
  data.groups.clear();
  CHECK(error(data) < 0.05);
}

TEST_CASE("automatic C: a class of a single row is misclassified when held out") {
  for (const char* multiclass : {"one_versus_one", "one_versus_rest"})
    for (const std::size_t classes : {1U, 2U, 4U}) {
      Data data = clouds(41, 3, classes);
      data.classes.push_back("single");
      data.labels.back() = static_cast<std::int32_t>(classes);
      TestContext context;
      const auto svm =
          kernel_svm("similarity/rbf",
                     and_also(automatic, {{"multiclass", std::string(multiclass)}}), gaussian);
      const MemoryReport report = train(*svm, data, context);
      const double error = report.numbers.at("cross_validated_error_rate");
      CHECK(error >= 1.0 / 41);
      if (classes == 1) CHECK(error == 1.0 / 41);
      CHECK(std::ranges::none_of(context.lines, [](const std::string& line) {
        return line.find("iteration limit") != std::string::npos;
      }));
    }
}

TEST_CASE("automatic C: a stop while choosing leaves a model, and says so") {
  const Data data = clouds(60, 5, 3);
  for (const char* kernel : {"similarity/rbf", "similarity/linear"}) {
    TestContext context;
    context.stop = StopReason::deadline;
    const auto svm = kernel_svm(kernel, automatic, {});
    const MemoryReport report = train(*svm, data, context);
    CHECK(report.texts.at("certificate") == "deadline");
    CHECK(report.curves.count("error_by_cost") == 0);
    CHECK(scores(*svm, data.values, 3).rows == 60);
  }
}

TEST_CASE("automatic C: a stop at any time leaves a model") {
  for (const Case& c :
       {Case{"", clouds(200, 5, 3)}, Case{"", clouds(90, 5, 3), "similarity/linear", {}},
        Case{"", clouds(90, 5, 2), "similarity/rbf", {}}})
    for (int after = 1; after < 3000; after = after * 3 / 2 + 1) {
      StopsLater context(after);
      const auto svm = kernel_svm(c.kernel, among({0.1, 1, 10}), c.of_kernel);
      const MemoryReport report = train(*svm, c.data, context);
      const std::string certificate = report.texts.at("certificate");
      CHECK((certificate == "cancelled" || certificate == "converged"));
      if (certificate == "converged") CHECK(report.curves.count("error_by_cost") == 1);
      CHECK(scores(*svm, c.data.values, c.data.classes.size()).rows == c.data.labels.size());
    }
}

TEST_CASE("automatic C: messages") {
  const auto message = [](const Parameters& parameters, const char* kernel = "similarity/rbf") {
    try {
      kernel_svm(kernel, parameters, {})->check_parameters();
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(message(among({1, 0.1})) == "'path' must increase");
  CHECK(message(among({1})) == "'path' has a single value to choose C from; give C that value");
  CHECK(message({{"C", 0.5}, {"folds", std::int64_t{3}}}) ==
        "'folds' belongs to 'C: automatic', but C is 0.5; omit it, or write 'C: automatic'");
  const Parameters clip = and_also(automatic, {{"repair", std::string("clip")}});
  CHECK(message(clip).empty());  // the Gaussian is not repaired
  CHECK(
      message(clip, "similarity/precomputed") ==
      "'C: automatic' holds rows out of a matrix that all folds share, which 'repair: clip' would "
      "change by what is held out; omit the repair, or choose C by 'select'");
  TestContext context;
  const auto svm = kernel_svm("similarity/rbf", among({1e-9, 1e-8, 1}), gaussian);
  Data data = clouds(200, 4, 2);  // with a small C all rows are of the larger class
  for (std::size_t i = 0; i < 200; ++i) {
    data.labels[i] = i % 4 == 0 ? 1 : 0;
    data.values.values[i * 4] += i % 4 == 0 ? 5 : 0;
  }
  train(*svm, data, context);
  CHECK(std::ranges::count(context.lines,
                           "the best C is the largest tried, 1; set 'path' with larger ones") == 1);
  const auto short_of_steps = kernel_svm(
      "similarity/rbf", and_also(among({1, 10}), {{"max_iterations", std::int64_t{3}}}), gaussian);
  train(*short_of_steps, data, context);
  CHECK(std::ranges::count(context.lines,
                           "10 of the 10 trainings to choose C ended at the iteration limit") == 1);
}

}  // namespace
}  // namespace semblance::kernel::machine_cost_choice_test
