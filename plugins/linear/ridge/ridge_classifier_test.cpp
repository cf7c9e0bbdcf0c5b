// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "linear_testing.hpp"
#include "row_weights_testing.hpp"
#include "semblance/predicted_class.hpp"
#include "tuning/cost_choice_testing.hpp"
#include "unusable_data_testing.hpp"

namespace semblance::linear::ridge_classifier_test {
namespace {

using namespace testing;

constexpr const char* classifier = "solver/ridge_classifier";

Parameters penalties(std::vector<double> values) { return {{"penalties", std::move(values)}}; }

/// Small exact numbers, as in the script below.
Data listed(std::size_t rows, std::size_t cols, std::int32_t classes) {
  Data data{FloatMatrix(rows, cols), {}, {}};
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < cols; ++j)
      data.values.values[i * cols + j] = static_cast<float>((i * 7 + j * 13 + i * j) % 17) / 4;
    const auto label = static_cast<std::int32_t>(i % 5 == 0 ? i % 3 : i * 7 % 17 / 6);
    data.labels.push_back(std::min(label, classes - 1));
  }
  for (std::int32_t c = 0; c < classes; ++c) data.classes.push_back("class " + std::to_string(c));
  return data;
}

struct Learned {
  std::vector<double> weights, intercepts;
};

Learned learned(const Solver& solver) {
  MemoryState state;
  solver.save(state);
  return {state.doubles("weights"), state.doubles("offsets")};
}

void check_values(const std::vector<double>& found, const std::vector<double>& expected) {
  REQUIRE(found.size() >= expected.size());
  for (std::size_t j = 0; j < expected.size(); ++j)
    CHECK(found[j] == doctest::Approx(expected[j]).epsilon(1e-9));
}

/// What scikit-learn's RidgeClassifierCV gives.
struct Theirs {
  std::size_t rows, cols;
  std::int32_t classes;
  bool weighted;
  double alpha;
  std::vector<double> rmse;       // for each alpha: of store_cv_values, by weight
  std::vector<double> intercept;  // intercept_
  std::vector<double> coef;       // the first of coef_
  std::vector<double> decision;   // decision_function(X[:2])
};

// scikit-learn 1.2.1: RidgeClassifierCV(alphas=[.1, 1, 10, 100, 1000], store_cv_values=True), with
// sample_weight = 1 + i % 3 where weighted.
const std::vector<Theirs> scikit_learn = {
    {30,
     4,
     3,
     false,
     10,
     {0.733535071189, 0.730871987257, 0.728790439223, 0.838539994688, 0.944215677074},
     {0.367811442813, -1.07947432519, -0.288337117625},
     {-0.270423969499, 0.0801224240383, -0.0173160765945, -0.2474285338, -0.140373581332},
     {0.27996248135, -0.0123737788148, -1.26758870254, -0.95749410067, 0.455493560468,
      -0.497999459798}},
    {30,
     4,
     3,
     true,
     10,
     {0.777578537475, 0.775599761308, 0.765893877899, 0.812304488881, 0.92924905708},
     {0.126280200618, -1.114221808, -0.0120583926217},
     {-0.260499167448, 0.0967301804425, 0.0225646607402, -0.227028959256, -0.193777463283},
     {0.207637574652, 0.0607050720475, -1.2683426467, -1.078580594, 0.484447768491,
      -0.405867174494}},
    {30,
     4,
     2,
     false,
     10,
     {0.68301534983, 0.68009133698, 0.668688623933, 0.743583152514, 0.852705913425},
     {-0.367811442813},
     {0.270423969499, -0.0801224240383, 0.0173160765945, 0.2474285338},
     {-0.27996248135, 0.95749410067}},
    {12,
     20,
     3,
     false,
     100,
     {1.11397957291, 1.10975260989, 1.06732356006, 0.995505822219, 1.01077313336},
     {-0.419228818008, -0.446364116015, -0.134407065977},
     {-0.0355127261113, 0.0139718682309, 0.0069324464312, -0.0507898578395, -0.0578292796392},
     {-0.0334457812197, -0.294974664809, -0.671579553971, -0.709026089393, -0.101091312941,
      -0.189882597666}},
    {12,
     20,
     2,
     true,
     10,
     {0.834680538549, 0.830350581192, 0.811469764329, 0.825891506553, 0.87963020342},
     {0.0672810889107},
     {0.0680774402455, -0.0985382088468, -0.0166074122971, 0.112485792782, 0.194416589331},
     {-0.71063118348, 1.05026659129}}};

