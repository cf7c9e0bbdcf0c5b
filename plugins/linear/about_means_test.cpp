// SPDX-License-Identifier: MIT
// Linear machines about the columns' means: the same answers at any level. The oracle
// is the machine of LIBLINEAR's form ('center: false') on rows whose weighted means have been
// subtracted by hand, in long double.
#include <doctest/doctest.h>

#include "linear_testing.hpp"
#include "semblance/sparse_testing.hpp"
#include "svr_testing.hpp"

namespace about_means_test {

using namespace semblance;
using namespace semblance::linear::testing;

namespace {

const Parameters as_liblinear = {{"center", false}};
const Parameters l1 = {{"regularizer", std::string("l1")}};
const Parameters joint = {{"multiclass", std::string("crammer_singer")},
                          {"max_iterations", std::int64_t{20000}}};

/// How columns are moved.
struct Level {
  const char* name;
  double size;
  bool all;  ///< all columns, or only every fourth
};
const std::vector<Level> levels = {{"0", 0, true},
                                   {"10", 10, true},
                                   {"1000", 1e3, true},
                                   {"100000", 1e5, true},
                                   {"some by 1e3", 1e3, false},
                                   {"some by 1e5", 1e5, false}};

/// Multiples of 1/64, so that rows far from 0 are exact in float32. The last column is constant.
/// `share`: of the values that are not 0.
FloatMatrix grid(std::size_t rows, std::size_t cols, double share,
                 const std::vector<std::int32_t>& labels, std::uint64_t seed = 1) {
  Random random(seed);
  FloatMatrix values(rows, cols);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j + 1 < cols; ++j) {
      if (random.uniform() >= share) continue;
      const auto label = labels.empty() ? 0 : static_cast<std::size_t>(labels[i]);
      const double x = random.normal() + (j % 4 == label ? 1.0 : 0.0);
      values.values[i * cols + j] = static_cast<float>(std::round(64 * x) / 64);
    }
  return values;
}

Data classes(std::size_t rows, std::size_t cols, std::size_t count, double share = 1) {
  Data data{{}, {}, {}};
  for (std::size_t i = 0; i < rows; ++i)
    data.labels.push_back(static_cast<std::int32_t>(i % count));
  for (std::size_t c = 0; c < count; ++c) data.classes.push_back("class " + std::to_string(c));
  data.values = grid(rows, cols, share, data.labels);
  return data;
}

/// Neighbouring columns are moved to opposite signs.
FloatMatrix moved(FloatMatrix values, const Level& level) {
  for (std::size_t i = 0; i < values.rows; ++i)
    for (std::size_t j = 0; j < values.cols; ++j)
      if (level.all || j % 4 == 0)
        values.values[i * values.cols + j] +=
            static_cast<float>(j % 2 == 0 ? level.size : -level.size);
  return values;
}

FloatMatrix centred_by_hand(FloatMatrix values, const std::vector<double>& weights) {
  for (std::size_t j = 0; j < values.cols; ++j) {
    long double sum = 0, total = 0;
    for (std::size_t i = 0; i < values.rows; ++i) {
      const long double weight = weights.empty() ? 1 : weights[i];
      sum += weight * static_cast<long double>(values.values[i * values.cols + j]);
      total += weight;
    }
    for (std::size_t i = 0; i < values.rows; ++i) {
      float& x = values.values[i * values.cols + j];
      x = static_cast<float>(static_cast<long double>(x) - sum / total);
    }
  }
  return values;
}

void check_near(const FloatMatrix& one, const FloatMatrix& other, double tolerance) {
  REQUIRE(one.values.size() == other.values.size());
  double largest = 0;
  for (std::size_t k = 0; k < one.values.size(); ++k)
    largest = std::max(largest, std::abs(double{one.values[k]} - double{other.values[k]}));
  CHECK(largest < tolerance);
}

struct Learned {
  double objective, bound;
  FloatMatrix scores;
};

Learned learn(const Data& data, const Parameters& parameters) {
  TestContext context;
  const TrainedSolver trained = train("solver/linear_svm", data, context, parameters);
  CHECK(trained.report.texts.at("certificate") == "converged");
  return {trained.report.numbers.at("objective"), trained.report.numbers.at("lower_bound"),
          scores(*trained.solver, data)};
}

/// Compares dense and sparse rows at all levels with the oracle. `row_weights`: the weights of the
/// rows in the losses.
void check_classes(const Data& data, const Parameters& parameters, double tolerance,
                   const std::vector<double>& row_weights = {}) {
  const Parameters exact = with(parameters, {{"tolerance", tolerance}});
  Data plain = data;
  plain.values = centred_by_hand(data.values, row_weights);
  const Learned expected = learn(plain, with(exact, as_liblinear));
  for (const Level& level : levels) {
    CAPTURE(level.name);
    for (const bool sparse : {false, true}) {
      CAPTURE(sparse);
      Data far = data;
      far.values = moved(data.values, level);
      if (sparse) far.values = sparse_of(far.values.view());
      const Learned found = learn(far, exact);
      CHECK(found.objective == doctest::Approx(expected.objective).epsilon(4 * tolerance + 1e-6));
      CHECK(found.bound <= expected.objective * (1 + 1e-6));
      check_near(found.scores, expected.scores, 3 * std::sqrt(tolerance) + 1e-3);
    }
  }
}

}  // namespace

