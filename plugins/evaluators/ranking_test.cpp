// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "evaluator_testing.hpp"
#include "figures/bootstrap.hpp"

namespace ranking_test {

using namespace semblance;
using namespace semblance::evaluators;
using namespace semblance::evaluators::testing;

namespace {

Judged rank_rows(const std::vector<float>& scores, const std::vector<std::int32_t>& labels,
                 const std::vector<std::string>& classes, Parameters parameters = {},
                 const Judging& judging = {}) {
  const bool drawn = std::ranges::any_of(
      parameters, [](const auto& parameter) { return parameter.first == "bootstrap"; });
  if (!drawn) parameters.emplace_back("bootstrap", std::int64_t{0});
  return judge_scores("evaluator/ranking", scores, labels, classes, parameters, judging);
}

/// Scores of two classes, of which the second has these.
std::vector<float> two_sided(const std::vector<float>& of_second) {
  std::vector<float> scores;
  for (const float s : of_second) scores.insert(scores.end(), {-s, s});
  return scores;
}

/// Many ties, rows of the second class higher on average.
struct Sample {
  std::vector<float> scores;
  std::vector<std::int32_t> labels;
};
Sample sample(std::size_t rows, std::uint64_t seed) {
  Random random(seed);
  Sample made;
  for (std::size_t i = 0; i < rows; ++i) {
    made.labels.push_back(random.uniform() < 0.3 ? 1 : 0);
    made.scores.push_back(
        static_cast<float>(std::round(4 * (random.normal() + made.labels.back())) / 4));
  }
  made.labels[0] = 0;
  made.labels[1] = 1;
  return made;
}

/// The share of pairs in the right order, over all pairs.
double pairs_in_order(const Sample& s) {
  double right = 0, pairs = 0;
  for (std::size_t i = 0; i < s.scores.size(); ++i)
    for (std::size_t j = 0; j < s.scores.size(); ++j)
      if (s.labels[i] == 1 && s.labels[j] == 0) {
        right += s.scores[i] > s.scores[j] ? 1 : s.scores[i] == s.scores[j] ? 0.5 : 0;
        ++pairs;
      }
  return right / pairs;
}

/// Recall and precision where rows from this score on are retrieved.
std::pair<double, double> retrieved(const Sample& s, float threshold) {
  double hits = 0, rows = 0, all = 0;
  for (std::size_t i = 0; i < s.scores.size(); ++i) {
    all += s.labels[i];
    if (s.scores[i] < threshold) continue;
    ++rows;
    hits += s.labels[i];
  }
  return {hits / all, hits / rows};
}

/// The definitions, each threshold counted anew.
struct Definitions {
  double average_precision = 0, precision_at = 0, recall_at = 0;
};
Definitions by_definition(const Sample& s, double recall_level, double precision_level) {
  std::vector<float> thresholds = s.scores;
  std::ranges::sort(thresholds, std::greater<>());
  thresholds.erase(std::unique(thresholds.begin(), thresholds.end()), thresholds.end());
  Definitions found;
  double before = 0;
  for (const float threshold : thresholds) {
    const auto [recall, precision] = retrieved(s, threshold);
    found.average_precision += (recall - before) * precision;
    if (recall >= recall_level) found.precision_at = std::max(found.precision_at, precision);
    if (precision >= precision_level) found.recall_at = std::max(found.recall_at, recall);
    before = recall;
  }
  return found;
}

std::string refused(const std::vector<float>& scores, const std::vector<std::int32_t>& labels,
                    const std::vector<std::string>& classes, const Parameters& parameters = {}) {
  return message_of([&] { rank_rows(scores, labels, classes, parameters); });
}

}  // namespace

// scikit-learn 1.2.1: roc_auc_score, average_precision_score, precision_recall_curve, roc_curve.
TEST_CASE("figures of two classes are scikit-learn's, ties included") {
  const std::vector<std::int32_t> labels = {0, 1, 1, 0, 1, 0, 0, 1, 0, 0, 1, 0};
  const auto scores =
      two_sided({0.5F, 2.25F, 0.5F, -1, 1.5F, 1.5F, -2.5F, -1, 0.5F, -0.25F, 3, 0.75F});
  const Judged ranked =
      rank_rows(scores, labels, ham_spam, {{"at_recall", 0.6}, {"at_precision", 0.7}});
  CHECK(std::abs(ranked.figure("auc") - 0.74285714285714288) < 1e-12);
  CHECK(std::abs(ranked.figure("average_precision") - 0.74090909090909096) < 1e-12);
  CHECK(ranked.figure("precision_at_recall") == 0.75);
  CHECK(ranked.figure("recall_at_precision") == 0.6);
  CHECK(ranked.report.texts.at("positive") == "spam");
  CHECK(ranked.report.integers.at("rows") == 12);
  CHECK(ranked.report.integers.at("positives") == 5);
  CHECK(ranked.report.integers.at("unlabelled") == 0);
  const Curve& roc = ranked.report.curves.at("roc");
  const std::vector<double> x = {0, 0, 0, 1.0 / 7, 2.0 / 7, 4.0 / 7, 5.0 / 7, 6.0 / 7, 1};
  const std::vector<double> y = {0, 0.2, 0.4, 0.6, 0.6, 0.8, 0.8, 1, 1};
  CHECK(roc.x == x);
  CHECK(roc.y == y);
  const Curve& curve = ranked.report.curves.at("precision_recall");
  CHECK(curve.x == std::vector<double>{0, 0.2, 0.4, 0.6, 0.6, 0.8, 0.8, 1, 1});
  CHECK(curve.y == std::vector<double>{1, 1, 1, 0.75, 0.6, 0.5, 4.0 / 9, 5.0 / 11, 5.0 / 12});
}

TEST_CASE("figures are their definitions on random scores with ties") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    const Sample s = sample(60 + 7 * seed, seed);
    const Judged ranked = rank_rows(two_sided(s.scores), s.labels, ham_spam,
                                    {{"at_recall", 0.75}, {"at_precision", 0.5}});
    const Definitions expected = by_definition(s, 0.75, 0.5);
    CHECK(std::abs(ranked.figure("auc") - pairs_in_order(s)) < 1e-12);
    CHECK(std::abs(ranked.figure("average_precision") - expected.average_precision) < 1e-12);
    CHECK(ranked.figure("precision_at_recall") == expected.precision_at);
    CHECK(ranked.figure("recall_at_precision") == expected.recall_at);
  }
}