TEST_CASE("ridge classifier: choice, errors, weights and scores of RidgeClassifierCV") {
  for (const Theirs& theirs : scikit_learn) {
    CAPTURE(theirs.rows);
    CAPTURE(theirs.classes);
    CAPTURE(theirs.weighted);
    Data data = listed(theirs.rows, theirs.cols, theirs.classes);
    for (std::size_t i = 0; theirs.weighted && i < theirs.rows; ++i)
      data.weights.push_back(static_cast<double>(1 + i % 3));
    TestContext context;
    const auto trained = train(classifier, data, context, penalties({0.1, 1, 10, 100, 1000}));
    CHECK(trained.report.texts.at("certificate") == "converged");
    CHECK(trained.report.numbers.at("penalty") == theirs.alpha);
    check_values(trained.report.curves.at("error_by_penalty").y, theirs.rmse);
    const Learned found = learned(*trained.solver);
    check_values(found.intercepts, theirs.intercept);
    check_values(found.weights, theirs.coef);
    const FloatMatrix out = scores(*trained.solver, data);
    const std::size_t k = theirs.decision.size() / 2;
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t c = 0; c < k; ++c) {
        const double expected = theirs.decision[i * k + c];
        CHECK(out.view().row(i)[k == 1 ? 1 : c] == doctest::Approx(expected).epsilon(1e-6));
        if (k == 1) CHECK(out.view().row(i)[0] == -out.view().row(i)[1]);
      }
    CHECK(context.lines.empty());
    const auto alone = train(classifier, data, context, {{"penalty", theirs.alpha}});
    CHECK(saved_bits(*alone.solver) == saved_bits(*trained.solver));
  }
}

Data without(const Data& data, std::size_t left_out) {
  Data others{FloatMatrix(data.labels.size() - 1, data.values.cols), {}, data.classes};
  for (std::size_t i = 0, to = 0; i < data.labels.size(); ++i) {
    if (i == left_out) continue;
    copy_rows(data.values.view().rows_range(i, 1), others.values.view().rows_range(to++, 1));
    others.labels.push_back(data.labels[i]);
    if (!data.weights.empty()) others.weights.push_back(data.weights[i]);
  }
  return others;
}

struct PlainErrors {
  double rmse, rate;
};

/// Of machines trained on all samples but one; errors count by these weights, or the samples'.
PlainErrors plain_errors(const Data& data, const Parameters& parameters,
                         const std::vector<double>& counted = {}) {
  TestContext context;
  const std::size_t k = data.classes.size();
  double squares = 0, wrong = 0, total = 0;
  for (std::size_t i = 0; i < data.labels.size(); ++i) {
    const std::vector<double>& weights = counted.empty() ? data.weights : counted;
    const double weight = weights.empty() ? 1 : weights[i];
    if (weight == 0) continue;
    const auto trained = train(classifier, without(data, i), context, parameters);
    const FloatMatrix out = scores(*trained.solver, data);
    const auto own = out.view().row_span(i);
    for (std::size_t c = k == 2 ? 1 : 0; c < k; ++c) {
      const double y = data.labels[i] == static_cast<std::int32_t>(c) ? 1 : -1;
      squares += weight * (y - own[c]) * (y - own[c]) / static_cast<double>(k == 2 ? 1 : k);
    }
    if (predicted_class(own) != data.labels[i]) wrong += weight;
    total += weight;
  }
  return {std::sqrt(squares / total), wrong / total};
}