TEST_CASE("about means: l2, few and many classes, dense and sparse, whatever the level") {
  for (const std::size_t count : {2U, 3U, 6U}) {
    CAPTURE(count);
    check_classes(classes(180, 7, count), {{"C", 2.0}}, 1e-8);
    // Columns that few rows have.
    check_classes(classes(180, 30, count, 0.2), {{"C", 1.0}}, 1e-8);
  }
}

TEST_CASE("about means: l2, few rows of many columns, and a large C") {
  check_classes(classes(40, 240, 3, 0.3), {{"C", 1.0}}, 1e-7);
  check_classes(classes(200, 9, 3), {{"C", 1000.0}}, 1e-6);
  check_classes(classes(150, 400, 2, 0.05), {{"C", 100.0}}, 1e-6);
}

TEST_CASE("about means: l1, and all classes at once") {
  check_classes(classes(180, 8, 3), with(l1, {{"C", 0.3}}), 1e-8);
  check_classes(classes(120, 40, 2, 0.2), with(l1, {{"C", 1.0}}), 1e-7);
  check_classes(classes(150, 8, 3), joint, 1e-4);
  check_classes(classes(150, 40, 4, 0.2), with(joint, {{"C", 0.3}}), 1e-4);
}

TEST_CASE("about means: a row's weight counts in the mean like the row that often") {
  Data data = classes(160, 7, 3);
  for (std::size_t i = 0; i < data.labels.size(); ++i)
    data.weights.push_back(static_cast<double>(i % 4));
  check_classes(data, {}, 1e-8, data.weights);
  check_classes(data, l1, 1e-8, data.weights);
  std::vector<double> of_rows = data.weights;
  for (std::size_t i = 0; i < of_rows.size(); ++i) of_rows[i] *= data.labels[i] == 1 ? 3 : 1;
  check_classes(data, {{"class_weights", class_weights({1, 3, 1})}}, 1e-8, of_rows);
}

namespace {

FloatMatrix estimates_of(const Numbers& data, const Parameters& parameters, double& objective) {
  TestContext context;
  const TrainedSvr trained = train_svr(data, context, parameters);
  CHECK(trained.certificate() == "converged");
  objective = trained.number("objective");
  return estimates(*trained.svr, data);
}

}  // namespace

TEST_CASE("about means: regressions with all losses") {
  for (const Loss& loss : all_losses()) {
    CAPTURE(loss.name);
    for (const double share : {1.0, 0.2}) {
      CAPTURE(share);
      Numbers data = noisy_line(160, 9, 2);
      data.values = grid(160, 9, share, {});
      const Parameters exact = with(loss.parameters(), {{"tolerance", 1e-7}});
      Numbers plain = data;
      plain.values = centred_by_hand(data.values, {});
      double expected = 0, found = 0;
      const FloatMatrix near = estimates_of(plain, exact, expected);
      for (const Level& level : levels) {
        CAPTURE(level.name);
        for (const bool sparse : {false, true}) {
          CAPTURE(sparse);
          Numbers far = data;
          far.values = moved(data.values, level);
          if (sparse) far.values = sparse_of(far.values.view());
          check_near(estimates_of(far, exact, found), near, 5e-3);
          CHECK(found == doctest::Approx(expected).epsilon(2e-6));
        }
      }
    }
  }
}

TEST_CASE("about means: sparse rows of many columns, in the dual, as their dense form") {
  Numbers data = noisy_line(300, 500, 1);
  data.values = grid(300, 500, 0.03, {});
  for (const Loss& loss : all_losses()) {
    CAPTURE(loss.name);
    double dense = 0, sparse = 0;
    const Parameters exact = with(loss.parameters(), {{"tolerance", 1e-7}});
    const FloatMatrix expected = estimates_of(data, exact, dense);
    Numbers other = data;
    other.values = sparse_of(data.values.view());
    check_near(estimates_of(other, exact, sparse), expected, 1e-2);
    CHECK(sparse == doctest::Approx(dense).epsilon(3e-6));
  }
}