// scikit-learn 1.2.1, each class's column against the rest.
TEST_CASE("several classes are ranked each against the rest, and averaged") {
  const std::vector<std::int32_t> labels = {0, 1, 2, 0, 1, 2, 0, 0, 1, 2};
  const std::vector<float> scores = {3, 1, 0, 1, 2, 1, 0, 1, 1, 1, 1, 1, 2, 0, 1,
                                     0, 0, 3, 1, 2, 0, 2, 2, 0, 1, 3, 1, 1, 1, 0};
  const Judged ranked = rank_rows(scores, labels, abc);
  const std::vector<double> areas = {0.77083333333333337, 0.64285714285714279, 0.64285714285714279};
  const std::vector<double> precisions = {0.66666666666666663, 0.59999999999999998,
                                          0.5444444444444444};
  const Table& classes = ranked.report.tables.at("classes");
  CHECK(classes.rows == abc);
  double area = 0, precision = 0;
  for (std::size_t c = 0; c < 3; ++c) {
    CHECK(std::abs(classes.values[6 * c] - areas[c]) < 1e-12);
    CHECK(std::abs(classes.values[6 * c + 1] - precisions[c]) < 1e-12);
    area += areas[c] / 3;
    precision += precisions[c] / 3;
  }
  CHECK(std::abs(ranked.figure("auc") - area) < 1e-12);
  CHECK(std::abs(ranked.figure("average_precision") - precision) < 1e-12);
  CHECK(ranked.report.integers.at("ranked_classes") == 3);
  CHECK(ranked.report.curves.contains("roc_b"));
  CHECK(ranked.report.curves.contains("precision_recall_c"));
  CHECK_FALSE(ranked.report.texts.contains("positive"));

  const Judged one = rank_rows(scores, labels, abc, {{"positive", std::string("b")}});
  CHECK(std::abs(one.figure("auc") - areas[1]) < 1e-12);
  CHECK(one.report.texts.at("positive") == "b");
  CHECK(one.report.curves.contains("roc"));
}

