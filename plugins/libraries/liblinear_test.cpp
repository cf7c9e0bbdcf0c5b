// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <linear.h>

#include "solver_testing.hpp"
#include "sparse_clouds_testing.hpp"
#include "unusable_data_testing.hpp"

namespace liblinear_test {

using namespace semblance;
using namespace semblance::common::testing;

namespace {

/// LIBLINEAR called by hand.
struct Direct {
  Direct(const Data& data, int type, double eps, double bias, unsigned seed) {
    const std::size_t cols = data.values.cols;
    for (std::size_t i = 0; i < data.values.rows; ++i) {
      std::vector<feature_node> row;
      for (std::size_t j = 0; j < cols; ++j)
        row.push_back({static_cast<int>(j + 1), data.values.values[i * cols + j]});
      if (bias > 0) row.push_back({static_cast<int>(cols + 1), bias});
      row.push_back({-1, 0});
      rows.push_back(row);
    }
    for (auto& row : rows) pointers.push_back(row.data());
    labels.assign(data.labels.begin(), data.labels.end());
    const problem p{static_cast<int>(rows.size()), static_cast<int>(cols + (bias > 0 ? 1 : 0)),
                    labels.data(), pointers.data(), bias > 0 ? bias : -1};
    const parameter settings{type, eps, 1, 0, nullptr, nullptr, 0.1, nullptr};
    set_print_string_function([](const char*) {});
    std::srand(seed);
    trained = ::train(&p, &settings);
  }
  ~Direct() { free_and_destroy_model(&trained); }

