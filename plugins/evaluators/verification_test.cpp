// SPDX-License-Identifier: MIT

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "evaluator_testing.hpp"
#include "figures/detection_error.hpp"

namespace semblance::evaluators::verification_test {
namespace {

using namespace testing;

using Labels = std::vector<std::int32_t>;
using Scores = std::vector<float>;

/// Test pairs as a solver of that name scores them.
struct Scoring {
  Scores scores;
  Labels labels;
  PairSet pairs;

  Scoring(Scores s, Labels l) : scores(std::move(s)), labels(std::move(l)) {
    std::vector<Pair> list;
    for (std::size_t p = 0; p < labels.size(); ++p)
      list.push_back({0, static_cast<std::int32_t>(p), labels[p]});
    pairs = PairSet::listed(list);
  }
  ScoredPairs named(const std::string& solver) const { return {solver, scores, pairs, labels}; }
};

MemoryReport judged(const std::string& id, const std::vector<ScoredPairs>& tests,
                    const Parameters& parameters = {}) {
  MemoryReport report;
  TestContext context;
  const auto evaluator = make_component<Evaluator>(id, parameters);
  evaluator->evaluate({.pairs = tests}, report, context);
  return report;
}

/// Share of pairs of one label whose score is on the wrong side of the threshold.
double wrong_side(const Scoring& s, std::int32_t label, double threshold) {
  double wrong = 0, all = 0;
  for (std::size_t p = 0; p < s.labels.size(); ++p) {
    if (s.labels[p] != label) continue;
    all += 1;
    wrong += (s.scores[p] >= threshold) != (label > 0) ? 1 : 0;
  }
  return wrong / all;
}

Scoring noisy(std::uint64_t seed, std::size_t pairs) {
  Random random(seed);
  Scores scores;
  Labels labels;
  for (std::size_t p = 0; p < pairs; ++p) {
    labels.push_back(p % 3 == 0 ? 1 : -1);
    // Rounded, so that scores are equal now and then.
    scores.push_back(static_cast<float>(std::round(8 * (random.normal() + labels.back())) / 8));
  }
  return {scores, labels};
}

TEST_CASE("every operating point has the error rates that counting gives") {
  const Scoring s = noisy(1, 300);
  const DetectionError measured(s.scores, s.labels);
  for (const OperatingPoint& point : measured.points()) {
    CHECK(point.false_match_rate == doctest::Approx(wrong_side(s, -1, point.threshold)));
    CHECK(point.false_non_match_rate == doctest::Approx(wrong_side(s, 1, point.threshold)));
  }
  const auto distinct = [&] {
    Scores sorted = s.scores;
    std::ranges::sort(sorted);
    return static_cast<std::size_t>(std::unique(sorted.begin(), sorted.end()) - sorted.begin());
  }();
  CHECK(measured.points().size() == distinct + 1);
}

TEST_CASE("the equal error rate is where the rates cross") {
  // At 3: FMR 1/4, FNMR 1/4.
  const Scoring exact({5, 4, 3, 1, 3.5F, 2, 1.5F, 0}, {1, 1, 1, 1, -1, -1, -1, -1});
  CHECK(DetectionError(exact.scores, exact.labels).equal_error_rate() == doctest::Approx(0.25));
  // Between (1/3, 1/2) and (2/3, 1/2) by interpolation: both are 1/2.
  const Scoring between({4, 1, 5, 3, 0}, {1, 1, -1, -1, -1});
  CHECK(DetectionError(between.scores, between.labels).equal_error_rate() == doctest::Approx(0.5));
  const Scoring perfect({2, 1, -1, -2}, {1, 1, -1, -1});
  CHECK(DetectionError(perfect.scores, perfect.labels).equal_error_rate() == 0);
  const Scoring reversed({-2, -1, 1, 2}, {1, 1, -1, -1});
  CHECK(DetectionError(reversed.scores, reversed.labels).equal_error_rate() == 1);
  const Scoring constant({1, 1, 1, 1}, {1, 1, -1, -1});
  CHECK(DetectionError(constant.scores, constant.labels).equal_error_rate() ==
        doctest::Approx(0.5));
}

TEST_CASE("of two normal distributions the equal error rate is known") {
  Random random(7);
  Scores scores;
  Labels labels;
  for (int p = 0; p < 40000; ++p) {
    labels.push_back(p % 2 ? 1 : -1);
    scores.push_back(static_cast<float>(random.normal() + labels.back()));
  }
  // Phi(-1) = 0.158655; 20,000 samples of each kind.
  CHECK(DetectionError(scores, labels).equal_error_rate() ==
        doctest::Approx(0.158655).epsilon(0.03));
}

TEST_CASE("rates at a false match rate are the best that keep it") {
  const Scoring s = noisy(2, 5000);
  const DetectionError measured(s.scores, s.labels);
  for (const double level : {0.01, 0.001, 0.3}) {
    double best = 1;
    for (const float t : s.scores)
      if (wrong_side(s, -1, t) <= level) best = std::min(best, wrong_side(s, 1, t));
    CHECK(measured.false_non_match_rate_at(level) == doctest::Approx(best));
  }
}

TEST_CASE("verification reports one solver's figures and curve") {
  const Scoring s = noisy(3, 2000);
  const auto report = judged("evaluator/verification", {s.named("svm")});
  const DetectionError measured(s.scores, s.labels);
  CHECK(report.numbers.at("eer") == measured.equal_error_rate());
  CHECK(report.numbers.at("fmr100") == measured.false_non_match_rate_at(0.01));
  CHECK(report.integers.at("pairs") == 2000);
  CHECK(!report.numbers.contains("eer_sem"));
  const Curve& det = report.curves.at("det");
  CHECK(det.x.size() > 20);
  CHECK(std::ranges::is_sorted(det.x));
  CHECK(std::ranges::is_sorted(det.y, std::greater()));
}

TEST_CASE("verification of several solvers reports mean and standard error") {
  const Scoring a = noisy(4, 600), b = noisy(5, 600), c = noisy(6, 600);
  const auto report = judged("evaluator/verification", {a.named("a"), b.named("b"), c.named("c")});
  const Table& table = report.tables.at("solvers");
  CHECK(table.rows == std::vector<std::string>{"a", "b", "c"});
  const double x = table.values[0], y = table.values[5], z = table.values[10];
  const double mean = (x + y + z) / 3;
  CHECK(report.numbers.at("eer") == doctest::Approx(mean));
  CHECK(report.numbers.at("eer_sem") ==
        doctest::Approx(std::sqrt(
            ((x - mean) * (x - mean) + (y - mean) * (y - mean) + (z - mean) * (z - mean)) / 6)));
  CHECK(report.curves.contains("det_b"));

  std::vector<DetectionError> each;
  for (const Scoring* s : {&a, &b, &c}) each.emplace_back(s->scores, s->labels);
  const Curve& middle = report.curves.at("det_mean");
  REQUIRE(middle.x.size() > 100);
  CHECK(middle.x.front() == doctest::Approx(1.0 / 400));
  for (std::size_t i = 0; i < middle.x.size(); ++i) {
    double rate = 0;
    for (const DetectionError& one : each) rate += one.false_non_match_rate_at(middle.x[i]) / 3;
    CHECK(middle.y[i] == doctest::Approx(rate));
  }
}

TEST_CASE("scores are added where asked, with weights") {
  const Scoring a({2, -1, 0.5F, -2}, {1, 1, -1, -1}), b({-1, 3, -1, 1}, {1, 1, -1, -1});
  const Scoring sum({1, 2, -0.5F, -1}, {1, 1, -1, -1}), weighted({5, -5, 2, -5}, {1, 1, -1, -1});
  CHECK(judged("evaluator/verification", {a.named("a"), b.named("b")}, {{"sum", true}})
            .numbers.at("eer") ==
        judged("evaluator/verification", {sum.named("sum")}).numbers.at("eer"));
  CHECK(judged("evaluator/verification", {a.named("a"), b.named("b")},
               {{"sum", true}, {"weights", std::vector<double>{2, -1}}})
            .numbers.at("eer") ==
        judged("evaluator/verification", {weighted.named("sum")}).numbers.at("eer"));
}

TEST_CASE("what cannot be judged is refused with a reason") {
  const Scoring one_kind({1, 2}, {1, 1}), unknown({1, 2}, {1, 0}), nan({NAN, 2}, {1, -1});
  CHECK(message_of([&] {
          judged("evaluator/verification", {one_kind.named("svm")});
        }).starts_with("no test pair is of different classes"));
  CHECK(message_of([&] {
          judged("evaluator/verification", {unknown.named("svm")});
        }).starts_with("test pair 1 (counted from 0) has no label"));
  CHECK(message_of([&] {
          judged("evaluator/verification", {nan.named("svm")});
        }).starts_with("the score of test pair 0 (counted from 0) is NaN"));
  const Scoring two({1, 2}, {1, -1}), three({1, 2, 3}, {1, -1, -1});
  CHECK(message_of([&] {
          judged("evaluator/verification", {two.named("a"), three.named("b")}, {{"sum", true}});
        }).starts_with("'b' and 'a' were tested on different pairs"));
  CHECK(message_of([&] {
          judged("evaluator/verification", {two.named("a")},
                 {{"sum", true}, {"weights", std::vector<double>{1, 2}}});
        }) == "'weights' has 2 numbers for 1 solvers; give one each");
  CHECK(message_of([&] {
          make_component<Evaluator>("evaluator/verification",
                                    {{"weights", std::vector<double>{1, 2}}});
        }) == "'weights' are factors of scores that are added; add sum: true, or remove them");
}

}  // namespace
}  // namespace semblance::evaluators::verification_test