TEST_CASE("probabilities that float32 rounds to 1 rank as the scores that they come from") {
  Random random(11);
  std::vector<float> margins, two, three;
  std::vector<std::int32_t> labels;
  for (std::size_t i = 0; i < 400; ++i) {
    labels.push_back(i % 2 == 0 ? 1 : 0);
    margins.push_back(static_cast<float>(random.normal() + labels.back()));
    // Platt's, of a steep sigmoid: most round to 0 or 1.
    const double x = 20 * double{margins.back()};
    const double p = 1 / (1 + std::exp(-x)), q = 1 / (1 + std::exp(x));
    two.insert(two.end(), {float(q), float(p)});
    three.insert(three.end(), {float(q * 0.7), float(p), float(q * 0.3)});
  }
  for (std::size_t i = 0; i < 2; ++i) labels.push_back(2);  // of the third class, never likely
  for (std::size_t i = 0; i < 2; ++i) three.insert(three.end(), {1, 0, 0});
  const std::vector<std::int32_t> first(labels.begin(), labels.end() - 2);
  const Judged by_margin = rank_rows(two_sided(margins), first, ham_spam);
  const Judged by_probability = rank_rows(two, first, ham_spam, {}, {.probabilities = true});
  for (const char* figure : {"auc", "average_precision", "lift"})
    CHECK(by_probability.figure(figure) ==
          doctest::Approx(by_margin.figure(figure)).epsilon(1e-12));
  CHECK(rank_rows(two, first, ham_spam, {{"positive", std::string("ham")}}, {.probabilities = true})
            .figure("auc") == doctest::Approx(by_margin.figure("auc")).epsilon(1e-12));
  // The same order for any samples outside of the class.
  std::vector<float> with_third = margins;
  with_third.insert(with_third.end(), {-100, -100});
  std::vector<std::int32_t> of_second;
  for (const std::int32_t label : labels) of_second.push_back(label == 1 ? 1 : 0);
  CHECK(rank_rows(three, labels, abc, {{"positive", std::string("b")}}, {.probabilities = true})
            .figure("auc") ==
        doctest::Approx(rank_rows(two_sided(with_third), of_second, ham_spam).figure("auc"))
            .epsilon(1e-12));
}

TEST_CASE("shares of votes that are equal stay ties") {
  // 0.8 of ten votes, with the other votes on one class or divided: float32 sums differ.
  const std::vector<float> shares = {0.8F, 0.2F, 0,    0.8F, 0.15F, 0.05F,
                                     0.8F, 0.1F, 0.1F, 0.3F, 0.3F,  0.4F};
  CHECK(rank_rows(shares, {0, 1, 2, 1}, abc, {{"positive", std::string("a")}},
                  {.probabilities = true})
            .figure("auc") == doctest::Approx((0.5 + 0.5 + 1) / 3));
}

TEST_CASE("the positive class may be the first, and probabilities rank by its own") {
  const Sample s = sample(80, 3);
  const Judged second = rank_rows(two_sided(s.scores), s.labels, ham_spam);
  const Judged first =
      rank_rows(two_sided(s.scores), s.labels, ham_spam, {{"positive", std::string("ham")}});
  CHECK(first.figure("auc") == doctest::Approx(second.figure("auc")).epsilon(1e-14));
  CHECK(first.figure("average_precision") != second.figure("average_precision"));
  CHECK(first.report.integers.at("positives") + second.report.integers.at("positives") == 80);

  // 1 - 1e-9 is 1 in float32: in the first column alone, samples would tie that the second
  // distinguishes.
  const std::vector<float> tiny = {1, 1e-9F, 1, 2e-9F, 1, 3e-9F};
  CHECK(rank_rows(tiny, {0, 0, 1}, ham_spam, {}, {.probabilities = true}).figure("auc") == 1);
}

