// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>

#include "coding/coordinate_coding.hpp"
#include "ml3_component_testing.hpp"
#include "unusable_data_testing.hpp"

namespace lcc_test {

using namespace semblance;
using namespace semblance::ml3;
using namespace semblance::ml3::testing;

namespace {

Parameters with(const char* coding, std::int64_t tangents, std::int64_t anchors = 16) {
  return {{"anchors", anchors},
          {"coding", std::string(coding)},
          {"tangents", tangents},
          {"neighbours", std::int64_t{4}},
          {"lambda", 1e-3}};
}

}  // namespace

TEST_CASE("XOR is solved on local coordinates, with fewer anchors where there are tangents") {
  const Data data = xor_data(1000, 4), test = xor_data(1000, 5);
  for (const char* coding : {"lasso", "neighbours"}) {
    TestContext context;
    CHECK(error_rate(*train("solver/lcc", data, context, with(coding, 0, 40)).solver, test) < 0.06);
    CHECK(error_rate(*train("solver/lcc", data, context, with(coding, 2, 40)).solver, test) < 0.06);
  }
}

TEST_CASE("scores are the linear model on the features") {
  TestContext context;
  const Data data = clouds(300, 5, 3);
  const auto trained = train("solver/lcc", data, context, with("lasso", 2));
  MemoryState state;
  trained.solver->save(state);
  const FloatMatrix w = state.floats("weights"), anchors = state.floats("anchors");
  const FloatMatrix tangents = state.floats("tangents"), f = scores(*trained.solver, data);
  REQUIRE(w.rows == 16 * 3 + 1);
  REQUIRE(trained.solver->local_models() == 16);
  FloatMatrix shares(300, 16);
  trained.solver->assign(data.values.view(), data.labels, shares.view(), context);
  const CoordinateCoding coding(anchors, {0, 0.1});
  std::vector<Entry> codes;
  std::vector<std::size_t> ends;
  const Data centred = about_centre(data, state);
  coding.encode(centred.values.view(), codes, ends);
  for (std::size_t i = 0, e = 0; i < 300; ++i) {
    const auto x = centred.values.view().row_span(i);
    std::vector<double> score(3);
    for (std::size_t y = 0; y < 3; ++y) score[y] = double{w.view().row(48)[y]};
    double sizes = 0;
    for (std::size_t k = e; k < ends[i]; ++k) sizes += std::abs(double{codes[k].value});
    for (; e < ends[i]; ++e) {
      const auto [v, gamma] = codes[e];
      REQUIRE(double{shares.values[16 * i + v]} ==
              doctest::Approx(std::abs(double{gamma}) / sizes).epsilon(1e-4));
      for (std::size_t y = 0; y < 3; ++y) {
        double model = double{w.view().row(3 * v)[y]};
        for (std::size_t t = 0; t < 2; ++t)
          for (std::size_t k = 0; k < 5; ++k)
            model += double{w.view().row(3 * v + 1 + t)[y]} *
                     double{tangents.view().row(2 * v + t)[k]} *
                     (double{x[k]} - double{anchors.view().row(v)[k]});
        score[y] += double{gamma} * model;
      }
    }
    for (std::size_t y = 0; y < 3; ++y)
      REQUIRE(double{f.values[3 * i + y]} == doctest::Approx(score[y]).epsilon(1e-3));
  }
}

TEST_CASE("a saved model gives the same bits, threads and rows around do not matter") {
  const Data data = clouds(600, 7, 4);
  for (const std::int64_t tangents : {0, 3})
    for (const char* coding : {"lasso", "neighbours"}) {
      TestContext one(1), three(3);
      const auto trained = train("solver/lcc", data, one, with(coding, tangents));
      const FloatMatrix wanted = scores(*trained.solver, data);
      CHECK(scores(*train("solver/lcc", data, three, with(coding, tangents)).solver, data).values ==
            wanted.values);
      check_saved_and_alone("solver/lcc", *trained.solver, data);
    }
}

TEST_CASE("a stop request leaves a model, what cannot be learned is named") {
  TestContext context;
  context.stop = StopReason::deadline;
  const Data data = clouds(300, 5, 3);
  const auto trained = train("solver/lcc", data, context, with("lasso", 0));
  CHECK(trained.report.texts.at("certificate") == "deadline");
  CHECK(scores(*trained.solver, data).values == std::vector<float>(900, 0));

  CHECK(training_error("solver/lcc", data, {{"tangents", std::int64_t{6}}}) ==
        "6 tangents need even more tangent_rows (100) and at least as many columns (5)");
  CHECK(training_error("solver/lcc", clouds(60, 5, 3), {{"tangents", std::int64_t{2}}}) ==
        "tangent_rows is 100, but there are 60 training rows; lower it");
  CHECK(training_error("solver/lcc", clouds(5000, 5, 3), {{"anchors", std::int64_t{5000}}},
                       std::size_t{32} << 20)
            .find("training needs at least 95 MiB for 5000 anchors, but may use only 32 MiB") == 0);
  check_unusable_training_data("solver/lcc");
}

TEST_CASE("of fewer rows than anchors each is an anchor, and a warning says so") {
  TestContext context;
  const Data data = clouds(300, 5, 3);
  const auto trained = train("solver/lcc", data, context);
  CHECK(context.lines ==
        std::vector<std::string>{"300 training rows have no 512 k-means centres; each row is an "
                                 "anchor"});
  CHECK(trained.solver->local_models() == 300);
  CHECK(error_rate(*trained.solver, data) < 0.1);
  check_saved_and_alone("solver/lcc", *trained.solver, data);
}

TEST_CASE("an untrained or damaged model is refused") {
  TestContext context;
  const auto solver = make_component<Solver>("solver/lcc");
  solver->bind(Layout::vector(4));
  FloatMatrix in(1, 4), out(1, 2);
  CHECK_THROWS_AS(solver->apply(in.view(), out.view(), context), Error);
  MemoryState state;
  state.integer("inputs", 4);
  state.text("coding", "lasso");
  state.number("locality", 0.1);
  state.integer("neighbours", 3);
  state.number("scale", 1);
  state.number("bias", 1);
  state.floats("anchors", FloatMatrix(5, 4).view());
  state.floats("tangents", FloatMatrix(0, 4).view());
  state.floats("weights", FloatMatrix(5, 2).view());
  CHECK_THROWS_AS(solver->load(state, context), Error);
}

}  // namespace lcc_test
