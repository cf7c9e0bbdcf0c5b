// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "convergence_testing.hpp"
#include "kernel_svm_testing.hpp"
#include "saved_bits_testing.hpp"
#include "semblance/decision_values.hpp"
#include "semblance/learns_from_samples.hpp"
#include "semblance/random.hpp"
#include "semblance/similarity.hpp"
#include "semblance/support_vectors.hpp"

namespace semblance::kernel::kernel_svm_test {
namespace {

using namespace testing;

struct Data {
  FloatMatrix values;
  std::vector<std::int32_t> labels;
  std::vector<std::string> classes;
};

/// Overlapping normally distributed clouds, one per class.
Data clouds(std::size_t rows, std::size_t cols, std::size_t classes) {
  Random random(1);
  Data data{FloatMatrix(rows, cols), std::vector<std::int32_t>(rows), {}};
  std::vector<double> centres(classes * cols);
  for (double& x : centres) x = 0.5 * random.normal();
  for (std::size_t i = 0; i < rows; ++i) {
    data.labels[i] = static_cast<std::int32_t>(i % classes);
    for (std::size_t j = 0; j < cols; ++j)
      data.values.values[i * cols + j] =
          static_cast<float>(centres[i % classes * cols + j] + random.normal());
  }
  for (std::size_t c = 0; c < classes; ++c) data.classes.push_back("class " + std::to_string(c));
  return data;
}

/// The rows are those of a random symmetric matrix, which is indefinite.
Data indefinite(std::size_t rows) {
  Data data = clouds(rows, rows, 3);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < i; ++j)
      data.values.values[i * rows + j] = data.values.values[j * rows + i];
  return data;
}

class EditedState : public MemoryState {
 public:
  void remove(const std::string& name) { entries_.erase(name); }
};

const Parameters gaussian = {{"gamma", 0.1}};

std::string training_error(const KernelMaker& kernel, const Data& data,
                           const Parameters& parameters = {}, const Parameters& of_kernel = {},
                           std::size_t budget = std::size_t{1} << 30) {
  TestContext context;
  context.budget = budget;
  try {
    const auto svm = kernel_svm(kernel, parameters, of_kernel);
    train(*svm, data, context);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::string training_error(const Data& data, const Parameters& parameters = {},
                           const Parameters& of_kernel = {},
                           std::size_t budget = std::size_t{1} << 30) {
  return training_error("similarity/rbf", data, parameters, of_kernel, budget);
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("the bits do not depend on the number of threads") {
  for (const char* multiclass : {"one_versus_one", "one_versus_rest"}) {
    const Data data = clouds(1100, 12, 5);
    std::vector<float> expected;
    double objective = 0;
    for (const std::size_t threads : {1, 2, 5}) {
      TestContext context(threads);
      const auto svm = kernel_svm("similarity/rbf",
                                  {{"C", 5.0}, {"multiclass", std::string(multiclass)}}, gaussian);
      const MemoryReport report = train(*svm, data, context);
      const FloatMatrix found = scores(*svm, data.values, 5);
      if (expected.empty()) {
        expected = found.values;
        objective = report.numbers.at("objective");
      }
      CHECK(found.values == expected);
      CHECK(report.numbers.at("objective") == objective);
    }
  }
}

TEST_CASE("a saved model gives the same bits, with its kernel") {
  TestContext context;
  for (const std::size_t classes : {2, 4}) {
    const Data data = clouds(300, 7, classes);
    const auto check = [&](Solver& trained, Solver& loaded, const Data& rows) {
      train(trained, rows, context);
      MemoryState state;
      trained.save(state);
      CHECK(loaded.bind(Layout::vector(rows.values.cols)) == Layout::vector(0));
      loaded.load(state, context);
      CHECK(loaded.bind(Layout::vector(rows.values.cols)) == Layout::vector(rows.classes.size()));
      CHECK(scores(loaded, rows.values, rows.classes.size()).values ==
            scores(trained, rows.values, rows.classes.size()).values);
    };
    check(*kernel_svm("similarity/rbf", {}, gaussian), *kernel_svm("similarity/rbf", {}, gaussian),
          data);
    check(*kernel_svm("similarity/polynomial", {{"C", 0.01}}, {}),
          *kernel_svm("similarity/polynomial", {}, {}), data);
    const Parameters flip = {{"repair", std::string("flip")}};
    check(*kernel_svm("similarity/precomputed", flip, {}),
          *kernel_svm("similarity/precomputed", flip, {}), indefinite(60));
  }
  MemoryState state;
  CHECK_THROWS_AS(kernel_svm("similarity/rbf", {}, {})->save(state), Error);
}

TEST_CASE("a kernel learns its scale from all training rows, and keeps support vectors only") {
  const Data data = clouds(400, 7, 2);
  TestContext context;
  const double gamma = 1 / (7 * variance_of_values(MatrixRows(data.values.view()), {}, context));
  const auto expected = kernel_svm("similarity/rbf", {}, {{"gamma", gamma}});
  train(*expected, data, context);
  for (const std::size_t threads : {1, 3}) {
    TestContext several(threads);
    const auto svm = kernel_svm("similarity/rbf", {}, {}),
               loaded = kernel_svm("similarity/rbf", {}, {});
    const MemoryReport report = train(*svm, data, several);
    CHECK(scores(*svm, data.values, 2).values == scores(*expected, data.values, 2).values);
    MemoryState state;
    svm->save(state);
    CHECK(state.number("kernel_scale") == gamma);
    CHECK(state.floats("kernel_bases").rows ==
          static_cast<std::size_t>(report.integers.at("support_vectors")));
    loaded->bind(Layout::vector(7));
    loaded->load(state, context);
    CHECK(scores(*loaded, data.values, 2).values == scores(*expected, data.values, 2).values);
    const SupportVectorMachine written =
        dynamic_cast<const SupportVectors&>(*svm).support_vectors();
    CHECK(written.gamma == gamma);
  }
}

TEST_CASE("decision values become the scores, and vectors are named") {
  TestContext context;
  for (const char* kernel : {"similarity/rbf", "similarity/linear"}) {
    const Data data = clouds(300, 7, 3);
    const auto svm = kernel_svm(kernel, {}, {});
    train(*svm, data, context);
    const auto& functions = dynamic_cast<const DecisionValues&>(*svm);
    REQUIRE(functions.decision_values() == 3);
    std::vector<double> values(std::size_t{300} * 3);
    functions.decide(data.values.view(), values, context);
    const FloatMatrix found = scores(*svm, data.values, 3);
    for (std::size_t i = 0; i < 300; ++i) {
      const double* f = &values[3 * i];  // classes 0 and 1, 0 and 2, 1 and 2
      const double sums[] = {f[0] + f[1], f[2] - f[0], -f[1] - f[2]};
      const int votes[] = {(f[0] > 0) + (f[1] > 0), (f[0] <= 0) + (f[2] > 0),
                           (f[1] <= 0) + (f[2] <= 0)};
      for (std::size_t c = 0; c < 3; ++c)
        REQUIRE(found.view().row(i)[c] ==
                static_cast<float>(votes[c] + sums[c] / (3 * std::abs(sums[c]) + 3)));
    }
    MemoryState state;
    svm->save(state);
    const FloatMatrix bases = state.floats("kernel_bases");
    REQUIRE(functions.vector_rows().size() == bases.rows);
    for (std::size_t v = 0; v < bases.rows; ++v)
      REQUIRE(std::ranges::equal(bases.view().row_span(v),
                                 data.values.view().row_span(functions.vector_rows()[v])));
    const auto loaded = kernel_svm(kernel, {}, {});
    loaded->bind(Layout::vector(7));
    loaded->load(state, context);
    CHECK(std::ranges::equal(dynamic_cast<const DecisionValues&>(*loaded).vector_rows(),
                             functions.vector_rows()));
    CHECK(std::ranges::equal(dynamic_cast<const DecisionValues&>(*loaded).vector_roles(),
                             functions.vector_roles()));
  }
}

TEST_CASE("vectors are on the margin unless C bounds all their coefficients") {
  TestContext context;
  const Data data = clouds(300, 7, 3);
  const auto svm = kernel_svm("similarity/rbf", {{"C", 0.7}}, gaussian);
  train(*svm, data, context);
  const auto& functions = dynamic_cast<const DecisionValues&>(*svm);
  const auto& sums = dynamic_cast<const DecisionValues&>(*svm);
  const auto roles = functions.vector_roles();
  REQUIRE(roles.size() == functions.vector_rows().size());
  std::size_t bound = 0, margin = 0;
  for (std::size_t v = 0; v < roles.size(); ++v) {
    bool below = false;
    for (std::size_t f = 0; f < functions.decision_values(); ++f) {
      const double b = std::abs(sums.sum_coefficients(f)[v]);
      below = below || (b > 0 && b < 0.7 * (1 - 1e-9));
    }
    CHECK(roles[v] == (below ? VectorRole::margin : VectorRole::bound));
    ++(below ? margin : bound);
  }
  CHECK(bound > 10);
  CHECK(margin > 10);
}

TEST_CASE("models without the origins of their vectors are read, damaged ones refused") {
  TestContext context;
  const Data data = clouds(60, 7, 2);
  const auto svm = kernel_svm("similarity/rbf", {}, gaussian);
  train(*svm, data, context);
  EditedState state;
  svm->save(state);
  const auto load = [&](const MemoryState& from) {
    auto made = kernel_svm("similarity/rbf", {}, gaussian);
    made->bind(Layout::vector(7));
    made->load(from, context);
    return made;
  };
  EditedState older = state;
  older.remove("vector_rows");
  older.remove("vector_roles");
  const auto loaded = load(older);
  CHECK(dynamic_cast<const DecisionValues&>(*loaded).vector_rows().empty());
  CHECK(scores(*loaded, data.values, 2).values == scores(*svm, data.values, 2).values);
  for (const std::int64_t wrong : {-1, 3}) {
    EditedState damaged = state;
    std::vector<std::int64_t> roles = state.integers("vector_roles");
    roles.back() = wrong;
    damaged.remove("vector_roles");
    damaged.integers("vector_roles", roles);
    CHECK_THROWS_AS(load(damaged), Error);
  }
}

TEST_CASE("the scores of a row do not depend on the rows around it") {
  TestContext context;
  const Data data = clouds(500, 9, 3);
  const auto svm = kernel_svm("similarity/rbf", {}, gaussian);
  train(*svm, data, context);
  const FloatMatrix together = scores(*svm, data.values, 3);
  for (std::size_t i = 0; i < 500; i += 7) {
    FloatMatrix alone(1, 3);
    svm->apply(data.values.view().rows_range(i, 1), alone.view(), context);
    REQUIRE(std::equal(alone.values.begin(), alone.values.end(), together.view().row(i)));
  }
}

TEST_CASE("the report has the violation after each working set") {
  TestContext context;
  const auto svm = kernel_svm("similarity/rbf", {{"C", 10.0}}, gaussian);
  const MemoryReport report = train(*svm, clouds(2300, 4, 2), context);
  common::testing::check_convergence(report, "working_set", 1e-3, report.numbers.at("violation"));
  const Curve& convergence = report.curves.at("convergence_by_working_set");
  CHECK(convergence.x.size() == static_cast<std::size_t>(report.integers.at("working_sets")));
  CHECK(convergence.x.front() == 1);
}

TEST_CASE("the report says what was solved") {
  TestContext context;
  const Data data = clouds(400, 8, 4);
  const auto svm = kernel_svm("similarity/rbf", {{"C", 2.0}}, gaussian);
  const MemoryReport report = train(*svm, data, context);
  CHECK(report.texts.at("certificate") == "converged");
  CHECK(report.numbers.at("violation") < 1e-3);
  CHECK(report.numbers.at("duality_gap") > 0);
  CHECK(report.numbers.at("duality_gap") < 2e-3);
  const std::int64_t vectors = report.integers.at("support_vectors");
  CHECK(report.integers.at("parameters") == vectors * 9);
  CHECK(vectors > 20);
  CHECK(vectors <= 400);
  const Table& table = report.tables.at("problems");
  REQUIRE(table.rows.size() == 6);
  CHECK(table.rows[5] == "class 2 against class 3");
  CHECK(table.columns[0] == "objective");
  CHECK(table.columns[5] == "squared norm");
  double sum = 0;
  for (std::size_t p = 0; p < 6; ++p) {
    const double* row = table.values.data() + p * table.columns.size();
    sum += row[0];
    CHECK(row[1] < 5e-3);
    CHECK(row[2] >= row[3]);
    CHECK(row[5] > 0);
  }
  CHECK(sum == doctest::Approx(report.numbers.at("objective")));
}

TEST_CASE("memory decides what is computed again, never what comes out") {
  const Data data = clouds(900, 6, 3);
  for (const char* multiclass : {"one_versus_one", "one_versus_rest"}) {
    const Parameters parameters = {{"C", 5.0}, {"multiclass", std::string(multiclass)}};
    std::string expected;
    // Whole working sets with caches and without, some of their rows, and hardly any.
    for (const std::size_t kibibytes : {1 << 20, 3500, 1400, 500}) {
      TestContext context;
      context.budget = kibibytes << 10;
      const auto svm = kernel_svm("similarity/rbf", parameters, gaussian);
      const MemoryReport report = train(*svm, data, context);
      CHECK(report.texts.at("certificate") == "converged");
      if (expected.empty()) expected = saved_bits(*svm);
      CHECK(saved_bits(*svm) == expected);
    }
  }
  CHECK(contains(training_error(data, {}, gaussian, 90 << 10),
                 "16 kernel rows (16 x 600 x 4 bytes), a working set of 256 and the gradients"));
}

TEST_CASE("many rows: neither memory nor threads change a bit") {
  // Apart, so that few of the rows are support vectors.
  const LabelledRows rows = overlapping_clouds(17000, 3, 2, 5, 4);
  std::string expected;
  // Whole working sets, some of their rows, and hardly any.
  for (const std::size_t mebibytes : {1024, 20, 5})
    for (const std::size_t threads : {1, 3}) {
      TestContext context(threads);
      context.budget = mebibytes << 20;
      const auto svm = kernel_svm("similarity/rbf", {{"C", 1.0}}, gaussian);
      CHECK(train(*svm, rows, context).texts.at("certificate") == "converged");
      if (expected.empty()) expected = saved_bits(*svm);
      CHECK(saved_bits(*svm) == expected);
    }
}

TEST_CASE("working sets that are solved by smaller ones: neither memory nor threads change a bit") {
  const LabelledRows rows = overlapping_clouds(66000, 3, 2, 5, 4);
  std::string expected;
  for (const std::size_t mebibytes : {1024, 110})
    for (const std::size_t threads : {1, 3}) {
      TestContext context(threads);
      context.budget = mebibytes << 20;
      const auto svm = kernel_svm("similarity/rbf", {{"C", 1.0}}, gaussian);
      const MemoryReport report = train(*svm, rows, context);
      CHECK(report.texts.at("certificate") == "converged");
      CHECK(report.integers.at("working_sets") < 20);
      if (expected.empty()) expected = saved_bits(*svm);
      CHECK(saved_bits(*svm) == expected);
    }
}

TEST_CASE("class weights multiply C, and balanced ones come from the counts") {
  TestContext context;
  Data data = clouds(300, 5, 2);
  for (std::size_t i = 0; i < 100; ++i) data.labels[i] = 0;  // 200 of class 0, 100 of class 1
  const auto objective = [&](const Parameters& parameters) {
    const auto svm = kernel_svm("similarity/rbf", parameters, gaussian);
    return train(*svm, data, context).numbers.at("objective");
  };
  const double balanced = objective({{"C", 3.0}, {"balanced", true}});
  const std::vector<double> weights = {300.0 / (2 * 200), 300.0 / (2 * 100)};
  const auto named = [](double first, double second) {
    return NamedValues{{"class 0", first}, {"class 1", second}};
  };
  CHECK(balanced == objective({{"C", 3.0}, {"class_weights", named(weights[0], weights[1])}}));
  CHECK(balanced != objective({{"C", 3.0}}));
  CHECK(objective({{"C", 3.0}}) == objective({{"C", 1.0}, {"class_weights", named(3, 3)}}));
}

TEST_CASE("a stop request leaves a model and says so") {
  const Data data = clouds(500, 10, 3);
  for (const auto& [reason, text] : {std::pair{StopReason::deadline, "deadline"},
                                     std::pair{StopReason::cancelled, "cancelled"}}) {
    TestContext context;
    context.stop = reason;
    const auto svm = kernel_svm("similarity/rbf", {}, gaussian);
    const MemoryReport report = train(*svm, data, context);
    CHECK(report.texts.at("certificate") == text);
    CHECK(report.numbers.at("objective") == 0);
    CHECK(report.numbers.at("duality_gap") == 1);
    CHECK(report.integers.at("support_vectors") == 0);
    CHECK(scores(*svm, data.values, 3).values.size() == 1500);
    const auto checked = kernel_svm("similarity/precomputed", {}, {});
    const MemoryReport unchecked = train(*checked, indefinite(80), context);
    CHECK(unchecked.texts.at("certificate") == text);
    CHECK(contains(unchecked.texts.at("repair"), "not done"));
  }
}

TEST_CASE("too few iterations are reported as such") {
  TestContext context;
  const Parameters parameters = {{"max_iterations", std::int64_t{5}}};
  const auto svm = kernel_svm("similarity/rbf", parameters, gaussian);
  const MemoryReport report = train(*svm, clouds(500, 10, 3), context);
  CHECK(report.texts.at("certificate") == "iteration limit");
  CHECK(report.integers.at("iterations") == 15);
  CHECK(report.numbers.at("violation") > 1e-3);
}

TEST_CASE("an indefinite problem is never called solved") {
  const std::string refusal = training_error("similarity/precomputed", indefinite(80));
  CHECK(contains(refusal, "are indefinite: an eigenvalue of their matrix is below -"));
  CHECK(contains(refusal, "set repair to clip, flip, shift, square or krein"));
  // A polynomial with a negative offset is not semi-definite.
  CHECK(contains(training_error("similarity/polynomial", clouds(80, 5, 2), {}, {{"offset", -3.0}}),
                 "are indefinite"));
  TestContext context;
  for (const char* repair : {"clip", "flip", "shift", "square", "krein"}) {
    const auto svm =
        kernel_svm("similarity/precomputed", {{"repair", std::string(repair)}, {"C", 0.1}}, {});
    const MemoryReport report = train(*svm, indefinite(80), context);
    CHECK(report.texts.at("repair") == repair);
    CHECK(report.texts.at("certificate") == "converged");
    CHECK(report.numbers.at("smallest_eigenvalue") < 0);
    CHECK(report.integers.at("negative_eigenvalues") > 20);
    CHECK(report.numbers.at("duality_gap") >= 0);
  }
}

TEST_CASE("a semi-definite matrix is checked and needs no repair") {
  TestContext context;
  const Data data = clouds(200, 6, 3);
  Data matrix{FloatMatrix(200, 200), data.labels, data.classes};
  const auto rbf = make_component<Similarity>("similarity/rbf");
  rbf->bind(Layout::vector(6));
  std::vector<std::int64_t> all(200);
  for (std::size_t i = 0; i < 200; ++i) all[i] = static_cast<std::int64_t>(i);
  rbf->set_bases(data.values.view(), all, context);
  rbf->apply(data.values.view(), matrix.values.view(), context);
  const auto direct = kernel_svm("similarity/rbf", {{"C", 4.0}}, {}),
             given = kernel_svm("similarity/precomputed", {{"C", 4.0}}, {});
  const MemoryReport a = train(*direct, data, context), b = train(*given, matrix, context);
  CHECK(contains(a.texts.at("repair"), "not needed"));
  CHECK(contains(b.texts.at("repair"), "none"));
  // The gradients of the measure are refined in double, by its definition.
  CHECK(a.numbers.at("objective") == doctest::Approx(b.numbers.at("objective")).epsilon(1e-6));
  const FloatMatrix by_measure = scores(*direct, data.values, 3);
  const FloatMatrix by_matrix = scores(*given, matrix.values, 3);
  for (std::size_t k = 0; k < by_measure.values.size(); ++k)
    CHECK(by_measure.values[k] == doctest::Approx(by_matrix.values[k]).epsilon(1e-3));
  for (const char* repair : {"clip", "flip", "shift"}) {
    const auto repaired =
        kernel_svm("similarity/precomputed", {{"C", 4.0}, {"repair", std::string(repair)}}, {});
    const MemoryReport c = train(*repaired, matrix, context);
    CHECK(c.numbers.at("objective") == doctest::Approx(a.numbers.at("objective")).epsilon(1e-5));
    CHECK(c.integers.at("negative_eigenvalues") == 0);
  }
}

TEST_CASE("training mistakes are one sentence with the place and what to do") {
  Data data = clouds(50, 4, 2);
  CHECK(contains(training_error(data, {{"class_weights", NamedValues{{"class 2", 1.5}}}}),
                 "'class_weights' names the class 'class 2', but the classes are 'class 0', 'class "
                 "1'"));
  CHECK(contains(
      training_error(data, {{"class_weights", NamedValues{{"class 1", 1.5}}}, {"balanced", true}}),
      "exclude each other"));
  data.classes.push_back("empty");
  CHECK(contains(training_error(data), "class 'empty' has no training rows"));
  data = clouds(50, 4, 1);
  CHECK(contains(training_error(data), "at least 2 classes"));
  data = clouds(50, 4, 2);
  CHECK(contains(training_error("similarity/intersection", data), "compares histograms"));
  CHECK(contains(training_error("similarity/precomputed", data),
                 "must have one column per training row"));
  data.values.values[4 * 11 + 2] = std::numeric_limits<float>::quiet_NaN();
  CHECK(contains(training_error(data), "training row 11, column 2"));
  data.values.values[4 * 11 + 2] = 1e30F;
  CHECK(contains(training_error("similarity/linear", data), "not finite for training row"));
  CHECK(contains(training_error("similarity/precomputed", indefinite(300), {}, {}, 1 << 20),
                 "but 1 MiB are allowed"));
  CHECK(contains(training_error("similarity/precomputed", indefinite(300),
                                {{"repair", std::string("clip")}}, {}, 1 << 20),
                 "40 n^2"));
}

TEST_CASE("separable data and single rows of a class are solved") {
  TestContext context;
  Data data = clouds(3, 4, 3);
  const auto svm = kernel_svm("similarity/rbf", {{"C", 100.0}}, gaussian);
  CHECK(train(*svm, data, context).texts.at("certificate") == "converged");
  const FloatMatrix found = scores(*svm, data.values, 3);
  for (std::size_t i = 0; i < 3; ++i)
    CHECK(std::max_element(found.view().row(i), found.view().row(i) + 3) - found.view().row(i) ==
          data.labels[i]);
  for (std::size_t j = 0; j < 4; ++j) data.values.values[j] = data.values.values[4 + j];
  CHECK(train(*svm, data, context).texts.at("certificate") == "converged");
}

}  // namespace
}  // namespace semblance::kernel::kernel_svm_test