TEST_CASE("ridge classifier: many candidates of many rows have the errors that few have") {
  // Six candidates of 1,000 rows share a block tridiagonal form, three are factored one by one.
  const Data data = listed(1000, 1030, 3);
  const auto errors = [&](const std::vector<double>& candidates) {
    TestContext context;
    const auto trained = train(classifier, data, context, penalties(candidates));
    CHECK(trained.report.texts.at("products_of") == "rows");
    return trained.report.curves.at("error_by_penalty").y;
  };
  std::vector<double> few = errors({1, 10, 100});
  const std::vector<double> others = errors({1000, 10000, 100000});
  few.insert(few.end(), others.begin(), others.end());
  check_values(errors({1, 10, 100, 1000, 10000, 100000}), few);
}

TEST_CASE("ridge classifier: leave-one-out errors are those of machines without the sample") {
  for (const auto& [rows, cols] :
       std::vector<std::pair<std::size_t, std::size_t>>{{24, 3}, {24, 23}, {24, 60}, {24, 1100}})
    for (const std::size_t classes : {2, 3})
      for (const bool weighted : {false, true})
        for (const double penalty : {1e-2, 3.0}) {
          CAPTURE(cols);
          CAPTURE(classes);
          CAPTURE(weighted);
          Data data = clouds(rows, cols, classes);
          if (weighted) data.weights = integer_weights(rows);
          const Parameters fixed = {{"penalty", penalty}};
          TestContext context;
          const auto trained = train(classifier, data, context, fixed);
          const PlainErrors plain = plain_errors(data, fixed);
          const auto& numbers = trained.report.numbers;
          CHECK(numbers.at("leave_one_out_rmse") == doctest::Approx(plain.rmse).epsilon(1e-6));
          CHECK(numbers.at("leave_one_out_error_rate") ==
                doctest::Approx(plain.rate).epsilon(1e-12));
          const auto chosen = train(classifier, data, context, penalties({penalty, 1e9}));
          CHECK(chosen.report.curves.at("error_by_penalty").y[0] ==
                doctest::Approx(plain.rmse).epsilon(1e-6));
        }
}

TEST_CASE("ridge classifier: without a sample, balanced classes are those of the others") {
  for (const std::size_t cols : {3U, 60U, 1100U})
    for (const std::size_t classes : {2U, 3U})
      for (const bool weighted : {false, true}) {
        CAPTURE(cols);
        CAPTURE(classes);
        CAPTURE(weighted);
        Data data = clouds(24, cols, classes);
        for (std::size_t i = 0; i < 8; ++i) data.labels[i] = 0;
        if (weighted) data.weights = integer_weights(24);
        const std::vector<double> counted = balanced_weights(data);
        TestContext context;
        const std::vector<double> candidates = {0.01, 3, 100};
        const auto trained =
            train(classifier, data, context, and_also(penalties(candidates), {{"balanced", true}}));
        CHECK(trained.report.texts.contains("weighted_errors"));
        for (std::size_t p = 0; p < candidates.size(); ++p) {
          const Parameters fixed = {{"penalty", candidates[p]}, {"balanced", true}};
          const PlainErrors plain = plain_errors(data, fixed, counted);
          CHECK(trained.report.curves.at("error_by_penalty").y[p] ==
                doctest::Approx(plain.rmse).epsilon(1e-5));
          const auto alone = train(classifier, data, context, fixed);
          CHECK(alone.report.numbers.at("leave_one_out_error_rate") ==
                doctest::Approx(plain.rate).epsilon(1e-12));
        }
      }
}

