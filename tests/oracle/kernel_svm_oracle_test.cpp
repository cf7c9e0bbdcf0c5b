// SPDX-License-Identifier: MIT
// Compares kernel_svm with LIBSVM at a small eps, and with brute force over LIBSVM's two-class
// problems.
#include <doctest/doctest.h>
#include <libsvm/svm.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "kernel_svm_testing.hpp"
#include "oracle_data.hpp"
#include "semblance/class_weights_testing.hpp"
#include "semblance/similarity.hpp"

namespace kernel_svm_oracle_test {

using namespace semblance;
using namespace semblance::kernel::testing;
using oracle::Data;
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

namespace {

std::string library_text;
void keep_text(const char* text) { library_text += text; }

double sum_of_objectives() {
  double sum = 0;
  for (std::size_t at = 0; (at = library_text.find("obj = ", at)) != std::string::npos; at += 6)
    sum += std::atof(library_text.c_str() + at + 6);
  return sum;
}

/// LIBSVM's solution for a precomputed matrix, and its decision values for rows of another matrix.
struct Machine {
  double objective = 0;
  std::vector<std::vector<double>> decisions;  // one per row
  std::vector<std::int32_t> predicted;
  std::vector<int> order;  // the library's order of the classes
};

std::vector<svm_node> numbered(const Matrix& rows, Eigen::Index i) {
  std::vector<svm_node> nodes{{0, static_cast<double>(i + 1)}};
  for (Eigen::Index j = 0; j < rows.cols(); ++j)
    nodes.push_back({static_cast<int>(j + 1), rows(i, j)});
  nodes.push_back({-1, 0});
  return nodes;
}

Machine libsvm(const Matrix& train, const Matrix& test, const std::vector<std::int32_t>& truth,
               double cost, std::vector<double> weights = {}) {
  std::vector<std::vector<svm_node>> rows;
  std::vector<svm_node*> pointers;
  for (Eigen::Index i = 0; i < train.rows(); ++i) rows.push_back(numbered(train, i));
  for (auto& row : rows) pointers.push_back(row.data());
  std::vector<double> labels(truth.begin(), truth.end());
  const svm_problem problem{static_cast<int>(rows.size()), labels.data(), pointers.data()};
  svm_parameter settings{};
  settings.svm_type = C_SVC;
  settings.kernel_type = PRECOMPUTED;
  settings.cache_size = 100;
  settings.eps = 1e-6;
  settings.C = cost;
  std::vector<int> names;
  for (std::size_t c = 0; c < weights.size(); ++c) names.push_back(static_cast<int>(c));
  settings.nr_weight = static_cast<int>(weights.size());
  settings.weight_label = names.data();
  settings.weight = weights.data();
  svm_set_print_string_function(keep_text);
  library_text.clear();
  svm_model* model = svm_train(&problem, &settings);
  Machine machine;
  machine.objective = sum_of_objectives();
  const int classes = svm_get_nr_class(model);
  machine.order.resize(static_cast<std::size_t>(classes));
  svm_get_labels(model, machine.order.data());
  for (Eigen::Index i = 0; i < test.rows(); ++i) {
    auto row = numbered(test, i);
    machine.decisions.emplace_back(static_cast<std::size_t>(classes * (classes - 1) / 2));
    machine.predicted.push_back(static_cast<std::int32_t>(
        svm_predict_values(model, row.data(), machine.decisions.back().data())));
  }
  svm_free_and_destroy_model(&model);
  return machine;
}

/// All similarities s(b, x), one row per sample x; symmetrised for the training samples.
Matrix similarities(const char* kernel, const Parameters& parameters, const FloatMatrix& bases,
                    const FloatMatrix& samples, const Layout& layout) {
  const auto measure = make_component<Similarity>(kernel, parameters);
  TestContext context;
  measure->bind(layout);
  std::vector<std::int64_t> all(bases.rows);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::int64_t>(i);
  measure->set_bases(bases.view(), all, context);
  FloatMatrix out(samples.rows, bases.rows);
  measure->apply(samples.view(), out.view(), context);
  return Eigen::Map<const Eigen::Matrix<float, -1, -1, Eigen::RowMajor>>(
             out.values.data(), static_cast<Eigen::Index>(out.rows),
             static_cast<Eigen::Index>(out.cols))
      .cast<double>();
}

Matrix symmetric_part(const Matrix& m) { return (m + m.transpose()) / 2; }

std::size_t best(const float* scores, std::size_t classes) {
  return static_cast<std::size_t>(std::max_element(scores, scores + classes) - scores);
}

const Parameters precise = {{"tolerance", 1e-6}};

Parameters with(Parameters base, const Parameters& more) {
  base.insert(base.end(), more.begin(), more.end());
  return base;
}

/// Rows whose votes are equal may go to another class.
void check_votes(const Machine& machine, const FloatMatrix& scores) {
  const std::size_t classes = scores.cols;
  std::size_t ties = 0;
  for (std::size_t i = 0; i < scores.rows; ++i) {
    std::vector<int> votes(classes);
    std::size_t pair = 0;
    for (std::size_t a = 0; a < classes; ++a)
      for (std::size_t b = a + 1; b < classes; ++b)
        ++votes[static_cast<std::size_t>(machine.order[machine.decisions[i][pair++] > 0 ? a : b])];
    const int most = *std::max_element(votes.begin(), votes.end());
    const bool tied = std::count(votes.begin(), votes.end(), most) > 1;
    ties += tied;
    const std::size_t found = best(scores.view().row(i), classes);
    CHECK(votes[found] == most);
    for (std::size_t c = 0; c < classes; ++c)
      CHECK(std::abs(scores.view().row(i)[c] - static_cast<float>(votes[c])) < 0.34F);
    if (!tied) CHECK(static_cast<std::int32_t>(found) == machine.predicted[i]);
  }
  CHECK(ties < scores.rows / 5);
}

void check_agreement(const char* kernel, const Data& data, double cost, const Parameters& of_kernel,
                     std::vector<double> weights = {}) {
  const Layout layout = Layout::vector(data.values.cols);
  const Matrix k = similarities(kernel, of_kernel, data.values, data.values, layout);
  const Machine expected = libsvm(k, k, data.labels, cost, weights);
  Parameters parameters = with(precise, {{"C", cost}});
  parameters.emplace_back("class_weights", testing::class_weights(data.classes, weights));
  const auto svm = kernel_svm(kernel, parameters, of_kernel);
  TestContext context;
  const MemoryReport report = train(*svm, data, context);
  CHECK(report.texts.at("certificate") == "converged");
  CHECK(report.numbers.at("objective") == doctest::Approx(expected.objective).epsilon(1e-5));
  CHECK(report.numbers.at("duality_gap") < 1e-4);
  const FloatMatrix found = scores(*svm, data.values, data.classes.size());
  if (data.classes.size() > 2) return check_votes(expected, found);
  for (std::size_t i = 0; i < data.labels.size(); ++i) {
    const double f = expected.order[0] == 0 ? expected.decisions[i][0] : -expected.decisions[i][0];
    REQUIRE(found.view().row(i)[0] == doctest::Approx(f).epsilon(1e-3).scale(1));
    REQUIRE(found.view().row(i)[1] == -found.view().row(i)[0]);
  }
}

}  // namespace

TEST_CASE("two classes: objective and decision values") {
  const Data data = oracle::clouds(500, 10, 2);
  for (const double cost : {0.01, 1.0, 100.0})
    check_agreement("similarity/rbf", data, cost, {{"gamma", 0.1}});
  check_agreement("similarity/linear", data, 0.1, {});
  check_agreement("similarity/polynomial", data, 0.01,
                  {{"scale", 0.1}, {"degree", std::int64_t{3}}});
}

TEST_CASE("several classes: objective and votes") {
  check_agreement("similarity/rbf", oracle::clouds(900, 12, 6), 2, {{"gamma", 0.05}});
  check_agreement("similarity/rbf", oracle::clouds(300, 3, 10), 10, {{"gamma", 1.0}});
}

TEST_CASE("class weights") {
  check_agreement("similarity/rbf", oracle::clouds(400, 10, 2), 1, {{"gamma", 0.1}}, {0.2, 3.0});
  check_agreement("similarity/rbf", oracle::clouds(400, 10, 3), 1, {{"gamma", 0.1}},
                  {2.0, 1.0, 0.5});
}

TEST_CASE("one against the rest: LIBSVM's problem for each class") {
  const Data data = oracle::clouds(600, 10, 4);
  const Parameters of_kernel = {{"gamma", 0.1}};
  const Matrix k =
      similarities("similarity/rbf", of_kernel, data.values, data.values, Layout::vector(10));
  const auto svm = kernel_svm(
      "similarity/rbf", with(precise, {{"C", 3.0}, {"multiclass", std::string("one_versus_rest")}}),
      of_kernel);
  TestContext context;
  const MemoryReport report = train(*svm, data, context);
  const FloatMatrix found = scores(*svm, data.values, 4);
  double sum = 0;
  for (std::int32_t c = 0; c < 4; ++c) {
    std::vector<std::int32_t> labels;
    for (const std::int32_t label : data.labels) labels.push_back(label == c ? 0 : 1);
    const Machine expected = libsvm(k, k, labels, 3);
    sum += expected.objective;
    const double sign = expected.order[0] == 0 ? 1 : -1;
    for (std::size_t i = 0; i < labels.size(); ++i)
      REQUIRE(found.view().row(i)[c] ==
              doctest::Approx(sign * expected.decisions[i][0]).epsilon(1e-3).scale(1));
  }
  CHECK(report.numbers.at("objective") == doctest::Approx(sum).epsilon(1e-5));
}

TEST_CASE("every repair of an indefinite measure: LIBSVM on the repaired matrix") {
  // The best of several shifts is symmetric, but not semi-definite.
  const Layout layout = Layout::grid(4, 4, 2);
  const Data all = oracle::clouds(260, layout.size(), 3);
  Data data{FloatMatrix(200, layout.size()), {}, all.classes};
  FloatMatrix fresh(60, layout.size());
  std::copy_n(all.values.values.begin(), data.values.values.size(), data.values.values.begin());
  std::copy(all.values.values.begin() + static_cast<std::ptrdiff_t>(data.values.values.size()),
            all.values.values.end(), fresh.values.begin());
  data.labels.assign(all.labels.begin(), all.labels.begin() + 200);
  const Parameters of_kernel = {{"shift", std::int64_t{1}}};
  const Matrix given =
      similarities("similarity/rigid", of_kernel, data.values, data.values, layout);
  CHECK((given - given.transpose()).norm() < 1e-5 * given.norm());
  const Matrix k = symmetric_part(given);
  const Matrix test = similarities("similarity/rigid", of_kernel, data.values, fresh, layout);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver{Eigen::MatrixXd(k)};
  const Eigen::VectorXd lambda = solver.eigenvalues();
  const Eigen::MatrixXd u = solver.eigenvectors();
  REQUIRE(lambda.minCoeff() < -1e-3 * lambda.maxCoeff());
  const double cost = 0.01;
  for (const std::string how : {"clip", "flip", "shift", "square"}) {
    Eigen::VectorXd repaired = lambda, factor = Eigen::VectorXd::Ones(lambda.size());
    if (how == "clip") repaired = lambda.cwiseMax(0), factor = (lambda.array() > 0).cast<double>();
    if (how == "flip") repaired = lambda.cwiseAbs(), factor = lambda.cwiseSign();
    if (how == "shift") repaired = lambda.array() - lambda.minCoeff();
    if (how == "square") repaired = lambda.cwiseAbs2(), factor = lambda;
    const Matrix train_matrix = u * repaired.asDiagonal() * u.transpose();
    const Matrix test_matrix = test * (u * factor.asDiagonal() * u.transpose());
    const double scale = how == "square" ? cost / lambda.maxCoeff() : cost;
    const Machine expected = libsvm(train_matrix, test_matrix, data.labels, scale);

    const auto svm =
        kernel_svm("similarity/rigid", with(precise, {{"C", scale}, {"repair", how}}), of_kernel);
    TestContext context;
    MemoryReport report;
    const MemoryRows rows(data.values);
    svm->bind(layout);
    svm->train({rows, layout, data.labels, data.classes}, report, context);
    CHECK(report.texts.at("certificate") == "converged");
    CHECK(report.numbers.at("objective") == doctest::Approx(expected.objective).epsilon(1e-4));
    CHECK(report.numbers.at("smallest_eigenvalue") ==
          doctest::Approx(lambda.minCoeff()).epsilon(1e-4));
    CHECK(report.integers.at("negative_eigenvalues") > 10);
    check_votes(expected, scores(*svm, fresh, 3));
  }
  const auto refusing = kernel_svm("similarity/rigid", {}, of_kernel);
  TestContext context;
  MemoryReport report;
  const MemoryRows rows(data.values);
  refusing->bind(layout);
  CHECK_THROWS_AS(refusing->train({rows, layout, data.labels, data.classes}, report, context),
                  Error);
}

namespace {

void check_known(const Data& data, const Data& test, double gamma, double objective, int errors,
                 double vectors) {
  const auto svm = kernel_svm("similarity/rbf", {{"C", 10.0}}, {{"gamma", gamma}});
  TestContext context;
  const MemoryReport report = train(*svm, data, context);
  CHECK(report.texts.at("certificate") == "converged");
  CHECK(report.numbers.at("objective") == doctest::Approx(objective).epsilon(1e-4));
  CHECK(report.numbers.at("duality_gap") < 5e-3);
  CHECK(static_cast<double>(report.integers.at("support_vectors")) ==
        doctest::Approx(vectors).epsilon(0.015));
  const FloatMatrix found = scores(*svm, test.values, data.classes.size());
  int wrong = 0;
  for (std::size_t i = 0; i < test.labels.size(); ++i)
    wrong += static_cast<std::int32_t>(best(found.view().row(i), found.cols)) != test.labels[i];
  CHECK(std::abs(wrong - errors) <= 3);
}

}  // namespace

TEST_CASE("USPS: objective, support vectors and test errors") {
  const auto data = oracle::usps("zip.train.gz");
  if (!data) return;
  check_known(*data, *oracle::usps("zip.test.gz"), 1.0 / 128, -2442.2567, 95, 2338);
}

TEST_CASE("LETTER: objective, support vectors and test errors") {
  const auto data = oracle::letter(true);
  if (!data) return;
  check_known(*data, *oracle::letter(false), 0.02, -26525.407, 100, 7059);
}

}  // namespace kernel_svm_oracle_test