TEST_CASE("lift counts the first rows, and of rows that tie as many as fit") {
  // 10 rows, 4 positive; the first two are positive.
  const std::vector<std::int32_t> labels = {1, 1, 0, 0, 0, 1, 0, 1, 0, 0};
  const std::vector<float> falling = {9, 8, 7, 6, 5, 4, 3, 2, 1, 0};
  const auto lift = [&](const std::vector<float>& scores, double share) {
    return rank_rows(two_sided(scores), labels, ham_spam, {{"at_share", share}}).figure("lift");
  };
  CHECK(lift(falling, 0.2) == doctest::Approx(2.5).epsilon(1e-15));
  CHECK(lift(falling, 0.3) == doctest::Approx(2.0 / 3 / 0.4).epsilon(1e-15));
  CHECK(lift(falling, 1) == doctest::Approx(1).epsilon(1e-15));
  // Less than one sample counts as one.
  CHECK(lift(falling, 0.01) == doctest::Approx(2.5).epsilon(1e-15));
  // All tie: any order has the mean share.
  CHECK(lift(std::vector<float>(10, 1), 0.3) == doctest::Approx(1).epsilon(1e-15));
  // One of the four that tie for places 2 to 5 is positive: 1 + 2 / 4 of three.
  CHECK(lift({9, 8, 8, 8, 8, 4, 3, 2, 1, 0}, 0.3) == doctest::Approx(1.5 / 3 / 0.4).epsilon(1e-15));
}

TEST_CASE("where no threshold has the precision the recall is 0") {
  const Judged ranked =
      rank_rows(two_sided({2, 1, 0}), {0, 1, 0}, ham_spam, {{"at_precision", 0.9}});
  CHECK(ranked.figure("recall_at_precision") == 0);
  CHECK(ranked.figure("precision_at_recall") == 0.5);
}

TEST_CASE("perfect, reversed and equal scores have the areas that they must have") {
  const std::vector<std::int32_t> labels = {0, 0, 1, 1};
  CHECK(rank_rows(two_sided({1, 2, 3, 4}), labels, ham_spam).figure("auc") == 1);
  CHECK(rank_rows(two_sided({4, 3, 2, 1}), labels, ham_spam).figure("auc") == 0);
  const Judged equal = rank_rows(two_sided({1, 1, 1, 1}), labels, ham_spam);
  CHECK(equal.figure("auc") == 0.5);
  CHECK(equal.figure("average_precision") == 0.5);
}

TEST_CASE("rows without a label are omitted, and reported") {
  const Judged with = rank_rows(two_sided({1, 5, 2, -7, 3}), {0, -1, 1, -1, 1}, ham_spam);
  const Judged without = rank_rows(two_sided({1, 2, 3}), {0, 1, 1}, ham_spam);
  CHECK(with.report.numbers == without.report.numbers);
  CHECK(with.report.integers.at("unlabelled") == 2);
  CHECK(with.lines == std::vector<std::string>{"2 of 5 test rows have no label and are excluded"});
}

TEST_CASE("a class without test rows does not count, and is reported") {
  const Judged ranked = rank_rows({3, 0, 1, 0, 2, 1, 1, 2, 3}, {0, 1, 1}, abc);
  CHECK(ranked.report.integers.at("ranked_classes") == 2);
  CHECK(ranked.report.tables.at("classes").rows == std::vector<std::string>{"a", "b"});
  CHECK(ranked.lines ==
        std::vector<std::string>{"no test row is of class 'c', so it does not count in the means"});
}

TEST_CASE("a long curve is thinned to its ends and to what can be seen") {
  const Sample s = [] {
    Sample made;
    Random random(2);
    for (std::size_t i = 0; i < 20000; ++i) {
      made.labels.push_back(i % 2 == 0 ? 1 : 0);
      made.scores.push_back(static_cast<float>(random.normal() + made.labels.back()));
    }
    return made;
  }();
  const Judged ranked = rank_rows(two_sided(s.scores), s.labels, ham_spam);
  const Curve& roc = ranked.report.curves.at("roc");
  CHECK(roc.x.size() < 1100);
  CHECK(roc.x.size() > 400);
  CHECK(roc.x.front() == 0);
  CHECK(roc.x.back() == 1);
  CHECK(roc.y.back() == 1);
  double area = 0;
  for (std::size_t i = 1; i < roc.x.size(); ++i)
    area += (roc.x[i] - roc.x[i - 1]) * (roc.y[i] + roc.y[i - 1]) / 2;
  CHECK(area == doctest::Approx(ranked.figure("auc")).epsilon(1e-3));
}

