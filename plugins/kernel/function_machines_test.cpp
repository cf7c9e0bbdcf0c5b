// SPDX-License-Identifier: MIT
// What the regression and the novelty detectors share: repairs, other kinds of samples, and checks.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "function_testing.hpp"
#include "krein_testing.hpp"
#include "semblance/novelty_detector.hpp"
#include "semblance/regressor.hpp"
#include "semblance/similarity.hpp"
#include "semblance_numerics/sparse_testing.hpp"

namespace function_machines_test {

using namespace semblance;
using namespace semblance::kernel::testing;

namespace {

const std::vector<const char*>& machine_ids() {
  static const std::vector<const char*> all = {"solver/kernel_svr", "solver/one_class_svm",
                                               "solver/svdd"};
  return all;
}

std::unique_ptr<Learner> learner(const char* id, const KernelMaker& kernel,
                                 const Parameters& parameters, const Parameters& of_kernel) {
  return machine_of<Learner>(id, kernel, parameters, of_kernel);
}

/// The kernel matrix that a repair makes of these eigenvalues.
std::vector<double> repaired(const Decomposition& k, std::size_t n, const std::string& repair,
                             double weight) {
  const double least = *std::ranges::min_element(k.values);
  std::vector<double> matrix(n * n);
  for (std::size_t v = 0; v < n; ++v) {
    double value = k.values[v];
    if (repair == "clip") value = std::max(0.0, value);
    if (repair == "flip") value = std::abs(value);
    if (repair == "krein") value = value < 0 ? -value / weight : value;
    if (repair == "square") value *= value;
    if (repair == "shift") value -= least;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        matrix[i * n + j] += value * k.vectors[i * n + v] * k.vectors[j * n + v];
  }
  return matrix;
}

double objective_of(const OracleSolution& s, const std::vector<double>& matrix,
                    const std::vector<double>& y, double epsilon) {
  const std::size_t n = s.coefficients.size();
  double objective = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double b = s.coefficients[i];
    for (std::size_t j = 0; j < n; ++j) objective += b * s.coefficients[j] * matrix[i * n + j] / 2;
    if (!y.empty()) objective += epsilon * std::abs(b) - y[i] * b;
  }
  return objective;
}

/// A Gaussian that gives other values in training, while it has its first bases.
class Forgetful final : public Similarity {
 public:
  static Declaration<Forgetful> declare() {
    return Declaration<Forgetful>("similarity/forgetful", "A Gaussian that forgets")
        .parameter("forgets", &Forgetful::forgets_, "what it was while it trained");
  }
  void prepare(const Layout&) override {}
  void set_bases(MatrixView bases, std::span<const std::int64_t>, Context&) override {
    bases_ = FloatMatrix(bases);
    ++given_;
  }
  std::size_t bases() const noexcept override { return bases_.rows; }
  double operations() const noexcept override { return 10; }
  bool positive_semidefinite() const noexcept override { return true; }
  void apply(MatrixView in, MutableMatrixView out, Context&) const override {
    for (std::size_t i = 0; i < in.rows; ++i)
      for (std::size_t j = 0; j < bases_.rows; ++j) {
        const double value =
            gaussian_similarity(std::as_const(bases_).view().row_span(j), in.row_span(i), 1.0);
        out.row(i)[j] = static_cast<float>(forgets_ && given_ == 1 ? value * value : value);
      }
  }
  void save(StateWriter&) const override {}
  void load(const StateReader&, Context&) override {}

 private:
  bool forgets_ = false;
  int given_ = 0;
  FloatMatrix bases_;
};

}  // namespace

TEST_CASE("repairs: regression is LIBSVM's on the repaired matrix") {
  const KreinData data = krein_data();
  const Decomposition k = decomposition(data.values);
  Sampled rows{data.values};
  Random random(6);
  for (std::size_t i = 0; i < krein_rows; ++i)
    rows.targets.push_back((i % 2 ? 3 : 5) + 0.3 * random.normal());
  TestContext context;
  for (const std::string repair : {"clip", "flip", "shift", "square", "krein"}) {
    CAPTURE(repair);
    const double weight = repair == "krein" ? 3 : 1;
    const std::vector<double> matrix = repaired(k, krein_rows, repair, weight);
    Parameters parameters = {
        {"repair", repair}, {"C", 0.4}, {"epsilon", 0.05}, {"tolerance", 1e-6}};
    if (weight != 1) parameters.emplace_back("negative_weight", weight);
    const auto machine = learner("solver/kernel_svr", "similarity/precomputed", parameters, {});
    const MemoryReport report = train(*machine, rows, context);
    CHECK(report.texts.at("certificate") == "converged");
    CHECK(report.texts.at("repair") == repair);
    CHECK(report.numbers.at("smallest_eigenvalue") < 0);
    svm_parameter parameter{};
    parameter.svm_type = EPSILON_SVR;
    parameter.C = 0.4;
    parameter.p = 0.05;
    parameter.eps = 1e-7;
    const OracleSolution oracle =
        libsvm_solution(parameter, rows.targets,
                        [&](std::size_t i, std::size_t j) { return matrix[i * krein_rows + j]; });
    CHECK(report.numbers.at("objective") ==
          doctest::Approx(objective_of(oracle, matrix, rows.targets, 0.05)).epsilon(1e-5));
    if (repair == "shift") continue;  // new samples are not shifted
    const std::vector<float> found = outputs(*machine, rows.values);
    for (std::size_t i = 0; i < krein_rows; ++i)
      CHECK(found[i] == doctest::Approx(oracle.value([&](std::size_t j) {
                          return matrix[i * krein_rows + j];
                        })).epsilon(1e-3));
  }
}

