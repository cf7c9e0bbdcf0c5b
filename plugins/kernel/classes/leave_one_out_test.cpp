// SPDX-License-Identifier: MIT
// 'C: automatic' of the kernel machine with 'folds: leave_one_out'.
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

#include "classes/cost_cases_testing.hpp"
#include "classes/machine_cost_choice.hpp"
#include "row_weights_testing.hpp"
#include "semblance/ranks_testing.hpp"
#include "sparse_clouds_testing.hpp"

namespace semblance::kernel::leave_one_out_test {
namespace {

using namespace testing;

const std::vector<double> costs = {1e-3, 0.05, 1, 30};
const Parameters one_left_out = {{"C", std::string("automatic")},
                                 {"folds", std::string("leave_one_out")},
                                 {"path", costs},
                                 {"tolerance", 1e-6}};

/// Some rows of weight 0, and some twice.
Data weighted(Data data) {
  data.weights = integer_weights(data.labels.size());
  return data;
}

Data twice(Data data) {
  for (std::size_t i = 0; i + 1 < data.labels.size(); i += 2)
    std::ranges::copy(data.values.view().row_span(i), data.values.view().row_span(i + 1).begin());
  return data;
}

std::vector<Case> cases() {
  const Parameters rest = {{"multiclass", std::string("one_versus_rest")}};
  return {{"two classes", clouds(80, 4, 2)},
          {"one against one", clouds(70, 5, 4)},
          {"one against the rest", clouds(60, 5, 3), "similarity/rbf", gaussian, rest},
          {"weights", weighted(clouds(60, 5, 3))},
          {"class weights",
           clouds(60, 4, 2),
           "similarity/rbf",
           gaussian,
           {{"class_weights", NamedValues{{"class 1", std::int64_t{3}}}}}},
          {"repeated rows, whose labels may differ", twice(clouds(60, 3, 2))},
          {"sparse", sparse_clouds(60, 30, 2)},
          {"linear", clouds(60, 6, 2), "similarity/linear", {}},
          {"linear, far from 0", far_away(clouds(50, 6, 3)), "similarity/linear", {}},
          {"large values", clouds(60, 4, 2), "similarity/polynomial", {{"scale", 3.0}}}};
}

/// The error when each row is held out of a training that starts anew.
double plain_leave_one_out(const Case& c, double cost, double tolerance = 1e-6) {
  Data given = c.data;
  if (!c.parameters.empty() && c.parameters.front().first == "class_weights")
    for (const std::int32_t label : given.labels) given.weights.push_back(label == 1 ? 3 : 1);
  std::vector<std::size_t> fold_of(given.labels.size());
  std::iota(fold_of.begin(), fold_of.end(), std::size_t{0});
  return plain_error(given, fold_of, fold_of.size(), [&](Data others) {
    if (c.data.weights.empty()) others.weights.clear();
    auto svm = kernel_svm(c.kernel, and_also(c.parameters, {{"tolerance", tolerance}, {"C", cost}}),
                          c.of_kernel);
    TestContext context;
    train(*svm, others, context);
    return svm;
  });
}

TEST_CASE("leave-one-out errors are those of trainings that start anew") {
  for (const Case& c : cases()) {
    CAPTURE(std::string(c.name));
    TestContext context;
    const auto svm = kernel_svm(c.kernel, and_also(c.parameters, one_left_out), c.of_kernel);
    const MemoryReport report = train(*svm, c.data, context);
    const std::vector<double>& errors = report.curves.at("error_by_cost").y;
    REQUIRE(errors.size() == costs.size());
    for (std::size_t k = 0; k < costs.size(); ++k) {
      CAPTURE(costs[k]);
      CHECK(errors[k] == doctest::Approx(plain_leave_one_out(c, costs[k])).epsilon(1e-9));
    }
    const auto best = static_cast<std::size_t>(std::ranges::min_element(errors) - errors.begin());
    CHECK(report.numbers.at("cost") == costs[best]);
    const auto rows = static_cast<std::int64_t>(c.data.labels.size());
    CHECK(report.integers.at("choice_trainings") > 4);
    CHECK(report.integers.at("choice_trainings") <= 4 * (rows + 1));
  }
}

/// The same with `balanced`: each training balances its own rows.
double plain_balanced_leave_one_out(const Case& c, double cost) {
  std::vector<std::size_t> fold_of(c.data.labels.size());
  std::iota(fold_of.begin(), fold_of.end(), std::size_t{0});
  return plain_balanced_error(c.data, fold_of, fold_of.size(), [&](const Data& others) {
    auto svm = kernel_svm(c.kernel, and_also(c.parameters, {{"tolerance", 1e-6}, {"C", cost}}),
                          c.of_kernel);
    TestContext context;
    train(*svm, others, context);
    return svm;
  });
}

/// As many rows of some classes as there are, and a third of the others.
Data uneven(Data data, std::size_t rows) {
  std::vector<std::size_t> chosen(data.labels.size(), 1);
  for (std::size_t i = 0, left = rows; i < chosen.size() && left > 0; ++i)
    if (data.labels[i] > 0 || i % 3 == 0) {
      chosen[i] = 0;
      --left;
    }
  return part(data, chosen, 0, true);
}

TEST_CASE("leave-one-out errors with balanced classes are those of trainings that start anew") {
  const Parameters balanced = {{"balanced", true}};
  const std::vector<Case> all = {
      {"two classes", uneven(clouds(90, 4, 2), 60), "similarity/rbf", gaussian, balanced},
      {"as many of both", clouds(26, 4, 2), "similarity/rbf", gaussian, balanced},
      {"one against one", uneven(clouds(90, 5, 4), 60), "similarity/rbf", gaussian, balanced},
      {"one against the rest", uneven(clouds(80, 5, 3), 50), "similarity/rbf", gaussian,
       and_also(balanced, {{"multiclass", std::string("one_versus_rest")}})},
      {"weights", weighted(uneven(clouds(80, 5, 3), 50)), "similarity/rbf", gaussian, balanced},
      {"linear", uneven(clouds(60, 6, 2), 40), "similarity/linear", {}, balanced}};
  for (const Case& c : all) {
    CAPTURE(std::string(c.name));
    TestContext context;
    const auto svm = kernel_svm(c.kernel, and_also(c.parameters, one_left_out), c.of_kernel);
    const MemoryReport report = train(*svm, c.data, context);
    const std::vector<double>& errors = report.curves.at("error_by_cost").y;
    REQUIRE(errors.size() == costs.size());
    for (std::size_t k = 0; k < costs.size(); ++k) {
      CAPTURE(costs[k]);
      CHECK(errors[k] == doctest::Approx(plain_balanced_leave_one_out(c, costs[k])).epsilon(1e-9));
    }
  }
}

TEST_CASE("choosing C by leave-one-out gives no scores without each row") {
  CHECK_FALSE(kernel_svm("similarity/rbf", one_left_out, gaussian)->leaves_one_out());
}

/// Few rows, some of them twice, whose classes have `more` rows of difference.
Data few_rows(std::size_t rows, std::size_t more, std::uint64_t seed) {
  Random random(seed);
  Data data{FloatMatrix(rows, 2), {}, {"class 0", "class 1"}};
  for (float& x : data.values.values) x = static_cast<float>(random.normal());
  for (std::size_t i = 0; i < rows; ++i) data.labels.push_back(i < (rows + more) / 2 ? 0 : 1);
  if (seed % 3 == 0)
    std::ranges::copy(data.values.view().row_span(0),
                      data.values.view().row_span(rows - 1).begin());
  if (seed % 4 == 0)
    for (std::size_t i = 0; i < rows; ++i) data.weights.push_back(1.0 + static_cast<double>(i % 2));
  return data;
}

TEST_CASE("leave-one-out errors of few rows, where no free vector fixes the bias") {
  const std::vector<double> small = {1e-3, 0.03, 0.5, 100};
  for (std::uint64_t seed = 1; seed <= 24; ++seed)
    for (const std::size_t more : {0U, 1U, 2U, 3U})
      for (const double tolerance : {1e-3, 1e-6}) {
        const std::size_t rows = 7 + seed % 4 + (7 + seed % 4 + more) % 2;
        const Case c{"few", few_rows(rows, more, seed), "similarity/rbf", {{"gamma", 0.5}}};
        CAPTURE(seed);
        CAPTURE(more);
        CAPTURE(tolerance);
        TestContext context;
        const auto svm = kernel_svm(c.kernel,
                                    {{"C", std::string("automatic")},
                                     {"folds", std::string("leave_one_out")},
                                     {"path", small},
                                     {"tolerance", tolerance}},
                                    c.of_kernel);
        const auto errors = train(*svm, c.data, context).curves.at("error_by_cost").y;
        for (std::size_t k = 0; k < small.size(); ++k) {
          CAPTURE(small[k]);
          CHECK(errors[k] == doctest::Approx(plain_leave_one_out(c, small[k], tolerance)));
        }
      }
}

TEST_CASE("leave-one-out: the machine of all rows decides most errors where classes are apart") {
  Data data = clouds(300, 4, 2);
  for (std::size_t i = 0; i < 300; ++i)
    if (data.labels[i] == 1) data.values.values[i * 4] += 8;
  TestContext context;
  const auto svm = kernel_svm("similarity/rbf", one_left_out, gaussian);
  const MemoryReport report = train(*svm, data, context);
  CHECK(report.integers.at("choice_trainings") < 4 * 300 / 2);
  CHECK(report.numbers.at("cross_validated_error_rate") < 0.02);
}

TEST_CASE("leave-one-out: the only row of a class is misclassified") {
  for (const char* multiclass : {"one_versus_one", "one_versus_rest"})
    for (const std::size_t classes : {1U, 2U}) {
      Data data = clouds(31, 3, classes);
      data.classes.push_back("single");
      data.labels.back() = static_cast<std::int32_t>(classes);
      TestContext context;
      const auto svm =
          kernel_svm("similarity/rbf",
                     and_also(one_left_out, {{"multiclass", std::string(multiclass)}}), gaussian);
      const MemoryReport report = train(*svm, data, context);
      const double error = report.numbers.at("cross_validated_error_rate");
      CHECK(error >= 1.0 / 31);
      if (classes == 1) CHECK(error == 1.0 / 31);
    }
}

TEST_CASE("leave-one-out: the same bits for any number of threads, and any memory budget") {
  for (const std::size_t classes : {2U, 3U}) {
    const Data data = clouds(150, 6, classes);
    std::string expected;
    for (const std::size_t threads : {1U, 2U, 5U})
      for (const std::size_t budget : {std::size_t{1} << 30, std::size_t{3} << 20}) {
        TestContext context(threads);
        context.budget = budget;
        const auto svm = kernel_svm("similarity/rbf", one_left_out, gaussian);
        const MemoryReport report = train(*svm, data, context);
        const std::string found = saved_bits(*svm) + bits_of(report);
        if (expected.empty()) expected = found;
        CHECK(found == expected);
      }
  }
}

TEST_CASE("leave-one-out: a stop at any time leaves a model") {
  for (const std::size_t classes : {2U, 3U})
    for (int after = 1; after < 3000; after = after * 3 / 2 + 1) {
      const Data data = clouds(60, 5, classes);
      StopsLater context(after);
      const auto svm = kernel_svm("similarity/rbf", one_left_out, gaussian);
      const MemoryReport report = train(*svm, data, context);
      const std::string certificate = report.texts.at("certificate");
      CHECK((certificate == "cancelled" || certificate == "converged"));
      CHECK(scores(*svm, data.values, classes).rows == 60);
    }
}

TEST_CASE("leave-one-out: messages") {
  const auto message = [](const Parameters& parameters, const Parameters& of_kernel = {}) {
    try {
      kernel_svm("similarity/rbf", parameters, of_kernel)->check_parameters();
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(message(one_left_out, gaussian).empty());
  CHECK(message(one_left_out, {{"gamma", std::string("scale")}}) ==
        "'folds: leave_one_out' shares one kernel matrix among all rows, but the kernel learns its "
        "values from the rows (as with gamma: scale); give its parameters numbers, or give 'folds' "
        "a number");
  CHECK(message({{"C", std::string("automatic")}, {"folds", 2.5}}) ==
        "'folds' is 2.5; give it a whole number, or leave_one_out");
  TestContext context;
  const auto svm = kernel_svm("similarity/rbf", one_left_out, gaussian);
  CHECK_THROWS_WITH(
      train(*svm, repeated_samples(), context),
      "the source has groups of rows, which are held out together, and 'folds: leave_one_out' "
      "would hold out single rows of them; give 'folds' a number");
}

}  // namespace
}  // namespace semblance::kernel::leave_one_out_test
