// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <libsvm/svm.h>

#include "solver_testing.hpp"
#include "sparse_clouds_testing.hpp"
#include "unusable_data_testing.hpp"

namespace libsvm_solver_test {

using namespace semblance;
using namespace semblance::common::testing;

namespace {

/// LIBSVM called by hand.
struct Direct {
  Direct(const Data& data, int kernel, double gamma, int degree, double coef0) {
    const std::size_t cols = data.values.cols;
    for (std::size_t i = 0; i < data.values.rows; ++i) {
      std::vector<svm_node> row;
      for (std::size_t j = 0; j < cols; ++j)
        row.push_back({static_cast<int>(j + 1), data.values.values[i * cols + j]});
      row.push_back({-1, 0});
      rows.push_back(row);
    }
    for (auto& row : rows) pointers.push_back(row.data());
    labels.assign(data.labels.begin(), data.labels.end());
    const svm_problem p{static_cast<int>(rows.size()), labels.data(), pointers.data()};
    svm_parameter settings{};
    settings.svm_type = C_SVC;
    settings.kernel_type = kernel;
    settings.gamma = gamma;
    settings.degree = degree;
    settings.coef0 = coef0;
    settings.cache_size = 100;
    settings.eps = 1e-3;
    settings.C = 1;
    settings.shrinking = 1;
    svm_set_print_string_function([](const char*) {});
    trained = svm_train(&p, &settings);
  }
  ~Direct() { svm_free_and_destroy_model(&trained); }

