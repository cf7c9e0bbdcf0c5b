// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>

#include "ml3_component_testing.hpp"
#include "unusable_data_testing.hpp"

namespace occ_test {

using namespace semblance;
using namespace semblance::ml3;
using namespace semblance::ml3::testing;

namespace {

Parameters with(const char* bases, const char* coding, std::int64_t models = 4) {
  return {{"models", models},
          {"bases", std::string(bases)},
          {"coding", std::string(coding)},
          {"lambda", 1e-3}};
}

/// gamma_v(x) from the planes, in double.
std::vector<double> direct_codes(const FloatMatrix& planes, std::size_t first, std::size_t count,
                                 std::span<const float> x, const std::string& coding) {
  std::vector<double> codes(count);
  double sum = 0;
  for (std::size_t j = 0; j < count; ++j) {
    const auto v = planes.view().row_span(first + j);
    const double product = std::inner_product(v.begin(), v.end(), x.begin(), 0.0);
    codes[j] = coding == "squared"    ? product * product
               : coding == "absolute" ? std::abs(product)
                                      : product;
    sum += codes[j];
  }
  if (coding == "signed") return codes;
  for (double& c : codes) c /= sum;
  return codes;
}

}  // namespace

TEST_CASE("scores and shares are those of the definition") {
  const Data data = clouds(400, 7, 3);
  for (const bool per_class : {false, true})
    for (const char* coding : {"signed", "absolute", "squared"}) {
      TestContext context;
      const auto trained =
          train("solver/occ", data, context, with(per_class ? "per_class" : "general", coding));
      MemoryState state;
      trained.solver->save(state);
      const FloatMatrix planes = state.floats("planes"), w = state.floats("models");
      const Data centred = about_centre(data, state);
      REQUIRE(planes.rows == (per_class ? 12 : 4));
      REQUIRE(w.rows == 12);
      REQUIRE(w.cols == 8);
      const FloatMatrix f = scores(*trained.solver, data);
      FloatMatrix shares(400, 4);
      REQUIRE(trained.solver->local_models() == 4);
      trained.solver->assign(data.values.view(), data.labels, shares.view(), context);
      for (std::size_t i = 0; i < 400; ++i) {
        const auto x = centred.values.view().row_span(i);
        for (std::size_t y = 0; y < 3; ++y) {
          const auto codes = direct_codes(planes, per_class ? 4 * y : 0, 4, x, coding);
          double score = 0, sizes = 0, most = 0;
          for (const double c : codes) sizes += std::abs(c);
          for (std::size_t j = 0; j < 4; ++j) {
            const float* row = w.view().row(4 * y + j);
            const double part =
                codes[j] * std::inner_product(x.begin(), x.end(), row, double{row[7]});
            score += part;
            most = std::max(most, std::abs(part));
            if (static_cast<std::size_t>(data.labels[i]) == y)
              REQUIRE(double{shares.values[4 * i + j]} ==
                      doctest::Approx(std::abs(codes[j]) / sizes).epsilon(1e-4));
          }
          REQUIRE(std::abs(double{f.values[3 * i + y]} - score) < 1e-4 * (1 + most));
        }
      }
    }
}

TEST_CASE("a saved model gives the same bits, threads and rows around do not matter") {
  const Data data = clouds(600, 12, 4);
  for (const char* bases : {"general", "per_class"}) {
    TestContext one(1), three(3);
    const auto trained = train("solver/occ", data, one, with(bases, "squared"));
    const FloatMatrix wanted = scores(*trained.solver, data);
    CHECK(scores(*train("solver/occ", data, three, with(bases, "squared")).solver, data).values ==
          wanted.values);
    check_saved_and_alone("solver/occ", *trained.solver, data);
  }
}

TEST_CASE("it separates what a linear model cannot, if the directions show it") {
  // Two classes along different axes: |x_1| > |x_2| or not.
  Random random(3);
  Data data{FloatMatrix(1000, 2), std::vector<std::int32_t>(1000), {"flat", "steep"}};
  for (std::size_t i = 0; i < 1000; ++i) {
    const double x = 1.5 * random.uniform(-1, 1), y = random.uniform(-1, 1);
    data.values.values[2 * i] = static_cast<float>(x);
    data.values.values[2 * i + 1] = static_cast<float>(y);
    data.labels[i] = std::abs(y) > std::abs(x) ? 1 : 0;
  }
  TestContext context;
  CHECK(error_rate(*train("solver/occ", data, context, with("general", "absolute", 2)).solver,
                   data) < 0.05);
  CHECK(error_rate(*train("solver/occ", data, context, with("general", "absolute", 1)).solver,
                   data) > 0.2);
}

TEST_CASE("signed coordinates in full bases are the same functions, whichever basis it is") {
  const Data data = clouds(300, 4, 3);
  TestContext context;
  Parameters general = with("general", "signed"), own = with("per_class", "signed");
  for (Parameters* p : {&general, &own}) {
    (*p)[3].second = 1e-1;
    p->push_back({"epochs", std::int64_t{300}});
  }
  const auto a = train("solver/occ", data, context, general),
             b = train("solver/occ", data, context, own);
  CHECK(a.report.numbers.at("objective") ==
        doctest::Approx(b.report.numbers.at("objective")).epsilon(5e-3));
}

TEST_CASE("rows of fewer columns than models have a model for each column") {
  const Data data = clouds(300, 5, 3);
  TestContext context;
  const auto many = train("solver/occ", data, context, with("general", "absolute", 80)),
             all = train("solver/occ", data, context, with("general", "absolute", 5));
  CHECK(many.solver->local_models() == 5);
  CHECK(context.lines == std::vector<std::string>{"rows of 5 columns have no 80 orthogonal "
                                                  "directions; each class has 5 models, one per "
                                                  "column"});
  MemoryState a, b;
  many.solver->save(a);
  all.solver->save(b);
  CHECK(a.floats("models").values == b.floats("models").values);
  const auto loaded = make_component<Solver>("solver/occ");
  loaded->bind(Layout::vector(5));
  loaded->load(a, context);
  CHECK(loaded->local_models() == 5);
}

TEST_CASE("models beyond the rank of the rows, or of a class's own, have no weight") {
  TestContext context;
  const Data data = clouds(20, 9, 5);
  const auto trained = train("solver/occ", data, context, with("per_class", "absolute", 6));
  CHECK(context.lines ==
        std::vector<std::string>{"the rows of class 0 (counted from 0) have 4 orthogonal "
                                 "directions; the other models have no weight"});
  FloatMatrix shares(20, 6);
  trained.solver->assign(data.values.view(), data.labels, shares.view(), context);
  for (std::size_t i = 0; i < 20; ++i) {
    CHECK(shares.view().row(i)[3] > 0);
    CHECK(shares.view().row(i)[4] == 0);
  }
  check_saved_and_alone("solver/occ", *trained.solver, data);
}

TEST_CASE("rows without directions, damaged models and unusable rows are named") {
  Data constant = clouds(20, 9, 2);
  std::ranges::fill(constant.values.values, 3.5F);
  CHECK(training_error("solver/occ", constant) ==
        "20 rows have no anchor planes, because all of their columns are constant");
  check_unusable_training_data("solver/occ");
  CHECK(training_error("solver/occ", clouds(4, 32767, 2)) ==
        "the anchor planes of rows of 32767 values are more than LAPACK's integers can count; "
        "reduce the rows to at most 32766 values first");
  CHECK(training_error("solver/occ", clouds(50, 2000, 2), {}, std::size_t{32} << 20)
            .find("finding the anchor planes of rows of 2000 values needs") == 0);

  TestContext context;
  MemoryState state;
  train("solver/occ", clouds(300, 6, 3), context, with("per_class", "absolute"))
      .solver->save(state);
  MemoryState damaged;
  damaged.integer("inputs", 6);
  damaged.integer("classes", 3);
  damaged.number("bias", 1);
  damaged.text("bases", "per_class");
  damaged.text("coding", "absolute");
  damaged.floats("models", state.floats("models").view());
  damaged.floats("planes", FloatMatrix(5, 6).view());
  const auto loaded = make_component<Solver>("solver/occ");
  loaded->bind(Layout::vector(6));
  CHECK_THROWS_AS(loaded->load(damaged, context), Error);
}

}  // namespace occ_test
