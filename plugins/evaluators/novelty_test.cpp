// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "evaluator_testing.hpp"

namespace novelty_test {

using namespace semblance;
using namespace semblance::evaluators::testing;

namespace {

using Labels = std::vector<std::int32_t>;
using Scores = std::vector<float>;

const Parameters without_draws = {{"bootstrap", std::int64_t{0}}};

Parameters naming(const char* parameter, const char* name) {
  return {{"bootstrap", std::int64_t{0}}, {parameter, std::string(name)}};
}

Judged judge_novelty(const Scores& scores, const Labels& labels,
                     const std::vector<std::string>& classes = ham_spam,
                     const Parameters& parameters = without_draws, std::size_t threads = 2) {
  const auto evaluator = make_component<Evaluator>("evaluator/novelty", parameters);
  evaluator->check_parameters();
  evaluator->check_scores({"mine", "solver/mine", classes});
  Judged judged;
  TestContext context(threads);
  evaluator->evaluate({{scores.data(), scores.size(), 1, 1}, labels, classes}, judged.report,
                      context);
  judged.lines = context.lines;
  return judged;
}

/// The share of pairs in which the row of class 1 has the smaller score; ties count half.
double auc_by_pairs(const Scores& scores, const Labels& labels) {
  double right = 0, pairs = 0;
  for (std::size_t i = 0; i < scores.size(); ++i)
    for (std::size_t j = 0; j < scores.size(); ++j) {
      if (labels[i] != 1 || labels[j] != 0) continue;
      ++pairs;
      right += scores[i] < scores[j] ? 1 : scores[i] == scores[j] ? 0.5 : 0;
    }
  return right / pairs;
}

/// The mean share of class 1 among the first `first` rows over all orders that are in accordance
/// with the scores: each row counts with its probability of being among them.
double precision_by_places(const Scores& scores, const Labels& labels, std::size_t first) {
  double hits = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (labels[i] != 1) continue;
    const auto before =
        static_cast<double>(std::ranges::count_if(scores, [&](float s) { return s < scores[i]; }));
    const auto tied = static_cast<double>(std::ranges::count(scores, scores[i]));
    hits += std::clamp((static_cast<double>(first) - before) / tied, 0.0, 1.0);
  }
  return hits / static_cast<double>(first);
}

}  // namespace

TEST_CASE("novelty figures of tied scores are those by definition") {
  for (std::uint64_t seed = 1; seed < 60; ++seed) {
    Random random(seed);
    Scores scores;
    Labels labels = {0, 1};
    for (std::size_t i = 0; i < 30; ++i) {
      if (i > 1) labels.push_back(random.below(3) == 0 ? 1 : 0);
      scores.push_back((static_cast<float>(random.below(9)) - 4) / 8);
    }
    const auto novel = static_cast<std::size_t>(std::ranges::count(labels, 1));
    const auto judged = judge_novelty(scores, labels);
    CHECK(judged.figure("auc") == doctest::Approx(auc_by_pairs(scores, labels)).epsilon(1e-13));
    CHECK(judged.figure("precision_at_expected") ==
          doctest::Approx(precision_by_places(scores, labels, novel)).epsilon(1e-12));
    CHECK(judged.report.integers.at("novel_rows") == static_cast<std::int64_t>(novel));
    double rejected[2] = {0, 0};
    for (std::size_t i = 0; i < labels.size(); ++i) rejected[labels[i]] += scores[i] < 0;
    CHECK(judged.figure("rejected_normal") ==
          rejected[0] / static_cast<double>(labels.size() - novel));
    CHECK(judged.figure("rejected_novel") == rejected[1] / static_cast<double>(novel));
    const auto some = judge_novelty(scores, labels, ham_spam,
                                    {{"bootstrap", std::int64_t{0}}, {"expected", 0.2}});
    CHECK(some.figure("precision_at_expected") ==
          doctest::Approx(precision_by_places(scores, labels, 6)).epsilon(1e-12));
  }
}

TEST_CASE("novelty figures are those of scikit-learn") {
  // sklearn.metrics 1.2.1: roc_auc_score and average_precision_score of the negated scores.
  const auto judged =
      judge_novelty({0.5F, -1, 0.25F, -0.5F, 1, -0.5F, 0, 2}, {0, 1, 1, 0, 0, 1, 1, 0});
  CHECK(judged.figure("auc") == doctest::Approx(0.84375).epsilon(1e-14));
  CHECK(judged.figure("average_precision") == doctest::Approx(0.8041666666666667).epsilon(1e-14));
}