  std::vector<std::vector<feature_node>> rows;
  std::vector<feature_node*> pointers;
  std::vector<double> labels;
  model* trained = nullptr;
};

const std::vector<std::pair<std::string, int>> types = {
    {"l2r_l2loss_svc", L2R_L2LOSS_SVC},
    {"l2r_l2loss_svc_dual", L2R_L2LOSS_SVC_DUAL},
    {"l2r_l1loss_svc_dual", L2R_L1LOSS_SVC_DUAL},
    {"mcsvm_cs", MCSVM_CS},
    {"l1r_l2loss_svc", L1R_L2LOSS_SVC},
    {"l2r_lr", L2R_LR},
    {"l2r_lr_dual", L2R_LR_DUAL},
    {"l1r_lr", L1R_LR}};

}  // namespace

TEST_CASE("the scores are those of the library called by hand") {
  for (const auto& [name, type] : types)
    for (const std::size_t classes : {2, 4})
      for (const double bias : {0.0, 2.0}) {
        CAPTURE(name);
        TestContext context;
        Data data = clouds(200, 6, classes);
        std::reverse(data.labels.begin(), data.labels.end());  // the library sees the last class
                                                               // first
        const auto trained = common::testing::train(
            "solver/liblinear", data, context, {{"solver", name}, {"eps", 1e-3}, {"bias", bias}});
        const Direct direct(data, type, 1e-3, bias, static_cast<unsigned>(context.random().bits()));
        const FloatMatrix f = scores(*trained.solver, data);
        for (std::size_t i = 0; i < data.labels.size(); ++i) {
          std::vector<double> expected(classes);
          const auto label = static_cast<std::size_t>(
              predict_values(direct.trained, direct.pointers[i], expected.data()));
          const float* row = f.values.data() + i * classes;
          REQUIRE(static_cast<std::size_t>(std::max_element(row, row + classes) - row) == label);
          if (classes == 2 && type != MCSVM_CS) {
            REQUIRE(row[direct.trained->label[0]] == static_cast<float>(expected[0]));
          } else {
            for (std::size_t s = 0; s < classes; ++s)
              REQUIRE(row[direct.trained->label[s]] == static_cast<float>(expected[s]));
          }
        }
      }
}

TEST_CASE("gap and gradient vanish with eps") {
  for (const auto& [name, type] : types) {
    CAPTURE(name);
    TestContext context;
    const auto trained = common::testing::train("solver/liblinear", clouds(200, 6, 3), context,
                                                {{"solver", name}, {"eps", 1e-6}});
    CHECK(trained.report.texts.at("certificate") == "converged");
    const bool dual = trained.report.numbers.count("duality_gap") == 1;
    const double distance = trained.report.numbers.at(dual ? "duality_gap" : "gradient_norm");
    CHECK(distance < 1e-4);
    CHECK(distance > -1e-6);
  }
}

TEST_CASE("values with which the library would not end are refused") {
  TestContext context;
  for (const char* parameter : {"C", "bias"})
    CHECK_THROWS_WITH_AS(
        train("solver/liblinear", clouds(100, 5, 2), context, {{parameter, 1e160}}),
        doctest::Contains("1e+100]"), Error);
}

TEST_CASE("an iteration limit of the library is reported") {
  TestContext context;
  Data data = clouds(300, 5, 2);
  for (float& x : data.values.values) x *= 100;
  const auto trained =
      common::testing::train("solver/liblinear", data, context,
                             {{"solver", std::string("l2r_l1loss_svc_dual")}, {"eps", 1e-12}});
  CHECK(trained.report.texts.at("certificate") == "iteration limit");
  CHECK(std::any_of(context.lines.begin(), context.lines.end(), [](const std::string& line) {
    return line.find("WARNING") != std::string::npos;
  }));
}

TEST_CASE("a saved model gives the same bits") {
  TestContext context;
  for (const std::size_t classes : {2, 5}) {
    const Data data = clouds(200, 9, classes);
    const auto trained = common::testing::train("solver/liblinear", data, context);
    MemoryState state;
    trained.solver->save(state);
    const auto loaded = make_component<Solver>("solver/liblinear");
    loaded->load(state, context);
    CHECK(scores(*loaded, data).values == scores(*trained.solver, data).values);
  }
}

TEST_CASE("too little memory is refused with the arithmetic") {
  CHECK(training_error("solver/liblinear", clouds(1000, 100, 2), {}, 1 << 20) ==
        "LIBLINEAR needs 102000 nodes x 16 bytes + 1 MiB = 2 MiB, the memory budget is 1 MiB; "
        "raise --memory or use fewer rows or columns");
}

TEST_CASE("unusable training data are named") { check_unusable_training_data("solver/liblinear"); }

TEST_CASE("sparse rows give the bits of the same rows laid out densely") {
  const Data sparse = sparse_clouds(200, 30, 3);
  const Data dense = laid_out(sparse);
  TestContext context;
  for (const auto& [name, type] : types) {
    CAPTURE(name);
    const auto expected = train("solver/liblinear", dense, context, {{"solver", name}});
    const auto trained = train("solver/liblinear", sparse, context, {{"solver", name}});
    CHECK(saved_bits(*trained.solver) == saved_bits(*expected.solver));
    CHECK(trained.report.numbers.at("objective") == expected.report.numbers.at("objective"));
    CHECK(scores(*trained.solver, sparse).values == scores(*expected.solver, dense).values);
  }
}

TEST_CASE("columns that no row has do not count, however many there are") {
  Data data = sparse_clouds(40, 30, 2);
  TestContext context;
  const auto near = train("solver/liblinear", data, context);
  data.values.cols = std::size_t{1} << 31;
  const auto far = train("solver/liblinear", data, context);
  CHECK(far.report.numbers.at("objective") == near.report.numbers.at("objective"));
}

TEST_CASE("class weights multiply C, as repeated rows do") {
  Data data = clouds(120, 6, 2);
  const NamedValues weights = {{"class 1", std::int64_t{3}}};
  TestContext context;
  const auto objective = [&](const std::string& solver, const Parameters& more) {
    Parameters all = {{"solver", solver}, {"eps", 1e-6}};
    all.insert(all.end(), more.begin(), more.end());
    return train("solver/liblinear", data, context, all).report.numbers.at("objective");
  };
  for (const auto& [name, type] : types) {
    CAPTURE(name);
    data = clouds(120, 6, 2);
    const double weighted = objective(name, {{"class_weights", weights}});
    const double plain = objective(name, {});
    for (const std::int32_t label : data.labels) data.weights.push_back(label == 1 ? 3 : 1);
    data = repeated_by_weight(data);
    CHECK(weighted == doctest::Approx(objective(name, {})).epsilon(1e-4));
    CHECK(weighted > plain * 1.05);
  }
  data = clouds(120, 6, 3);
  for (const std::int32_t label : data.labels) data.weights.push_back(label == 1 ? 3 : 1);
  const Data three = repeated_by_weight(data);
  data.weights.clear();
  const double weighted = objective("mcsvm_cs", {{"class_weights", weights}});
  data = three;
  CHECK(weighted == doctest::Approx(objective("mcsvm_cs", {})).epsilon(1e-4));
}

TEST_CASE("class weights that the library would apply otherwise are refused") {
  const std::string expected =
      "with 3 classes LIBLINEAR weights the rows of one class in each problem, and not those of "
      "the rest: 'class_weights' and 'balanced' would not mean what they mean for other solvers; "
      "use solver/linear_svm, or 'solver: mcsvm_cs'";
  CHECK(training_error("solver/liblinear", clouds(30, 4, 3), {{"balanced", true}}) == expected);
  CHECK(training_error("solver/liblinear", clouds(30, 4, 3),
                       {{"class_weights", NamedValues{{"class 1", 2.0}}}}) == expected);
  CHECK(training_error("solver/liblinear", clouds(30, 4, 2),
                       {{"class_weights", NamedValues{{"class 2", 2.0}}}}) ==
        "'class_weights' names the class 'class 2', but the classes are 'class 0', 'class 1'");
}

}  // namespace liblinear_test
