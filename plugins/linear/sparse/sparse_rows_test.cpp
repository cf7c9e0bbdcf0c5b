// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "convergence_testing.hpp"
#include "linear_testing.hpp"
#include "semblance/sparse_testing.hpp"
#include "sparse/dual_descent.hpp"
#include "sparse/lanes.hpp"
#include "sparse/sparse_sweep.hpp"

namespace sparse_rows_test {

using namespace semblance;
using namespace semblance::linear::testing;

namespace {

/// Sparse rows whose classes prefer some columns, and their dense form.
struct Both {
  Data dense;
  FloatMatrix sparse;
};

Both texts(std::size_t rows, std::size_t cols, std::size_t classes, std::uint64_t seed = 1) {
  Both both{{FloatMatrix(rows, cols), std::vector<std::int32_t>(rows), {}}, {}};
  Random random(seed);
  for (std::size_t i = 0; i < rows; ++i) {
    const std::size_t label = random.below(classes);
    both.dense.labels[i] = static_cast<std::int32_t>(label);
    if (i == 5) continue;  // an empty one
    for (std::size_t k = 0; k < 12; ++k) {
      const std::size_t column = random.below(3) == 0
                                     ? label + classes * random.below(cols / classes)
                                     : random.below(cols);
      both.dense.values.values[i * cols + column] = static_cast<float>(random.uniform(0.1, 0.5));
    }
  }
  for (std::size_t c = 0; c < classes; ++c)
    both.dense.classes.push_back("class " + std::to_string(c));
  both.sparse = sparse_of(both.dense.values.view());
  return both;
}

TrainedSolver train_sparse(const Both& both, Context& context, const Parameters& parameters) {
  TrainedSolver trained{make_component<Solver>("solver/linear_svm", parameters), {}};
  const MemoryRows rows(both.sparse);
  const Layout layout = Layout::sparse(both.sparse.cols);
  trained.solver->bind(layout);
  trained.solver->train(training_set(rows, layout, both.dense), trained.report, context);
  return trained;
}

FloatMatrix sparse_scores(const Solver& solver, const Both& both) {
  TestContext context;
  FloatMatrix out(both.sparse.rows, both.dense.classes.size());
  solver.apply(both.sparse.view(), out.view(), context);
  return out;
}

bool newton_followed(const TestContext& context) {
  return std::ranges::any_of(context.lines, [](const std::string& line) {
    return line.find("iteration ") != std::string::npos;
  });
}

bool projected_newton_followed(const TestContext& context) {
  return std::ranges::any_of(context.lines, [](const std::string& line) {
    return line.find("with projected Newton steps") != std::string::npos;
  });
}

/// The objective of a machine with weights for classes, by its scores.
double objective_of(const Solver& solver, const Both& both, double cost,
                    const std::vector<double>& class_weights) {
  MemoryState state;
  solver.save(state);
  double objective = 0;
  for (const double w : state.doubles("weights")) objective += w * w / 2;
  const std::size_t classes = class_weights.size();
  const FloatMatrix f = sparse_scores(solver, both);
  for (std::size_t i = 0; i < both.sparse.rows; ++i)
    for (std::size_t c = classes == 2 ? 1 : 0; c < classes; ++c) {
      const auto label = static_cast<std::size_t>(both.dense.labels[i]);
      const double score = f.values[i * classes + c];
      const double lost = std::max(0.0, 1 - (label == c ? score : -score));
      objective += cost * class_weights[label] * lost * lost;
    }
  return objective;
}

}  // namespace

namespace {

const Parameters as_liblinear = {{"center", false}};

Parameters with(Parameters parameters, const Parameters& more) {
  parameters.insert(parameters.end(), more.begin(), more.end());
  return parameters;
}

/// `columns`: with few columns the primal is solved as for dense rows, with more the dual comes
/// first. `rounding`: of the dense rows, which are rounded to float32 about their means.
void check_optimum(std::size_t columns, const std::vector<Parameters>& ways, double rounding) {
  for (const std::size_t classes : {2U, 3U, 11U, 40U})
    for (const Parameters& more : ways) {
      CAPTURE(classes);
      const Both both = texts(500, columns, classes);
      Parameters parameters = more;
      parameters.emplace_back("tolerance", 1e-8);
      TestContext one, two;
      const auto dense = train("solver/linear_svm", both.dense, one, parameters);
      const auto sparse = train_sparse(both, two, parameters);
      const double optimum = dense.report.numbers.at("objective");
      CHECK(sparse.report.texts.at("certificate") == "converged");
      CHECK(sparse.report.numbers.at("objective") == doctest::Approx(optimum).epsilon(1e-7));
      CHECK(sparse.report.numbers.at("lower_bound") <= optimum * (1 + rounding));
      CHECK(sparse.report.numbers.at("duality_gap") <= 1e-8);
      CHECK(sparse.report.numbers.at("gradient_norm") < 1e-3);
      const FloatMatrix expected = scores(*dense.solver, both.dense),
                        found = sparse_scores(*sparse.solver, both);
      for (std::size_t k = 0; k < expected.values.size(); ++k)
        REQUIRE(found.values[k] == doctest::Approx(expected.values[k]).epsilon(1e-3).scale(1));
    }
}

}  // namespace

TEST_CASE("sparse rows of few columns have the optimum of dense ones") {
  check_optimum(200,
                {as_liblinear,
                 {{"bias", 0.0}},
                 with(as_liblinear, {{"C", 0.01}}),
                 with(as_liblinear, {{"C", 300.0}}),
                 with(as_liblinear, {{"bias", 10.0}})},
                1e-12);
  check_optimum(200, {{}, {{"C", 300.0}}}, 1e-7);
}

TEST_CASE("sparse rows of many columns have the optimum of dense ones") {
  check_optimum(1000,
                {as_liblinear,
                 {{"bias", 0.0}},
                 with(as_liblinear, {{"C", 0.01}}),
                 with(as_liblinear, {{"bias", 10.0}})},
                1e-12);
  check_optimum(1000, {{}, {{"C", 30.0}}}, 1e-7);
}

TEST_CASE(
    "sparse rows: the gap on the way to the tolerance is reported, also by two methods in turn") {
  const Both both = texts(500, 1000, 2);
  for (const double cost : {1.0, 1e4}) {
    TestContext context;
    const MemoryReport report = train_sparse(both, context, {{"C", cost}}).report;
    common::testing::check_convergence(report, "iteration", 1e-5, report.numbers.at("duality_gap"));
  }
}

TEST_CASE("on sparse rows the l1 norm and the multiclass hinge have the optimum of dense ones") {
  const std::vector<Parameters> ways = {
      {{"regularizer", std::string("l1")}, {"tolerance", 1e-6}, {"center", false}},
      {{"regularizer", std::string("l1")}, {"tolerance", 1e-6}, {"bias", 0.0}, {"C", 20.0}},
      {{"multiclass", std::string("crammer_singer")}, {"tolerance", 1e-5}, {"center", false}},
      {{"multiclass", std::string("crammer_singer")},
       {"tolerance", 1e-5},
       {"bias", 0.0},
       {"C", 0.1}}};
  for (const std::size_t classes : {2U, 3U, 7U})
    for (const std::size_t columns : {60U, 200U})
      for (const Parameters& way : ways) {
        CAPTURE(classes);
        CAPTURE(columns);
        const Both both = texts(150, columns, classes);
        TestContext one, two;
        const auto dense = train("solver/linear_svm", both.dense, one, way);
        const auto sparse = train_sparse(both, two, way);
        const double optimum = dense.report.numbers.at("objective");
        CHECK(sparse.report.texts.at("certificate") == "converged");
        CHECK(sparse.report.numbers.at("objective") == doctest::Approx(optimum).epsilon(2e-5));
        CHECK(sparse.report.numbers.at("lower_bound") <= optimum * (1 + 1e-12));
        const FloatMatrix expected = scores(*dense.solver, both.dense),
                          found = sparse_scores(*sparse.solver, both);
        for (std::size_t k = 0; k < expected.values.size(); ++k)
          REQUIRE(found.values[k] == doctest::Approx(expected.values[k]).epsilon(2e-2).scale(1));
      }
}

TEST_CASE("on sparse rows the l1 norm and the multiclass hinge give the same bits on any threads") {
  const Both both = texts(500, 900, 4);
  for (const Parameters& way :
       {Parameters{{"regularizer", std::string("l1")}},
        Parameters{{"multiclass", std::string("crammer_singer")}, {"tolerance", 1e-3}}}) {
    TestContext one(1);
    const auto expected = outcome(train_sparse(both, one, way));
    for (const std::size_t threads : {2U, 5U}) {
      TestContext many(threads);
      CHECK(outcome(train_sparse(both, many, way)) == expected);
    }
  }
}

TEST_CASE("a model stores no weights of columns that no training sample has") {
  Both both = texts(300, 200, 3);
  both.sparse.cols = 100000;
  TestContext context;
  const auto trained = train_sparse(both, context, {});
  MemoryState state;
  trained.solver->save(state);
  const std::size_t stored = state.doubles("weights_of_columns").size();
  CHECK(stored > 3 * 100);
  CHECK(stored <= 3 * 200);
  const auto loaded = make_component<Solver>("solver/linear_svm");
  loaded->bind(Layout::sparse(100000));
  loaded->load(state, context);
  CHECK(sparse_scores(*loaded, both).values == sparse_scores(*trained.solver, both).values);
  // A new sample may have any column.
  Both fresh = both;
  fresh.sparse.columns[fresh.sparse.columns.size() - 1] = 99999;
  CHECK(sparse_scores(*loaded, fresh).values == sparse_scores(*trained.solver, fresh).values);
}

TEST_CASE("sparse rows: the reported objective is that of the scores") {
  for (const std::vector<double>& weights :
       {std::vector<double>{1, 2, 0.5, 3, 1}, std::vector<double>{0.5, 2}})
    for (const std::size_t columns : {150U, 1500U})
      for (const double cost : {2.0, 1e4}) {
        CAPTURE(weights.size());
        CAPTURE(columns);
        CAPTURE(cost);
        const Both both = texts(400, columns, weights.size());
        TestContext context;
        const auto trained = train_sparse(
            both, context, {{"bias", 0.0}, {"C", cost}, {"class_weights", class_weights(weights)}});
        CHECK(trained.report.numbers.at("objective") ==
              doctest::Approx(objective_of(*trained.solver, both, cost, weights)).epsilon(1e-5));
      }
}

TEST_CASE("on sparse rows any C has a proved optimum, without Newton steps in the primal") {
  for (const std::size_t classes : {2U, 4U})
    for (const double cost : {100.0, 1e4, 1e7}) {
      CAPTURE(classes);
      CAPTURE(cost);
      const Both both = texts(1000, 1200, classes);  // with fewer rows than columns
      TestContext context;
      const auto trained = train_sparse(both, context, {{"C", cost}, {"tolerance", 1e-6}});
      CHECK(trained.report.texts.at("certificate") == "converged");
      CHECK(trained.report.numbers.at("duality_gap") <= 1e-6);
      CHECK(projected_newton_followed(context));
      CHECK(!newton_followed(context));
    }
}

TEST_CASE("more sparse rows than columns have the optimum of dense ones, also where C is large") {
  // Counts have much in common in all rows.
  for (const double cost : {1.0, 1e7})
    for (const std::size_t classes : {2U, 4U}) {
      CAPTURE(cost);
      CAPTURE(classes);
      const bool counts = cost == 1;
      Both both = texts(counts ? 1500 : 800, 600, classes);
      for (float& value : both.dense.values.values)
        if (counts && value > 0) value = std::ceil(20 * value);
      both.sparse = sparse_of(both.dense.values.view());
      TestContext context, another(3), dense;
      const Parameters parameters = {
          {"C", cost}, {"bias", counts ? 30.0 : 1.0}, {"tolerance", 1e-6}};
      const auto trained = train_sparse(both, context, parameters);
      CHECK(trained.report.texts.at("certificate") == "converged");
      CHECK(projected_newton_followed(context));
      CHECK(saved_bits(*train_sparse(both, another, parameters).solver) ==
            saved_bits(*trained.solver));
      const auto expected = train("solver/linear_svm", both.dense, dense, parameters);
      CHECK(trained.report.numbers.at("objective") ==
            doctest::Approx(expected.report.numbers.at("objective")).epsilon(2e-6));
    }
}

TEST_CASE(
    "sparse rows that are tiny beside the constant are left to Newton's method in the primal") {
  for (const std::uint64_t seed : {2U, 6U})
    for (const double cost : {5e4, 5e5}) {
      Random random(seed);
      CAPTURE(seed);
      CAPTURE(cost);
      Both both{{FloatMatrix(700, 900), std::vector<std::int32_t>(700), {}}, {}};
      std::vector<double> weights(900);
      for (double& weight : weights) weight = random.normal();
      for (std::size_t i = 0; i < 700; ++i) {
        double score = 0.3 * random.normal();
        for (std::size_t j = 0; j < 900; ++j) {
          if (random.uniform() >= 0.02) continue;
          const double value = std::abs(random.normal());
          both.dense.values.view().row(i)[j] = static_cast<float>(1e-3 * value);
          score += value * weights[j];
        }
        both.dense.labels[i] = (score > 0) != (i < 5) ? 1 : 0;
      }
      both.dense.classes = {"a", "b"};
      both.sparse = sparse_of(both.dense.values.view());
      TestContext context;
      const auto trained = train_sparse(both, context, {{"C", cost}, {"bias", 1.0}});
      CHECK(trained.report.texts.at("certificate") == "converged");
    }
}

TEST_CASE("a problem's sums do not depend on the problems beside it") {
  const Both both = texts(40, 300, 2);
  for (std::size_t problems = 1; problems <= 33; ++problems) {
    CAPTURE(problems);
    linear::LaneWeights together(300, 0.5, problems);
    std::vector<linear::LaneWeights> alone(problems, linear::LaneWeights(300, 0.5, 1));
    Random random(7);
    for (std::size_t i = 0; i < 40; ++i) {
      const linear::SparseRow row = linear::entries_of(both.sparse.view(), i);
      std::vector<double> f(together.lanes());
      together.scores(row, f.data());
      for (std::size_t l = 0; l < problems; ++l) {
        double own = 0, factor = random.normal();
        alone[l].scores(row, &own);
        REQUIRE(f[l] == own);
        f[l] = factor;
        alone[l].add(row, &factor);
      }
      together.add(row, f.data());
    }
  }
}

TEST_CASE("the product of a row with one vector is that of several") {
  const Both both = texts(40, 300, 2);
  linear::LaneWeights w(300, 2, 1);
  Random random(7);
  for (std::size_t j = 0; j <= 300; ++j) w.of(j)[0] = random.normal();
  for (std::size_t i = 0; i < 40; ++i) {
    const linear::SparseRow row = linear::entries_of(both.sparse.view(), i);
    double expected = 0;
    w.scores(row, &expected);
    CHECK(w.score(row) == doctest::Approx(expected).epsilon(1e-13));
  }
}

TEST_CASE("each cost of a path has its own optimum") {
  const std::vector<double> costs = {0.01, 0.1, 1, 1000};
  for (const std::size_t classes : {2U, 4U})
    for (const std::size_t columns : {150U, 1500U}) {
      CAPTURE(classes);
      CAPTURE(columns);
      const Both both = texts(600, columns, classes);
      TestContext context;
      const auto path = train_sparse(
          both, context,
          {{"C", 1000.0}, {"path", std::vector<double>{0.01, 0.1, 1}}, {"tolerance", 1e-7}});
      const auto& objectives = path.report.curves.at("objective_by_cost").y;
      const auto& errors = path.report.curves.at("training_error_by_cost").y;
      REQUIRE(objectives.size() == 4);
      CHECK(errors.front() >= errors.back());
      for (std::size_t i = 0; i < 4; ++i) {
        TestContext alone;
        const auto one = train_sparse(both, alone, {{"C", costs[i]}, {"tolerance", 1e-7}});
        CHECK(objectives[i] == doctest::Approx(one.report.numbers.at("objective")).epsilon(1e-6));
      }
    }
}

namespace {

/// The samples with their columns far apart, of which there are 2^31 or nearly.
Both far_apart(Both both) {
  const std::size_t step = (std::size_t{1} << 31) / both.sparse.cols;
  for (std::uint32_t& column : both.sparse.columns)
    column = static_cast<std::uint32_t>((column + 1) * step - 1);
  both.sparse.cols *= step;
  return both;
}

}  // namespace

TEST_CASE("where the columns are changes no bit, and memory follows those that occur") {
  for (const std::size_t classes : {2U, 5U})
    for (const Parameters& parameters : std::vector<Parameters>{
             {},
             {{"C", std::string("automatic")}, {"folds", std::int64_t{3}}},
             {{"regularizer", std::string("l1")}},
             {{"multiclass", std::string("crammer_singer")}, {"tolerance", 1e-3}}}) {
      const Both near = texts(200, 60, classes), far = far_apart(near);
      TestContext one, other;
      other.budget = std::size_t{16} << 20;
      const auto expected = train_sparse(near, one, parameters);
      const auto found = train_sparse(far, other, parameters);
      CHECK(sparse_scores(*found.solver, far).values ==
            sparse_scores(*expected.solver, near).values);
      for (const char* name : {"objective", "lower_bound", "squared_norm"})
        CHECK(found.report.numbers.at(name) == expected.report.numbers.at(name));
      // New samples may have columns that no training sample has: their weights are 0.
      Both fresh = far;
      for (std::size_t k = 0; k < fresh.sparse.columns.size(); k += 7) --fresh.sparse.columns[k];
      Both without = near;
      for (std::size_t k = 0; k < without.sparse.values.size(); k += 7)
        without.sparse.values[k] = 0;
      const FloatMatrix scored = sparse_scores(*found.solver, fresh),
                        plain = sparse_scores(*expected.solver, without);
      for (std::size_t k = 0; k < plain.values.size(); ++k)
        REQUIRE(scored.values[k] == doctest::Approx(plain.values[k]).epsilon(1e-5).scale(1));
      MemoryState state;
      found.solver->save(state);
      const auto loaded = make_component<Solver>("solver/linear_svm");
      loaded->bind(Layout::sparse(far.sparse.cols));
      loaded->load(state, other);
      CHECK(sparse_scores(*loaded, fresh).values == scored.values);
    }
}

TEST_CASE("a model of before, with the weights of the first columns, is read") {
  MemoryState state;
  state.integer("inputs", 1000);
  state.integer("classes", 2);
  state.doubles("weights", std::vector<double>{0.5, -2, 4});
  state.doubles("offsets", std::vector<double>{1});
  TestContext context;
  const auto loaded = make_component<Solver>("solver/linear_svm");
  loaded->bind(Layout::sparse(1000));
  loaded->load(state, context);
  FloatMatrix row = FloatMatrix::sparse(1000, std::vector<std::size_t>{3}), scores(1, 2);
  row.columns = {0, 2, 900};
  row.values = {2, 0.25F, 7};
  loaded->apply(row.view(), scores.view(), context);
  CHECK(scores.values == std::vector<float>{-3, 3});
}

TEST_CASE("columns that do not fit into memory are refused with the arithmetic") {
  const Both far = far_apart(texts(200, 60, 3));
  TestContext context;
  context.budget = 2000;
  CHECK_THROWS_WITH_AS(train_sparse(far, context, {}),
                       ("the columns of " + std::to_string(far.sparse.values.size()) +
                        " values in 200 sparse rows take 1 MiB, but 0 MiB are left; raise --memory "
                        "or train on fewer rows")
                           .c_str(),
                       MemoryError);
}

TEST_CASE("a model for sparse rows is saved, and scores each row alone") {
  const Both both = texts(300, 100, 6);
  TestContext context;
  const auto trained = train_sparse(both, context, {});
  MemoryState state;
  trained.solver->save(state);
  auto loaded = make_component<Solver>("solver/linear_svm", {});
  loaded->bind(Layout::sparse(100));
  loaded->load(state, context);
  const FloatMatrix expected = sparse_scores(*trained.solver, both);
  CHECK(sparse_scores(*loaded, both).values == expected.values);
  for (std::size_t i = 0; i < 300; ++i) {
    FloatMatrix alone(1, 6);
    loaded->apply(both.sparse.view().rows_range(i, 1), alone.view(), context);
    REQUIRE(std::equal(alone.values.begin(), alone.values.end(),
                       expected.values.begin() + static_cast<std::ptrdiff_t>(i * 6)));
  }
}

TEST_CASE("a stopped training on sparse rows says so") {
  const Both both = texts(300, 100, 3);
  TestContext context;
  context.stop = StopReason::deadline;
  const auto trained = train_sparse(both, context, {});
  CHECK(trained.report.texts.at("certificate") == "deadline");
  CHECK(trained.report.numbers.at("objective") == doctest::Approx(900));
  CHECK(trained.report.numbers.at("lower_bound") == 0);
}

TEST_CASE("problems that do not fit are refused") {
  const Both both = texts(300, 1500, 3);
  TestContext context;
  context.budget = 10000;
  CHECK_THROWS_WITH_AS(
      train_sparse(both, context, {}),
      doctest::Contains(
          "training 3 of 3 problems at once on 300 rows of 1501 values takes 1 MiB in "
          "addition to the rows, but 0 MiB are left; raise --memory, or train on "
          "fewer rows or columns"),
      Error);
}

TEST_CASE("sweeps over sparse rows are those over dense ones") {
  const Both both = texts(700, 90, 4);
  const MemoryRows dense(both.dense.values), sparse(both.sparse);
  Random random(3);
  linear::Vectors<double> vectors(5, 91), from_dense(5, 91), from_sparse(5, 91);
  for (std::size_t c = 0; c < 5; ++c)
    for (std::size_t j = 0; j < 90; ++j) vectors.row(c)[j] = random.normal();
  const auto body = [](std::span<const std::size_t> rows, double* z, double* tallies) {
    for (std::size_t k = 0; k < rows.size() * 5; ++k) tallies[0] += z[k];
  };
  const auto takes = [](std::size_t row) { return row % 3 != 1; };
  double one = 0, two = 0;
  TestContext context;
  REQUIRE(linear::run_sweep<double>(dense, {&vectors, 5, body, takes, &from_dense, {&one, 1}},
                                    context));
  REQUIRE(linear::run_sparse_sweep<double>(
      sparse, {}, {&vectors, 5, body, takes, &from_sparse, {&two, 1}}, context));
  CHECK(two == doctest::Approx(one).epsilon(1e-10));
  for (std::size_t c = 0; c < 5; ++c)
    for (std::size_t j = 0; j < 90; ++j)
      REQUIRE(from_sparse.row(c)[j] == doctest::Approx(from_dense.row(c)[j]).epsilon(1e-10));
}

TEST_CASE("columns without entries change neither scores nor work") {
  const Both narrow = texts(200, 60, 3);
  Both wide{narrow.dense, narrow.sparse};
  wide.sparse.cols = 50000;
  for (std::uint32_t& column : wide.sparse.columns) column = 700 * column + 3;
  TestContext context;
  const TrainedSolver few = train_sparse(narrow, context, {}),
                      many = train_sparse(wide, context, {});
  CHECK(sparse_scores(*many.solver, wide).values == sparse_scores(*few.solver, narrow).values);
  CHECK(many.report.numbers.at("sweeps") == few.report.numbers.at("sweeps"));
  Both other = wide;
  for (std::uint32_t& column : other.sparse.columns) column += 1;  // new to the machine
  const FloatMatrix scores = sparse_scores(*many.solver, other);
  for (std::size_t i = 3; i < scores.values.size(); ++i)
    CHECK(scores.values[i] == scores.values[i - 3]);
}

}  // namespace sparse_rows_test
