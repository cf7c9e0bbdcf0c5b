// SPDX-License-Identifier: MIT
// The options of solver/linear_svm that apply to every regularizer and loss.
#include <doctest/doctest.h>

#include "solver_testing.hpp"

namespace linear_options_test {

using namespace semblance;
using namespace semblance::common::testing;

namespace {

/// The parameters of a machine, and the accuracy of its solution here.
struct Machine {
  Parameters parameters;
  double tolerance;
};
const std::vector<Machine> machines = {
    {{}, 1e-8},
    {{{"regularizer", std::string("l1")}}, 1e-8},
    {{{"multiclass", std::string("crammer_singer")}, {"max_iterations", std::int64_t{20000}}},
     1e-4}};

Parameters with(Parameters parameters, const Parameters& more) {
  parameters.insert(parameters.end(), more.begin(), more.end());
  return parameters;
}

Parameters exact(const Machine& machine) {
  return with(machine.parameters, {{"tolerance", machine.tolerance}});
}

std::string complaint(const Parameters& parameters) {
  try {
    make_component<Solver>("solver/linear_svm", parameters)->check_parameters();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// Every sample of a class, repeated as given by `times`.
Data repeated(const Data& data, const std::vector<std::size_t>& times) {
  Data all{FloatMatrix(0, data.values.cols), {}, data.classes};
  for (std::size_t i = 0; i < data.labels.size(); ++i)
    for (std::size_t t = 0; t < times[static_cast<std::size_t>(data.labels[i])]; ++t) {
      const std::span<const float> x = data.values.view().row_span(i);
      all.values.values.insert(all.values.values.end(), x.begin(), x.end());
      all.labels.push_back(data.labels[i]);
    }
  all.values.rows = all.labels.size();
  return all;
}

double objective(const Data& data, const Parameters& parameters) {
  TestContext context;
  const auto trained = train("solver/linear_svm", data, context, parameters);
  CHECK(trained.report.texts.at("certificate") == "converged");
  return trained.report.numbers.at("objective");
}

}  // namespace

TEST_CASE("a class of weight 3 counts as if each of its rows appeared three times") {
  const Data data = clouds(600, 12, 4);
  for (const Machine& machine : machines) {
    const double weighted =
        objective(data, with(exact(machine), {{"class_weights", class_weights({1, 3, 1, 2})}}));
    CHECK(weighted == doctest::Approx(objective(repeated(data, {1, 3, 1, 2}), exact(machine)))
                          .epsilon(4 * machine.tolerance));
    CHECK(weighted > 1.05 * objective(data, exact(machine)));
  }
}

TEST_CASE("equal class weights act as C does, to the last bit if they are 1") {
  const Data data = clouds(400, 12, 3);
  for (const Machine& machine : machines) {
    CHECK(objective(data, with(exact(machine), {{"class_weights", class_weights({2, 2, 2})}})) ==
          doctest::Approx(objective(data, with(exact(machine), {{"C", 2.0}})))
              .epsilon(4 * machine.tolerance));
    CHECK(objective(data, with(exact(machine), {{"class_weights", class_weights({1, 1, 1})}})) ==
          objective(data, exact(machine)));
  }
}

TEST_CASE("the end of a path is the optimum of C, and every cost is on the curves") {
  const Data data = clouds(800, 20, 3);
  for (const Machine& machine : machines) {
    TestContext context;
    const Parameters ten = with(exact(machine), {{"C", 10.0}});
    const auto path = train("solver/linear_svm", data, context,
                            with(ten, {{"path", std::vector<double>{0.001, 0.1, 1}}}));
    CHECK(path.report.texts.at("certificate") == "converged");
    CHECK(path.report.numbers.at("objective") ==
          doctest::Approx(objective(data, ten)).epsilon(4 * machine.tolerance));
    const Curve& objectives = path.report.curves.at("objective_by_cost");
    CHECK(objectives.x == std::vector<double>{0.001, 0.1, 1, 10});
    CHECK(objectives.y[1] ==
          doctest::Approx(objective(data, with(ten, {{"C", 0.1}}))).epsilon(4 * machine.tolerance));
    CHECK(objectives.y.back() == path.report.numbers.at("objective"));
    CHECK(path.report.curves.at("nonzeros_by_cost").y.back() ==
          static_cast<double>(path.report.integers.at("nonzeros")));
    CHECK(path.report.tables.at("path").rows.size() == 4);

    const FloatMatrix f = scores(*path.solver, data);
    std::size_t errors = 0;
    for (std::size_t i = 0; i < data.labels.size(); ++i) {
      const std::span<const float> row = f.view().row_span(i);
      errors += std::max_element(row.begin(), row.end()) - row.begin() != data.labels[i];
    }
    CHECK(path.report.curves.at("training_error_by_cost").y.back() ==
          doctest::Approx(static_cast<double>(errors) / 800));
  }
}

TEST_CASE("a path of a stiff problem continues with exact steps") {
  Data data = clouds(900, 60, 3);
  for (std::size_t i = 0; i < data.values.values.size(); ++i)
    data.values.values[i] *= i % 3 == 0 ? 1e3F : 1;
  const Parameters stiff = {{"C", 100.0}, {"tolerance", 1e-7}};
  CHECK(objective(data, with(stiff, {{"path", std::vector<double>{0.01, 1, 10}}})) ==
        doctest::Approx(objective(data, stiff)).epsilon(1e-6));
}

TEST_CASE("a stop request ends a path with a model of C's objective") {
  const Data data = clouds(300, 10, 3);
  for (const Machine& machine : machines) {
    TestContext context;
    context.stop = StopReason::cancelled;
    const auto trained =
        train("solver/linear_svm", data, context,
              with(machine.parameters, {{"C", 2.0}, {"path", std::vector<double>{0.5, 1}}}));
    CHECK(trained.report.texts.at("certificate") == "cancelled");
    CHECK(trained.report.numbers.at("objective") > 0);
    CHECK(trained.report.curves.count("objective_by_cost") == 0);
  }
}

TEST_CASE("the squared norm is that of the saved weights") {
  const Data data = clouds(300, 10, 3);
  for (const Machine& machine : machines) {
    TestContext context;
    const auto trained =
        train("solver/linear_svm", data, context, with(exact(machine), {{"center", false}}));
    MemoryState state;
    trained.solver->save(state);
    double norm = 0, reported = 0;
    for (const char* name : {"weights", "offsets"})
      for (const double w : state.doubles(name)) norm += w * w;
    CHECK(trained.report.numbers.at("squared_norm") == doctest::Approx(norm));
    const Table& table = trained.report.tables.at("objectives");
    const auto found = std::find(table.columns.begin(), table.columns.end(), "squared norm");
    REQUIRE(found != table.columns.end());
    for (auto i = static_cast<std::size_t>(found - table.columns.begin()); i < table.values.size();
         i += table.columns.size())
      reported += table.values[i];
    CHECK(reported == doctest::Approx(norm));
  }
}

TEST_CASE("wrong options are named") {
  CHECK(complaint(
            {{"regularizer", std::string("l1")}, {"multiclass", std::string("crammer_singer")}}) ==
        "'multiclass: crammer_singer' is defined with 'regularizer: l2' only");
  CHECK(complaint({{"path", std::vector<double>{0.1, 0.1}}}) ==
        "'path' must increase, and end below C");
  CHECK(complaint({{"path", std::vector<double>{0.1, 1}}}) ==
        "'path' must increase, and end below C");
  CHECK(complaint({{"path", std::vector<double>{0.1, 0.5}}}) == "");
  CHECK(
      training_error("solver/linear_svm", clouds(30, 4, 3),
                     {{"class_weights", NamedValues{{"clas 1", 2}}}}) ==
      "'class_weights' names the class 'clas 1', but the classes are 'class 0', 'class 1', 'class "
      "2'");
  CHECK(complaint({{"class_weights", NamedValues{{"class 1", 0}}}}) ==
        "'class_weights.class 1' must be a number above 0, got {\"class 1\": 0}");
  CHECK(complaint({{"class_weights", NamedValues{{"class 1", std::string("5")}}}}) ==
        "'class_weights.class 1' must be a number above 0, got {\"class 1\": \"5\"}");
  CHECK(complaint({{"class_weights", NamedValues{{"class 1", 2}}}, {"balanced", true}}) ==
        "'balanced' and 'class_weights' exclude each other; remove one of them");
}

}  // namespace linear_options_test