TEST_CASE("ridge classifier: chooses by errors if asked to, the larger penalty among equals") {
  const std::vector<double> candidates = {30, 3e4, 1e-3, 0.3, 1, 3, 1e3};
  bool differs = false;
  for (const std::uint64_t seed : {1, 2, 3, 4}) {
    CAPTURE(seed);
    const Data data = clouds(40, 4, 3, seed);
    double best = 0, least = 2;
    for (const double penalty : candidates) {
      const double rate = plain_errors(data, {{"penalty", penalty}}).rate;
      if (rate > least || (rate == least && penalty < best)) continue;
      least = rate;
      best = penalty;
    }
    TestContext context;
    const Parameters by_squares = penalties(candidates);
    const Parameters by_errors = and_also(by_squares, {{"choose_by", std::string("errors")}});
    const auto trained = train(classifier, data, context, by_errors);
    CHECK(trained.report.numbers.at("penalty") == best);
    CHECK(trained.report.numbers.at("leave_one_out_error_rate") ==
          doctest::Approx(least).epsilon(1e-12));
    differs = differs ||
              train(classifier, data, context, by_squares).report.numbers.at("penalty") != best;
  }
  CHECK(differs);
}

TEST_CASE("ridge classifier: the automatic choice does not depend on the columns' unit") {
  const Data data = clouds(80, 30, 3);
  Data larger = data, weighted = data;
  for (float& x : larger.values.values) x *= 1024;
  weighted.weights = integer_weights(80);
  TestContext context;
  const auto trained = train(classifier, data, context);
  const auto of_larger = train(classifier, larger, context);
  CHECK(trained.report.curves.at("error_by_penalty").x.size() == 17);
  const double penalty = trained.report.numbers.at("penalty");
  CHECK(of_larger.report.numbers.at("penalty") == doctest::Approx(penalty * 1024 * 1024));
  const FloatMatrix first = scores(*trained.solver, data);
  const FloatMatrix second = scores(*of_larger.solver, larger);
  for (std::size_t i = 0; i < first.values.size(); ++i)
    CHECK(second.values[i] == doctest::Approx(first.values[i]).epsilon(1e-5));
  CHECK(context.lines.empty());
  const auto candidates = [&](const Data& given) {
    return train(classifier, given, context).report.curves.at("error_by_penalty").x;
  };
  check_values(candidates(weighted), candidates(repeated_by_weight(weighted)));
}

TEST_CASE("ridge classifier: a weight is a number of copies, and a class's weight a factor") {
  Data data = clouds(90, 6, 3);
  data.weights = integer_weights(90);
  TestContext context;
  const auto learned_from = [&](const Data& given, const Parameters& more = {}) {
    return learned(*train(classifier, given, context, and_also({{"penalty", 2.0}}, more)).solver);
  };
  const Learned weighted = learned_from(data), copies = learned_from(repeated_by_weight(data));
  check_values(weighted.weights, copies.weights);
  check_values(weighted.intercepts, copies.intercepts);
  const Learned classes =
      learned_from(data, {{"class_weights", NamedValues{{"class 1", std::int64_t{3}}}}});
  const Learned balanced = learned_from(data, {{"balanced", true}});
  std::vector<double> sums(3);
  for (std::size_t i = 0; i < 90; ++i)
    sums[static_cast<std::size_t>(data.labels[i])] += data.weights[i];
  Data more = data, even = data;
  for (std::size_t i = 0; i < 90; ++i) {
    if (data.labels[i] == 1) more.weights[i] *= 3;
    even.weights[i] *=
        (sums[0] + sums[1] + sums[2]) / (3 * sums[static_cast<std::size_t>(data.labels[i])]);
  }
  check_values(classes.weights, learned_from(more).weights);
  check_values(balanced.weights, learned_from(even).weights);
}