TEST_CASE("a score of 0 is not rejected, minus 0 neither") {
  const auto judged = judge_novelty({0, -0.0F, 1e-45F, -1e-45F}, {0, 0, 1, 1});
  CHECK(judged.figure("rejected_normal") == 0);
  CHECK(judged.figure("rejected_novel") == 0.5);
}

TEST_CASE("equal scores distinguish nothing") {
  const auto judged = judge_novelty({1, 1, 1, 1}, {0, 0, 0, 1});
  CHECK(judged.figure("auc") == 0.5);
  CHECK(judged.figure("precision_at_expected") == 0.25);
}

TEST_CASE("infinite scores have a place") {
  const float infinity = std::numeric_limits<float>::infinity();
  CHECK(judge_novelty({infinity, -infinity, 0, 1}, {0, 1, 1, 0}).figure("auc") == 1);
}

TEST_CASE("the usual class or the novel one is named") {
  const Scores scores = {3, -2, -1, 4, 2, -3};
  const Labels labels = {0, 1, 2, 0, 1, 2};
  const auto usual = judge_novelty(scores, labels, abc, naming("normal", "a"));
  CHECK(usual.figure("auc") == 1);
  CHECK(usual.figure("rejected_novel") == 0.75);
  CHECK(usual.figure("false_discoveries") == 0);
  const Table& table = usual.report.tables.at("classes");
  CHECK(table.rows == abc);
  CHECK(table.values == std::vector<double>{0, 0, 2, 1, 0.5, 2, 1, 1, 2});
  const auto novel = judge_novelty(scores, labels, abc, naming("novel", "c"));
  CHECK(novel.figure("rejected_normal") == 0.25);
  CHECK(novel.figure("rejected_novel") == 1);
  CHECK(novel.figure("false_discoveries") == 1.0 / 3);
  CHECK(judge_novelty({-1, 1}, {0, 1}, ham_spam, naming("normal", "spam")).figure("auc") == 1);
}

TEST_CASE("rows without a label are excluded from novelty figures") {
  const auto judged = judge_novelty({1, -5, -1}, {0, -1, 1});
  CHECK(judged.figure("auc") == 1);
  CHECK(judged.report.integers.at("unlabelled") == 1);
  CHECK(judged.lines ==
        std::vector<std::string>{"1 of 3 test rows have no label and are excluded"});
}

TEST_CASE("novelty that cannot be judged is refused") {
  const auto refused = [](const Scores& scores, const Labels& labels,
                          const std::vector<std::string>& classes = ham_spam,
                          const Parameters& parameters = without_draws) {
    return message_of([&] { judge_novelty(scores, labels, classes, parameters); });
  };
  CHECK(refused({1, 2}, {0, 0}) ==
        "no test row is novel, so there is nothing to distinguish; choose test rows of both kinds, "
        "and no more folds than there are novel rows");
  CHECK(refused({1, 2}, {1, 1}).starts_with("no test row is normal"));
  CHECK(refused({1, 2}, {-1, -1}) ==
        "no test row has a label; only labelled rows can be evaluated");
  CHECK(refused({1, 2}, {0, 1}, abc) ==
        "there are 3 classes; name the usual one: add normal: CLASS");
  CHECK(refused({1, 2}, {0, 1}, {"a"}).starts_with("there is one class only"));
  CHECK(refused({1, 2}, {0, 1}, {}).starts_with("it judges by classes, but the data have none"));
  CHECK(refused({1, 2}, {0, 1}, ham_spam, naming("normal", "egg")) ==
        "'normal' names the class 'egg', but the classes are 'ham', 'spam'");
  CHECK(refused({1, 2}, {0, 1}, ham_spam,
                {{"normal", std::string("ham")}, {"novel", std::string("spam")}}) ==
        "'normal' and 'novel' both say which classes are novel; give one of them");
}

TEST_CASE("novelty has intervals, the same for any number of threads") {
  Random random(7);
  Scores scores;
  Labels labels;
  for (int i = 0; i < 80; ++i) {
    labels.push_back(i % 4 == 0 ? 1 : 0);
    scores.push_back(static_cast<float>(random.normal() + (labels.back() == 0 ? 1 : -0.5)));
  }
  const Parameters parameters = {{"bootstrap", std::int64_t{200}}};
  const auto one = judge_novelty(scores, labels, ham_spam, parameters, 1);
  const auto four = judge_novelty(scores, labels, ham_spam, parameters, 4);
  const Table& table = one.report.tables.at("intervals");
  CHECK(table.values == four.report.tables.at("intervals").values);
  for (std::size_t f = 0; f < table.rows.size(); ++f) {
    CHECK(table.values[3 * f] == one.figure(table.rows[f]));
    CHECK(table.values[3 * f + 1] < table.values[3 * f]);
    CHECK(table.values[3 * f] < table.values[3 * f + 2]);
  }
  CHECK(one.figure("auc_low") == table.values[1]);
}