TEST_CASE("repairs: the one-class machine is LIBSVM's on the repaired matrix") {
  const KreinData data = krein_data();
  const Decomposition k = decomposition(data.values);
  TestContext context;
  for (const std::string repair : {"clip", "flip", "krein"}) {
    CAPTURE(repair);
    const double weight = repair == "krein" ? 2 : 1;
    const std::vector<double> matrix = repaired(k, krein_rows, repair, weight);
    Parameters parameters = {{"repair", repair}, {"nu", 0.6}, {"tolerance", 1e-6}};
    if (weight != 1) parameters.emplace_back("negative_weight", weight);
    const auto machine = learner("solver/one_class_svm", "similarity/precomputed", parameters, {});
    const MemoryReport report = train(*machine, {data.values}, context);
    svm_parameter parameter{};
    parameter.svm_type = ONE_CLASS;
    parameter.nu = 0.6;
    parameter.eps = 1e-7;
    const OracleSolution oracle =
        libsvm_solution(parameter, std::vector<double>(krein_rows, 1),
                        [&](std::size_t i, std::size_t j) { return matrix[i * krein_rows + j]; });
    CHECK(report.numbers.at("objective") ==
          doctest::Approx(objective_of(oracle, matrix, {}, 0)).epsilon(1e-4));
    const std::vector<float> found = outputs(*machine, data.values);
    for (std::size_t i = 0; i < krein_rows; ++i)
      CHECK(std::abs(found[i] - oracle.value([&](std::size_t j) {
              return matrix[i * krein_rows + j];
            })) < 1e-3);
  }
}

TEST_CASE("an indefinite kernel is refused, and a weight that no repair uses") {
  Sampled rows{krein_data().values};
  for (std::size_t i = 0; i < krein_rows; ++i) rows.targets.push_back(static_cast<double>(i));
  TestContext context;
  for (const char* id : {"solver/kernel_svr", "solver/one_class_svm"}) {
    const auto machine = learner(id, "similarity/precomputed", {}, {});
    std::string text;
    try {
      train(*machine, rows, context);
    } catch (const Error& problem) {
      text = problem.what();
    }
    CHECK(text.find("set repair to clip, flip, shift, square or krein") != std::string::npos);
    CHECK_THROWS_WITH_AS(
        learner(id, "similarity/precomputed", {{"negative_weight", 2.0}}, {}),
        "negative_weight is used by repair: krein only; set that, or remove negative_weight",
        Error);
  }
}

TEST_CASE("sparse samples give the machine of the same samples laid out densely") {
  FloatMatrix sparse = semblance::testing::sparse_rows(200, 40, 0.2, 3);
  Random random(2);
  std::vector<double> y;
  for (std::size_t i = 0; i < 200; ++i) y.push_back(random.normal());
  const Sampled one{sparse, y}, other{semblance::testing::laid_out(sparse.view()), y};
  TestContext context;
  for (const char* id : machine_ids())
    for (const char* kernel : {"similarity/rbf", "similarity/linear"}) {
      INFO(id << " " << kernel);
      const Parameters few_steps = {{"max_iterations", std::int64_t{20000}}};
      const auto a = learner(id, kernel, few_steps, {}), b = learner(id, kernel, few_steps, {});
      const MemoryReport of_a = train(*a, one, context), of_b = train(*b, other, context);
      CHECK(of_a.numbers.at("objective") == of_b.numbers.at("objective"));
      const std::vector<float> found = outputs(*a, one.values);
      CHECK(found == outputs(*b, other.values));
      MemoryState state;
      a->save(state);
      CHECK(state.floats("kernel_bases").is_sparse);
      const auto loaded = learner(id, kernel, few_steps, {});
      loaded->bind(layout_of(one.values));
      loaded->load(state, context);
      CHECK(outputs(*loaded, one.values) == found);
    }
}

TEST_CASE("a machine whose kernel was another in training is refused") {
  TestContext context;
  Sampled data = bumpy(100, 2);
  for (const char* id : {"solver/kernel_svr", "solver/one_class_svm"}) {
    INFO(std::string(id));
    const Parameters parameters =
        std::string(id) == "solver/kernel_svr" ? Parameters{{"C", 10.0}} : Parameters{{"nu", 0.3}};
    const auto wrong = learner(id, own_kernel<Forgetful>(), parameters, {{"forgets", true}});
    std::string text;
    try {
      train(*wrong, data, context);
    } catch (const Error& problem) {
      text = problem.what();
    }
    CHECK(text.find("the machine is not what its certificate says") == 0);
    const auto sound = learner(id, own_kernel<Forgetful>(), parameters, {});
    CHECK(train(*sound, data, context).texts.at("certificate") == "converged");
  }
}

}  // namespace function_machines_test