TEST_CASE("intervals are the same bits at any number of threads") {
  const Sample s = sample(150, 11);
  const Parameters drawn = {{"bootstrap", std::int64_t{300}}};
  const Judged one = rank_rows(two_sided(s.scores), s.labels, ham_spam, drawn, {.threads = 1});
  const Judged four = rank_rows(two_sided(s.scores), s.labels, ham_spam, drawn, {.threads = 4});
  CHECK(one.report.numbers == four.report.numbers);
  CHECK(one.report.tables.at("intervals").values == four.report.tables.at("intervals").values);
}

TEST_CASE("an interval is that of the draws written out") {
  const Sample s = sample(90, 12);
  const Judged ranked = rank_rows(two_sided(s.scores), s.labels, ham_spam,
                                  {{"bootstrap", std::int64_t{200}}, {"confidence", 0.8}});
  const std::uint64_t seed = TestContext().random().bits();
  std::vector<double> areas;
  for (std::size_t d = 0; d < 200; ++d) {
    Random random = Random::stream(seed, d);
    Sample drawn;
    for (std::size_t i = 0; i < s.scores.size(); ++i) {
      const std::size_t row = random.below(s.scores.size());
      drawn.scores.push_back(s.scores[row]);
      drawn.labels.push_back(s.labels[row]);
    }
    areas.push_back(pairs_in_order(drawn));
  }
  std::ranges::sort(areas);
  // NumPy's quantile of 200 values: places 19.9 and 179.1.
  const double low = areas[19] + 0.9 * (areas[20] - areas[19]);
  const double high = areas[179] + 0.1 * (areas[180] - areas[179]);
  CHECK(ranked.figure("auc_low") == doctest::Approx(low).epsilon(1e-12));
  CHECK(ranked.figure("auc_high") == doctest::Approx(high).epsilon(1e-12));
  CHECK(ranked.figure("auc_low") < ranked.figure("auc"));
  CHECK(ranked.figure("auc") < ranked.figure("auc_high"));
}

TEST_CASE("an interval covers the truth about as often as it says") {
  // Normal scores one standard deviation apart: the area is Phi(1 / sqrt 2).
  const double truth = 0.5 * std::erfc(-0.5);
  std::size_t covered = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Random random(100 + seed);
    std::vector<float> scores;
    std::vector<std::int32_t> labels;
    for (std::size_t i = 0; i < 120; ++i) {
      labels.push_back(static_cast<std::int32_t>(i % 2));
      scores.push_back(static_cast<float>(random.normal() + labels.back()));
    }
    const Judged ranked =
        rank_rows(two_sided(scores), labels, ham_spam, {{"bootstrap", std::int64_t{200}}});
    covered += ranked.figure("auc_low") <= truth && truth <= ranked.figure("auc_high");
  }
  CHECK(covered >= 50);
}

TEST_CASE("draws without a class are judged by the others, or drawn again") {
  // The one row of class c is missing from one draw in three.
  const std::vector<float> scores = {3, 0, 1, 0, 2, 1, 1, 2, 3, 2, 1, 0, 1, 2, 0};
  const Judged three = rank_rows(scores, {0, 1, 2, 0, 1}, abc, {{"bootstrap", std::int64_t{100}}});
  CHECK(three.figure("auc_low") >= 0);
  CHECK(three.figure("auc_high") <= 1);
  const Judged two =
      rank_rows(two_sided({0, 1}), {0, 1}, ham_spam, {{"bootstrap", std::int64_t{100}}});
  CHECK(two.figure("auc_low") == 1);
  CHECK(two.figure("auc_high") == 1);
}

TEST_CASE("quantiles are interpolated as in NumPy") {
  const std::vector<double> sorted = {1, 2, 4, 8};
  CHECK(quantile(sorted, 0) == 1);
  CHECK(quantile(sorted, 1) == 8);
  CHECK(quantile(sorted, 0.5) == 3);
  CHECK(quantile(sorted, 0.9) == doctest::Approx(6.8).epsilon(1e-15));
  CHECK(quantile(std::vector<double>{5}, 0.3) == 5);
}