TEST_CASE("about means: C is chosen, and folds err, as on rows about 0") {
  // In the span of the rows as well.
  for (const Data& data : {classes(240, 6, 3), classes(90, 300, 2)}) {
    const Parameters automatic = {{"C", std::string("automatic")}, {"folds", std::int64_t{4}}};
    TestContext context;
    const MemoryReport expected = train("solver/linear_svm", data, context, automatic).report;
    for (const Level& level : levels)
      for (const bool sparse : {false, true}) {
        CAPTURE(level.name);
        CAPTURE(sparse);
        Data far = data;
        far.values = moved(data.values, level);
        if (sparse) far.values = sparse_of(far.values.view());
        const MemoryReport found = train("solver/linear_svm", far, context, automatic).report;
        // Which of two costs errs less may hang on a row that the tolerance of 0.001 leaves open.
        const Curve &errors = expected.curves.at("error_by_cost"),
                    &others = found.curves.at("error_by_cost");
        for (std::size_t i = 0; i < errors.y.size(); ++i) {
          CHECK(others.x[i] == doctest::Approx(errors.x[i]).epsilon(1e-4));
          CHECK(others.y[i] == doctest::Approx(errors.y[i]).epsilon(0.03).scale(1));
        }
      }
  }
}

TEST_CASE("about means: a path of costs, whose errors are those of the machine itself") {
  Data data = classes(300, 6, 3);
  data.values = moved(data.values, {"", 1000, true});
  const Parameters path = {{"path", std::vector<double>{1e-3, 0.1}}, {"C", 1.0}};
  TestContext context;
  const TrainedSolver trained = train("solver/linear_svm", data, context, path);
  const FloatMatrix f = scores(*trained.solver, data);
  double wrong = 0;
  for (std::size_t i = 0; i < data.labels.size(); ++i) {
    const std::span<const float> row = f.view().row_span(i);
    wrong += std::max_element(row.begin(), row.end()) - row.begin() != data.labels[i] ? 1 : 0;
  }
  CHECK(wrong < 200);
  CHECK(trained.report.curves.at("training_error_by_cost").y.back() ==
        doctest::Approx(wrong / 300));
}

TEST_CASE("about means: without a bias, and with 'center: false', the plane goes by 0") {
  const Data data = classes(120, 5, 2);
  Data far = data;
  far.values = moved(data.values, {"", 1000, true});
  for (const Parameters& parameters :
       {Parameters{{"bias", 0.0}}, Parameters{{"bias", 1.0}, {"center", false}}}) {
    const Learned near = learn(data, parameters);
    TestContext context;
    const TrainedSolver other = train("solver/linear_svm", far, context, parameters);
    CHECK(std::abs(other.report.numbers.at("objective") - near.objective) > 1e-3 * near.objective);
  }
  CHECK(learn(data, {{"bias", 0.0}}).objective ==
        learn(data, {{"bias", 0.0}, {"center", false}}).objective);
}

TEST_CASE("about means: the copy of the rows may be in a scratch file, with the same bits") {
  Data data = classes(20000, 16, 3);
  data.values = moved(data.values, {"", 100, true});
  CHECK(same_bits_with_budgets("solver/linear_svm", data, {}, {3000}));
}

TEST_CASE("about means: rows on several ranks have the bits of one process") {
  Data data = classes(2600, 12, 3);
  data.values = moved(data.values, {"", 1e4, true});
  for (const Parameters& parameters :
       {Parameters{}, l1, Parameters{{"C", std::string("automatic")}, {"folds", std::int64_t{3}}}})
    check_same_on_ranks(data.values, {2, 3}, [&](const Rows& rows, Context& context) {
      return outcome(train_on(rows, data, context, parameters));
    });
}

TEST_CASE("about means: differences that are no float32 numbers name their column") {
  Data data = classes(40, 3, 2);
  for (std::size_t i = 0; i < 40; ++i) data.values.values[3 * i + 1] = i == 0 ? 3.4e38F : -3.4e38F;
  CHECK(training_error("solver/linear_svm", data) ==
        "column 1 (counted from 0) has values whose differences from its mean exceed float32; "
        "make its unit larger");
}

}  // namespace about_means_test