TEST_CASE("artificial rows have shuffled columns, those of a category together") {
  // Rows 0 and 1 train. Row i is i, 10 i, and one of two cities.
  std::vector<float> values;
  Labels labels;
  for (int i = 0; i < 60; ++i) {
    const auto x = static_cast<float>(i);
    values.insert(values.end(), {x, 10 * x, i % 2 == 0 ? 1.0F : 0.0F, i % 2 == 0 ? 0.0F : 1.0F});
    labels.push_back(i % 3 == 0 ? 1 : 0);
  }
  class Named final : public Dataset {
   public:
    explicit Named(const Points& points) : points_(points), outline_(points.outline()) {
      outline_.columns = {"x", "y", "city=Rome", "city=Oslo"};
    }
    const Outline& outline() const noexcept override { return outline_; }
    std::span<const std::int32_t> labels() const noexcept override { return points_.labels(); }
    void read(std::size_t first, MutableMatrixView out) const override { points_.read(first, out); }
    std::size_t bytes() const noexcept override { return 0; }

   private:
    const Points& points_;
    Outline outline_;
  };
  const Points points(values, labels, 2, Layout::vector(4), ham_spam);
  const Named data(points);
  TestContext context;
  for (const bool all : {true, false}) {
    Parameters parameters = {{"bootstrap", std::int64_t{0}}, {"artificial", true}};
    if (!all) parameters.emplace_back("normal", std::string("ham"));
    const auto evaluator = make_component<Evaluator>("evaluator/novelty", parameters);
    REQUIRE(evaluator->needs().probes);
    const FloatMatrix rows = evaluator->probes(data, context);
    std::vector<float> expected[2], found[2];
    for (std::size_t i = 2; i < 60; ++i)
      if (all || labels[i] == 0)
        for (std::size_t k = 0; k < 2; ++k) expected[k].push_back(values[4 * i + k]);
    REQUIRE(rows.rows == expected[0].size());
    std::size_t broken = 0;
    for (std::size_t i = 0; i < rows.rows; ++i) {
      const float* const row = rows.view().row(i);
      for (std::size_t k = 0; k < 2; ++k) found[k].push_back(row[k]);
      broken += row[1] != 10 * row[0];
      CHECK(row[2] + row[3] == 1);
    }
    CHECK(broken > rows.rows / 2);
    for (std::size_t k = 0; k < 2; ++k) {
      std::ranges::sort(found[k]);
      CHECK(found[k] == expected[k]);
    }
    // Usual test rows against artificial ones: here all of these are more unusual but one.
    Scores scores(58), others(rows.rows, -1);
    for (std::size_t i = 0; i < scores.size(); ++i) scores[i] = static_cast<float>(i % 5) - 0.5F;
    others[0] = 100;
    Results test{{scores.data(), 58, 1, 1}, std::span(labels).subspan(2), ham_spam};
    test.probes = rows.view();
    test.probe_scores = {others.data(), others.size(), 1, 1};
    MemoryReport report;
    evaluator->evaluate(test, report, context);
    CHECK(report.numbers.at("auc") == doctest::Approx(1 - 1.0 / static_cast<double>(rows.rows)));
    double rejected = 0;
    for (std::size_t i = 0; i < 58; ++i) rejected += (all || labels[i + 2] == 0) && i % 5 == 0;
    CHECK(report.numbers.at("rejected_normal") ==
          doctest::Approx(rejected / static_cast<double>(rows.rows)));
  }
}

TEST_CASE("artificial rows need no labels, but columns") {
  const auto evaluator =
      make_component<Evaluator>("evaluator/novelty", Parameters{{"artificial", true}});
  evaluator->check_scores({"mine", "solver/mine", {}});
  TestContext context;
  const Points pictures(std::vector<float>(12), {-1, -1, -1}, 1, Layout::image(2, 2, 1), {});
  CHECK(message_of([&] { evaluator->probes(pictures, context); }) ==
        "artificial rows are made of the columns of a table, but these are image of 2x2x1 (height "
        "x width x channels); name the novel class instead");
}

}  // namespace novelty_test
