// SPDX-License-Identifier: MIT
// Scores of samples without themselves, by kernel machines: beside trainings without each sample.
#include "left_out_testing.hpp"
#include "regression_testing.hpp"
#include "row_weights_testing.hpp"

namespace semblance::kernel::left_out_scores_test {
namespace {

using namespace common::testing;

using Make = std::function<std::unique_ptr<Learner>(const MemoryReport*)>;

Parts kernel(const char* id, const Parameters& parameters) {
  return {{"kernel", part(id, parameters)}};
}

AllSamples classified(std::size_t rows, std::size_t classes, bool weighted) {
  Data data = clouds(rows, 4, classes);
  if (weighted) data.weights = integer_weights(rows);
  return {data.values, data.labels, data.classes, {}, {}, data.weights};
}

/// The solver with the number that it has chosen and reported.
Make chosen(const char* id, const Parameters& parameters, const Parameters& choice,
            const std::string& parameter, const std::string& reported, const Parts& parts) {
  return [=](const MemoryReport* report) -> std::unique_ptr<Learner> {
    const Parameters fixed =
        report ? Parameters{{parameter, report->numbers.at(reported)}} : choice;
    return make_component<Learner>(id, and_also(parameters, fixed), parts);
  };
}

TEST_CASE("kernel ridge: estimates of samples left out are those of fits without them") {
  for (const bool weighted : {false, true})
    for (const bool intercept : {true, false})
      for (const char* id : {"similarity/rbf", "similarity/linear"}) {
        CAPTURE(weighted);
        CAPTURE(intercept);
        CAPTURE(std::string(id));
        const NumberData data = linear_numbers(24, 3, 2);
        AllSamples all{data.values, {}, {}, data.targets, data.names, {}};
        if (weighted) all.weights = integer_weights(24);
        const bool is_rbf = std::string(id) == "similarity/rbf";
        check_left_out(
            all, 2e-5,
            chosen("solver/kernel_ridge", {{"intercept", intercept}},
                   {{"penalties", std::vector<double>{0.1, 1, 10}}}, "penalty", "penalty",
                   kernel(id, is_rbf ? Parameters{{"gamma", 0.2}} : Parameters{})));
      }
}

TEST_CASE("kernel machine: scores of samples left out are those of trainings without them") {
  const Parts rbf = kernel("similarity/rbf", {{"gamma", 0.1}}),
              linear = kernel("similarity/linear", {});
  const Parameters exact = {{"tolerance", 1e-7}};
  const auto fixed = [&](const Parameters& more, double cost, const Parts& parts) {
    const Parameters parameters = and_also(and_also(exact, more), {{"C", cost}});
    return Make([=](const MemoryReport*) -> std::unique_ptr<Learner> {
      return make_component<Learner>("solver/kernel_svm", parameters, parts);
    });
  };
  for (const std::size_t classes : {2, 3})
    for (const bool weighted : {false, true})
      for (const double cost : {0.05, 1.0, 30.0}) {
        CAPTURE(classes);
        CAPTURE(weighted);
        CAPTURE(cost);
        const AllSamples all = classified(42, classes, weighted);
        check_left_out(all, 1e-4, fixed({}, cost, rbf));
        check_left_out(all, 1e-4,
                       fixed({{"multiclass", std::string("one_versus_rest")}}, cost, rbf));
      }
  check_left_out(classified(40, 2, false), 1e-4, fixed({}, 1, linear));
  check_left_out(classified(45, 3, false), 1e-4, fixed({{"balanced", true}}, 1, rbf));
  check_left_out(classified(40, 2, false), 1e-4,
                 fixed({{"path", std::vector<double>{0.1, 0.5}}}, 1, rbf));
  check_left_out(classified(40, 2, false), 1e-4,
                 chosen("solver/kernel_svm", exact,
                        {{"C", std::string("automatic")},
                         {"path", std::vector<double>{0.05, 1, 30}},
                         {"folds", std::string("leave_one_out")}},
                        "C", "cost", rbf));
}

TEST_CASE("kernel machines say why they leave out no sample") {
  const auto problem = [](const char* solver, const Parameters& parameters, const Parts& parts) {
    const auto made = make_component<Learner>(solver, parameters, parts);
    return dynamic_cast<const LeftOutScores&>(*made).left_out_problem();
  };
  const Parts scale = kernel("similarity/rbf", {{"gamma", std::string("scale")}}),
              fixed = kernel("similarity/rbf", {{"gamma", 0.1}}),
              precomputed = kernel("similarity/precomputed", {});
  for (const char* solver : {"solver/kernel_svm", "solver/kernel_ridge"}) {
    CHECK(problem(solver, {}, scale) ==
          "has a kernel that learns its values from all rows (as with gamma: scale, or width: "
          "auto); give its parameters numbers");
    CHECK(problem(solver, {}, fixed).empty());
    CHECK(problem(solver, {{"repair", std::string("clip")}}, precomputed) ==
          "repairs the kernel's matrix of all rows, which would change by what is left out; omit "
          "'repair'");
    CHECK(problem(solver, {}, precomputed).empty());
  }
}

}  // namespace
}  // namespace semblance::kernel::left_out_scores_test