TEST_CASE("without draws there are no intervals") {
  const Judged ranked = rank_rows(two_sided({0, 1}), {0, 1}, ham_spam);
  CHECK_FALSE(ranked.report.numbers.contains("auc_low"));
  CHECK_FALSE(ranked.report.tables.contains("intervals"));
}

TEST_CASE("a stop ends the draws") {
  const auto evaluator = make_component<Evaluator>("evaluator/ranking");
  const Sample s = sample(100, 1);
  const std::vector<float> scores = two_sided(s.scores);
  MemoryReport report;
  TestContext context;
  context.stop = StopReason::cancelled;
  CHECK_THROWS_AS(
      evaluator->evaluate({{scores.data(), 100, 2, 2}, s.labels, ham_spam}, report, context),
      Cancelled);
}

TEST_CASE("what cannot be ranked is refused") {
  CHECK(refused(two_sided({1, 2}), {0, 0}, ham_spam) ==
        "no test row is of class 'spam', so there is nothing to rank; choose test rows of all "
        "classes");
  CHECK(refused(two_sided({1, 2}), {1, 1}, ham_spam) ==
        "all test rows are of class 'spam', so there is nothing to rank; choose test rows of all "
        "classes");
  CHECK(refused({1, 2, 3, 1, 2, 3}, {1, 1}, abc) ==
        "all test rows are of one class, so there is nothing to rank; choose test rows of all "
        "classes");
  CHECK(refused(two_sided({1, 2}), {-1, -1}, ham_spam) ==
        "no test row has a label; only labelled rows can be evaluated");
  CHECK(refused({}, {}, ham_spam) ==
        "there are no test rows to evaluate; give the source test rows");
  CHECK(refused(two_sided({1, std::numeric_limits<float>::quiet_NaN()}), {0, 1}, ham_spam) ==
        "a score of test row 1 (counted from 0) is NaN; check the rows the solver was given");
  CHECK(refused({1, 2}, {5}, ham_spam) ==
        "test row 0 (counted from 0) has the label 5; labels must be in [0, 2)");
}

TEST_CASE("rankings that do not fit the memory are refused") {
  const auto evaluator = make_component<Evaluator>("evaluator/ranking");
  const std::vector<float> scores = {3, 0, 1, 0, 2, 1};
  const std::vector<std::int32_t> labels = {0, 1};
  TestContext context;
  context.budget = 50;
  CHECK(message_of([&] {
          MemoryReport report;
          evaluator->evaluate({{scores.data(), 2, 3, 3}, labels, abc}, report, context);
        }) ==
        "rankings of 2 rows for 3 classes do not fit the memory budget; rank one class (positive), "
        "or raise --memory");
}

TEST_CASE("wrong parameters are refused") {
  const auto wrong = [](const Parameters& parameters) {
    return refused(two_sided({0, 1}), {0, 1}, ham_spam, parameters);
  };
  CHECK(wrong({{"positive", std::string("Spam")}}) ==
        "'positive' names the class 'Spam', but the classes are 'ham', 'spam'");
  CHECK(wrong({{"at_recall", 0.0}}) ==
        "evaluator/ranking: 'at_recall' must be in the range (0, 1], got 0");
  CHECK(wrong({{"at_recall", 1.5}}) ==
        "evaluator/ranking: 'at_recall' must be in the range (0, 1], got 1.5");
  CHECK(wrong({{"at_precision", -1.0}}) ==
        "evaluator/ranking: 'at_precision' must be in the range (0, 1], got -1");
  CHECK(wrong({{"at_share", 2.0}}) ==
        "evaluator/ranking: 'at_share' must be in the range (0, 1], got 2");
  CHECK(wrong({{"confidence", 1.0}}) ==
        "evaluator/ranking: 'confidence' must be in the range (0, 1), got 1");
  CHECK(wrong({{"bootstrap", std::int64_t{-1}}}) ==
        "evaluator/ranking: 'bootstrap' must be in the range [0, 1e+05], got -1");
}

}  // namespace ranking_test