TEST_CASE("ridge classifier: the same bits for any number of threads, and from a saved state") {
  for (const Data& data : {clouds(3000, 40, 4), clouds(600, 2000, 3)}) {
    TestContext one(1), many(5);
    const auto first = train(classifier, data, one), second = train(classifier, data, many);
    CHECK(saved_bits(*first.solver) == saved_bits(*second.solver));
    for (const char* figure : {"penalty", "objective", "leave_one_out_error_rate"})
      CHECK(first.report.numbers.at(figure) == second.report.numbers.at(figure));
    MemoryState state;
    first.solver->save(state);
    const auto loaded = make_component<Solver>(classifier);
    loaded->bind(Layout::vector(data.values.cols));
    loaded->load(state, one);
    CHECK(saved_bits(*loaded) == saved_bits(*first.solver));
    CHECK(scores(*loaded, data).values == scores(*first.solver, data).values);
  }
}

TEST_CASE("ridge classifier: one sample per class, and constant columns") {
  TestContext context;
  Data data = clouds(2, 5, 2);
  const auto two = train(classifier, data, context);
  const FloatMatrix own = scores(*two.solver, data);
  CHECK(predicted_class(own.view().row_span(0)) == 0);
  CHECK(predicted_class(own.view().row_span(1)) == 1);
  REQUIRE(context.lines.size() == 1);
  CHECK(context.lines[0] ==
        "2 of 2 classes have a single training sample, which is misclassified when left out: where "
        "there are many such classes, set 'penalty' to a number");
  CHECK(two.report.numbers.at("leave_one_out_error_rate") == 1);
  TestContext of_one;
  Data one_rare = clouds(5, 5, 2);
  one_rare.labels = {0, 0, 1, 0, 0};
  train(classifier, one_rare, of_one);
  REQUIRE_FALSE(of_one.lines.empty());
  CHECK(of_one.lines[0].starts_with("1 of 2 classes has a single training sample, which"));
  data = clouds(30, 3, 3);
  for (float& x : data.values.values) x = 0.1F;
  data.labels[0] = 1;
  const auto constant = train(classifier, data, context);
  for (const double weight : learned(*constant.solver).weights) CHECK(weight == 0);
  CHECK(predicted_class(scores(*constant.solver, data).view().row_span(7)) == 1);
  CHECK(constant.report.texts.at("certificate") == "converged");
}

TEST_CASE("ridge classifier: a stop leaves the best model so far") {
  class StopsLater final : public TestContext {
   public:
    void progress(double done, double) override {
      if (done > 0) stop = StopReason::deadline;
    }
  };
  for (const std::size_t cols : {5, 1100}) {
    const Data data = clouds(60, cols, 3);
    StopsLater context;
    const auto trained = train(classifier, data, context, penalties({3, 1000}));
    CHECK(trained.report.texts.at("certificate") == "deadline");
    CHECK(trained.report.numbers.at("violation") < 1e-9);
    TestContext plain;
    check_values(learned(*trained.solver).weights,
                 learned(*train(classifier, data, plain, {{"penalty", 3.0}}).solver).weights);
  }
}

TEST_CASE("ridge classifier: messages") {
  common::testing::check_unusable_training_data(classifier);
  CHECK_THROWS_WITH(
      make_component<Solver>(classifier, and_also(penalties({1, 2}), {{"penalty", 3.0}})),
      "'penalties' belongs to 'penalty: automatic'; omit one of the two");
  Data data = clouds(60, 4, 2);
  TestContext context;
  train(classifier, data, context, penalties({1e4, 1e5}));
  REQUIRE(context.lines.size() == 1);
  CHECK(context.lines[0] ==
        "the best penalty is the smallest tried, 10000; set 'penalties' with smaller ones");
  data.weights.assign(60, 1);
  for (std::size_t i = 0; i < 60; ++i) data.weights[i] = data.labels[i] == 0 ? 0 : 1;
  CHECK(training_error(classifier, data) == training_error("solver/linear_svm", data));
}

}  // namespace
}  // namespace semblance::linear::ridge_classifier_test