  std::vector<std::vector<svm_node>> rows;
  std::vector<svm_node*> pointers;
  std::vector<double> labels;
  svm_model* trained = nullptr;
};

std::size_t winner(const float* row, std::size_t classes) {
  return static_cast<std::size_t>(std::max_element(row, row + classes) - row);
}

}  // namespace

TEST_CASE("labels, votes and support vectors are those of the library called by hand") {
  const std::vector<std::pair<std::string, int>> kernels = {
      {"linear", LINEAR}, {"polynomial", POLY}, {"rbf", RBF}, {"sigmoid", SIGMOID}};
  for (const auto& [name, kernel] : kernels)
    for (const std::size_t classes : {2, 5}) {
      CAPTURE(name);
      TestContext context;
      Data data = clouds(300, 4, classes);
      std::reverse(data.labels.begin(), data.labels.end());  // the library sees the last class
                                                             // first
      const auto trained = common::testing::train(
          "solver/libsvm", data, context,
          {{"kernel", name}, {"gamma", 0.1}, {"degree", std::int64_t{2}}, {"coef0", 0.5}});
      const Direct direct(data, kernel, 0.1, 2, 0.5);
      CHECK(trained.report.integers.at("support_vectors") == svm_get_nr_sv(direct.trained));
      const FloatMatrix f = scores(*trained.solver, data);
      for (std::size_t i = 0; i < data.labels.size(); ++i) {
        std::vector<double> values(classes * (classes - 1) / 2);
        const double label = svm_predict_values(direct.trained, direct.pointers[i], values.data());
        const float* row = f.values.data() + i * classes;
        REQUIRE(static_cast<double>(winner(row, classes)) == label);
        if (classes == 2) REQUIRE(row[direct.trained->label[0]] == static_cast<float>(values[0]));
      }
    }
}

TEST_CASE("two points have a known machine") {
  // Samples at -1 and 1 in one dimension: w = 1, no bias, dual objective -1/2, both support
  // vectors.
  Data data{FloatMatrix(2, 1), {0, 1}, {"left", "right"}};
  data.values.values = {-1, 1};
  TestContext context;
  const auto trained = common::testing::train("solver/libsvm", data, context,
                                              {{"kernel", std::string("linear")}, {"C", 10.0}});
  CHECK(trained.report.texts.at("certificate") == "converged");
  CHECK(trained.report.numbers.at("objective") == doctest::Approx(-0.5));
  CHECK(trained.report.integers.at("support_vectors") == 2);
  const FloatMatrix f = scores(*trained.solver, data);
  const std::vector<float> expected = {1, -1, -1, 1};
  for (std::size_t i = 0; i < 4; ++i) CHECK(f.values[i] == doctest::Approx(expected[i]));
}

TEST_CASE("a saved model gives the same bits") {
  TestContext context;
  for (const std::size_t classes : {2, 4}) {
    const Data data = clouds(200, 5, classes);
    const auto trained = common::testing::train("solver/libsvm", data, context);
    MemoryState state;
    trained.solver->save(state);
    const auto loaded = make_component<Solver>("solver/libsvm");
    loaded->load(state, context);
    CHECK(scores(*loaded, data).values == scores(*trained.solver, data).values);
  }
}

TEST_CASE("a damaged model is refused") {
  TestContext context;
  const auto trained = common::testing::train("solver/libsvm", clouds(60, 3, 3), context);
  MemoryState whole, cut;
  trained.solver->save(whole);
  cut.integer("kernel_type", whole.integer("kernel_type"));
  cut.integer("degree", whole.integer("degree"));
  cut.number("gamma", whole.number("gamma"));
  cut.number("coef0", whole.number("coef0"));
  cut.floats("support_vectors", whole.floats("support_vectors").view());
  cut.doubles("coefficients", whole.doubles("coefficients"));
  cut.doubles("rho", std::vector<double>{0});
  cut.integers("labels", whole.integers("labels"));
  cut.integers("counts", whole.integers("counts"));
  const auto loaded = make_component<Solver>("solver/libsvm");
  CHECK_THROWS_WITH_AS(loaded->load(cut, context),
                       "the saved LIBSVM model has inconsistent arrays; train it again", Error);
}

TEST_CASE("too little memory is refused with the arithmetic") {
  CHECK(training_error("solver/libsvm", clouds(1000, 100, 2), {{"cache", 1.0}}, 1 << 20) ==
        "LIBSVM needs 101000 nodes x 16 bytes + 2 MiB = 3 MiB, the memory budget is 1 MiB; raise "
        "--memory or use fewer rows or columns");
}

TEST_CASE("unusable training data are named") { check_unusable_training_data("solver/libsvm"); }

TEST_CASE("sparse rows give the machine of the same rows laid out densely") {
  TestContext context;
  for (const std::string kernel : {"linear", "polynomial", "rbf", "sigmoid"})
    for (const std::size_t classes : {2U, 3U}) {
      CAPTURE(kernel);
      const Data sparse = sparse_clouds(150, 25, classes), dense = laid_out(sparse);
      const auto expected = train("solver/libsvm", dense, context, {{"kernel", kernel}});
      const auto trained = train("solver/libsvm", sparse, context, {{"kernel", kernel}});
      CHECK(trained.report.numbers.at("objective") == expected.report.numbers.at("objective"));
      const FloatMatrix found = scores(*trained.solver, sparse);
      CHECK(found.values == scores(*expected.solver, dense).values);
      MemoryState state;
      trained.solver->save(state);
      CHECK(state.floats("support_vectors").is_sparse);
      const auto loaded = make_component<Solver>("solver/libsvm");
      loaded->load(state, context);
      CHECK(scores(*loaded, sparse).values == found.values);
    }
}

TEST_CASE("class weights multiply C, as repeated rows do") {
  for (const std::size_t classes : {2, 4}) {
    Data data = clouds(120, 4, classes);
    TestContext context;
    const auto objective = [&](const Parameters& more) {
      Parameters all = {{"gamma", 0.1}, {"eps", 1e-6}};
      all.insert(all.end(), more.begin(), more.end());
      return common::testing::train("solver/libsvm", data, context, all)
          .report.numbers.at("objective");
    };
    const double weighted =
        objective({{"class_weights", NamedValues{{"class 1", std::int64_t{3}}}}});
    const double plain = objective({});
    for (const std::int32_t label : data.labels) data.weights.push_back(label == 1 ? 3 : 1);
    data = repeated_by_weight(data);
    CHECK(weighted == doctest::Approx(objective({})).epsilon(1e-6));
    CHECK(std::abs(weighted) > std::abs(plain) * 1.01);
  }
}

}  // namespace libsvm_solver_test
