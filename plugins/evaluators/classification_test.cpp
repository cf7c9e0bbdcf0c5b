// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "evaluator_testing.hpp"
#include "semblance/testing.hpp"

namespace classification_test {

using namespace semblance;
using semblance::evaluators::testing::abc;

namespace {

testing::MemoryReport evaluate(const std::vector<float>& scores,
                               const std::vector<std::int32_t>& labels,
                               const std::vector<std::string>& classes = abc,
                               const std::vector<std::int64_t>& top_k = {2}) {
  const auto evaluator =
      testing::make_component<Evaluator>("evaluator/classification", {{"top_k", top_k}});
  testing::MemoryReport report;
  testing::TestContext context;
  const std::size_t k = classes.size();
  evaluator->evaluate({{scores.data(), scores.size() / k, k, k}, labels, classes}, report, context);
  return report;
}

/// Evaluates rows whose scores are 1 for the predicted class and 0 for all others.
struct Judged {
  testing::MemoryReport report;
  std::vector<std::string> lines;
  double figure(const char* name) const { return report.numbers.at(name); }
};
Judged judge(const std::vector<std::int32_t>& truth, const std::vector<std::int32_t>& predicted,
             std::size_t classes) {
  std::vector<float> scores(truth.size() * classes);
  for (std::size_t i = 0; i < truth.size(); ++i)
    scores[i * classes + static_cast<std::size_t>(predicted[i])] = 1;
  const std::vector<std::string> names(classes, "class");
  Judged judged;
  testing::TestContext context;
  const auto evaluator = testing::make_component<Evaluator>("evaluator/classification");
  evaluator->evaluate({{scores.data(), truth.size(), classes, classes}, truth, names},
                      judged.report, context);
  judged.lines = context.lines;
  return judged;
}

testing::MemoryReport judge_probabilities(const std::vector<float>& scores,
                                          const std::vector<std::int32_t>& labels,
                                          std::size_t classes) {
  const std::vector<std::string> names(classes, "class");
  testing::MemoryReport report;
  testing::TestContext context;
  Results test{{scores.data(), labels.size(), classes, classes}, labels, names};
  test.lineage.solver = "solver/mine";
  test.probabilities = true;
  testing::make_component<Evaluator>("evaluator/classification")->evaluate(test, report, context);
  return report;
}

/// The multiclass Matthews correlation by its definition: the covariance of the rows' indicators,
/// over all pairs of rows.
double correlation(const std::vector<std::int32_t>& a, const std::vector<std::int32_t>& b) {
  const auto n = static_cast<double>(a.size());
  const auto covariance = [&](const auto& x, const auto& y) {
    double together = 0, apart = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      together += x[i] == y[i];
      for (std::size_t j = 0; j < y.size(); ++j) apart += x[i] == y[j];
    }
    return together / n - apart / n / n;
  };
  return covariance(a, b) / std::sqrt(covariance(a, a) * covariance(b, b));
}

/// Mean F1 of the classes that occur anywhere; weighted by their rows or not.
double mean_f1(const std::vector<std::int32_t>& truth, const std::vector<std::int32_t>& predicted,
               bool weighted) {
  double sum = 0, weights = 0;
  for (std::int32_t c = 0; c < 20; ++c) {
    double both = 0, own = 0, given = 0;
    for (std::size_t i = 0; i < truth.size(); ++i) {
      both += truth[i] == c && predicted[i] == c;
      own += truth[i] == c;
      given += predicted[i] == c;
    }
    if (own + given == 0) continue;
    const double weight = weighted ? own : 1;
    sum += weight * 2 * both / (own + given);
    weights += weight;
  }
  return sum / weights;
}

std::string message(const std::vector<float>& scores, const std::vector<std::int32_t>& labels) {
  try {
    evaluate(scores, labels);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("known scores give known figures") {
  //                          a: right   a: b wins   b: right   c: a wins, then c
  const auto report = evaluate({3, 2, 1, 1, 2, 0, 0, 1, 0, 2, 0, 1}, {0, 0, 1, 2});
  CHECK(report.integers.at("rows") == 4);
  CHECK(report.integers.at("errors") == 2);
  CHECK(report.numbers.at("error_rate") == 0.5);
  CHECK(report.numbers.at("accuracy") == 0.5);
  CHECK(report.numbers.at("mean_class_accuracy") == doctest::Approx(0.5));
  CHECK(report.numbers.at("top_2_accuracy") == 1.0);
  const Table& confusion = report.tables.at("confusion_matrix");
  CHECK(confusion.values == std::vector<double>{1, 1, 0, 0, 1, 0, 1, 0, 0});
  CHECK(confusion.row_label == "true class");
  const Table& classes = report.tables.at("classes");
  CHECK(classes.columns == std::vector<std::string>{"precision", "recall", "f1", "support"});
  const std::vector<double> expected = {0.5, 0.5, 0.5, 2, 0.5, 1, 2.0 / 3, 1, 0, 0, 0, 1};
  for (std::size_t i = 0; i < expected.size(); ++i)
    CHECK(classes.values[i] == doctest::Approx(expected[i]));
}

TEST_CASE("between equal scores the class that comes first wins, and is first in the ranking") {
  const auto report = evaluate({1, 1, 0, 1, 1, 0, 0, 1, 1}, {0, 1, 2}, abc, {1, 2});
  CHECK(report.integers.at("errors") == 2);
  CHECK(report.numbers.at("top_1_accuracy") == doctest::Approx(1.0 / 3));
  CHECK(report.numbers.at("top_2_accuracy") == 1.0);
}

TEST_CASE("a K that is not below the number of classes is left out") {
  const auto report = evaluate({1, 0, 0}, {0}, abc, {1, 3, 5});
  CHECK(report.numbers.count("top_1_accuracy") == 1);
  CHECK(report.numbers.count("top_3_accuracy") == 0);
  CHECK(report.numbers.count("top_5_accuracy") == 0);
}

TEST_CASE("classes without test rows do not count in the mean of the classes") {
  const auto report = evaluate({1, 0, 0, 0, 1, 0}, {0, 1});
  CHECK(report.numbers.at("mean_class_accuracy") == 1.0);
}

TEST_CASE("figures for classes of different sizes are their definitions") {
  Random random(5);
  for (const std::size_t classes : {2, 3, 7}) {
    CAPTURE(classes);
    std::vector<std::int32_t> truth, predicted;
    for (std::size_t i = 0; i < 200; ++i) {
      const auto c =
          static_cast<std::int32_t>(std::min(random.below(classes), random.below(classes)));
      truth.push_back(c);
      predicted.push_back(
          random.uniform() < 0.6 ? c : static_cast<std::int32_t>(random.below(classes)));
    }
    const Judged judged = judge(truth, predicted, classes);
    CHECK(judged.figure("matthews_correlation") ==
          doctest::Approx(correlation(truth, predicted)).epsilon(1e-12));
    CHECK(judged.figure("macro_f1") ==
          doctest::Approx(mean_f1(truth, predicted, false)).epsilon(1e-14));
    CHECK(judged.figure("weighted_f1") ==
          doctest::Approx(mean_f1(truth, predicted, true)).epsilon(1e-14));
    CHECK(judged.figure("balanced_accuracy") == judged.figure("mean_class_accuracy"));
    CHECK(judged.lines.empty());
  }
}

// scikit-learn 1.2.1: balanced_accuracy_score, matthews_corrcoef, f1_score.
TEST_CASE("figures are scikit-learn's where a class is never predicted, absent or alone") {
  const std::vector<std::int32_t> truth = {0, 0, 0, 0, 0, 1, 1, 1, 2, 2};
  const Judged never = judge(truth, {0, 0, 0, 1, 1, 1, 1, 0, 0, 1}, 3);
  CHECK(never.figure("balanced_accuracy") == doctest::Approx(0.42222222222222222).epsilon(1e-14));
  CHECK(never.figure("matthews_correlation") ==
        doctest::Approx(0.17960530202677491).epsilon(1e-14));
  CHECK(never.figure("macro_f1") == doctest::Approx(0.3666666666666667).epsilon(1e-14));
  CHECK(never.figure("weighted_f1") == doctest::Approx(0.45000000000000001).epsilon(1e-14));

  // Class 3 has no rows but is predicted; class 4 occurs nowhere.
  const Judged absent = judge(truth, {0, 0, 0, 3, 1, 1, 1, 0, 2, 3}, 5);
  CHECK(absent.figure("balanced_accuracy") == doctest::Approx(0.58888888888888891).epsilon(1e-14));
  CHECK(absent.figure("matthews_correlation") ==
        doctest::Approx(0.44020313702121427).epsilon(1e-14));
  CHECK(absent.figure("macro_f1") == doctest::Approx(0.5).epsilon(1e-14));
  CHECK(absent.figure("weighted_f1") == doctest::Approx(0.66666666666666652).epsilon(1e-14));
}

TEST_CASE("without a correlation it is 0 as in scikit-learn, and a warning says so") {
  const std::string warning =
      "matthews_correlation is undefined and reported as 0, since all test rows belong to one "
      "class or are assigned to one";
  const Judged one_predicted = judge({0, 1, 1, 0}, {1, 1, 1, 1}, 2);
  CHECK(one_predicted.figure("matthews_correlation") == 0);
  CHECK(one_predicted.lines == std::vector{warning});
  const Judged one_class = judge({1, 1, 1, 1}, {1, 0, 1, 1}, 2);
  CHECK(one_class.figure("matthews_correlation") == 0);
  CHECK(one_class.figure("balanced_accuracy") == 0.75);
  CHECK(one_class.lines == std::vector{warning});
  CHECK(judge({1, 1}, {1, 1}, 2).lines == std::vector{warning});
  CHECK(judge({0, 1}, {0, 1}, 2).figure("matthews_correlation") == 1);
  CHECK(judge({0, 1}, {1, 0}, 2).figure("matthews_correlation") == -1);
}

TEST_CASE("where rows have groups, the standard error is that of all pairs within a group") {
  const std::vector<std::int32_t> truth = {0, 1, 0, 1, 1, 0, 1}, predicted = {0, 0, 1, 1, 1, 0, 0};
  const std::vector<std::int32_t> groups = {4, 4, 4, 0, -1, -1, 0};
  const auto judged = [&](const std::vector<std::int32_t>& of) {
    std::vector<float> scores(14);
    for (std::size_t i = 0; i < 7; ++i) scores[2 * i + static_cast<std::size_t>(predicted[i])] = 1;
    testing::MemoryReport report;
    testing::TestContext context;
    Results test{{scores.data(), 7, 2, 2}, truth, semblance::evaluators::testing::ham_spam};
    test.groups = of;
    testing::make_component<Evaluator>("evaluator/classification")->evaluate(test, report, context);
    return report;
  };
  double together = 0;
  const double rate = 3.0 / 7;
  for (std::size_t i = 0; i < 7; ++i)
    for (std::size_t j = 0; j < 7; ++j)
      if (i == j || (groups[i] == groups[j] && groups[i] >= 0))
        together +=
            (double(truth[i] != predicted[i]) - rate) * (double(truth[j] != predicted[j]) - rate);
  const auto found = judged(groups);
  CHECK(found.integers.at("groups") == 4);
  CHECK(found.numbers.at("standard_error") ==
        doctest::Approx(std::sqrt(4.0 / 3 * together) / 7).epsilon(1e-12));
  const auto one = judged({2, 2, 2, 2, 2, 2, 2});
  CHECK(one.integers.at("groups") == 1);
  CHECK(one.numbers.count("standard_error") == 0);
  for (const auto& none : {std::vector<std::int32_t>(), std::vector<std::int32_t>(7, -1)})
    CHECK(judged(none).integers.count("groups") == 0);
}

// scikit-learn 1.2.1: log_loss of the same float32 values as float64.
TEST_CASE("probabilities have a log loss and a Brier score") {
  const std::vector<float> scores = {0.5F, 0.25F, 0.25F, 0.125F, 0.75F, 0.125F, 0, 0.5F, 0.5F};
  const auto report = judge_probabilities(scores, {0, 1, 2}, 3);
  CHECK(report.numbers.at("log_loss") == doctest::Approx((2 * std::log(2.0) - std::log(0.75)) / 3));
  const double brier = (0.25 + 2 * 0.0625) + (0.0625 + 2 * 0.015625) + (0.25 + 0.25);
  CHECK(report.numbers.at("brier_score") == doctest::Approx(brier / 3).epsilon(1e-14));
}

TEST_CASE("a probability of 0 for the true class counts as 2^-52") {
  const auto report = judge_probabilities({0, 1, 1, 0}, {0, 0}, 2);
  CHECK(report.numbers.at("log_loss") == doctest::Approx(26 * std::log(2.0)).epsilon(1e-12));
  CHECK(report.numbers.at("brier_score") == 1);
}

TEST_CASE("scores that are no probabilities have neither") {
  const auto report = evaluate({0.5F, 0.25F, 0.25F}, {0});
  CHECK(report.numbers.count("log_loss") == 0);
  CHECK(report.numbers.count("brier_score") == 0);
}

TEST_CASE("scores that are said to be probabilities and are none are refused") {
  const auto refused = [](const std::vector<float>& scores) {
    try {
      judge_probabilities(scores, {0}, 2);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(refused({-0.5F, 1.5F}) ==
        "a score of test row 0 (counted from 0) is -0.500000, but what gives it says that it is a "
        "probability; this is a mistake in solver/mine");
  CHECK(refused({0.5F, 0.25F}) ==
        "the scores of test row 0 (counted from 0) add up to 0.750000, but what gives them says "
        "that they are probabilities; this is a mistake in solver/mine");
  CHECK(refused({0.5F, 0.5F}).empty());
}

TEST_CASE("unusable test rows are named") {
  CHECK(message({1, 0, 0, 0, 1, 0}, {0, -1}) ==
        "test row 1 (counted from 0) has no label; only labelled rows can be evaluated");
  CHECK(message({1, 0, 0}, {3}) ==
        "test row 0 (counted from 0) has the label 3; labels must be in [0, 3)");
  CHECK(message({}, {}) == "there are no test rows to evaluate; give the source test rows");
  CHECK(message({1, std::numeric_limits<float>::quiet_NaN(), 0}, {0}) ==
        "a score of test row 0 (counted from 0) is NaN; check the rows the solver was given");
}

}  // namespace classification_test
