// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "calibrator_testing.hpp"
#include "conformal_sets.hpp"
#include "semblance/predicted_class.hpp"
#include "semblance/random.hpp"
#include "temperature.hpp"

namespace conformal_test {

using namespace semblance;
using namespace semblance::calibrators;
using namespace semblance::calibrators::testing;

namespace {

/// Probabilities of samples of three classes, the third one rare, and true classes drawn from them
/// or from others (`honest`).
Sample drawn(std::size_t rows, std::uint64_t seed, bool honest = true, double blur = 1) {
  Random random(seed);
  std::vector<float> scores;
  std::vector<std::int32_t> labels;
  for (std::size_t i = 0; i < rows; ++i) {
    double odds[3], sum = 0;
    const double sharp = blur * (i % 2 == 0 ? 3 : 0.7);
    for (std::size_t c = 0; c < 3; ++c)
      sum += odds[c] = std::exp(sharp * random.normal() - (c == 2 ? 1.5 : 0));
    double place = random.uniform() * sum;
    std::int32_t label = 0;
    while (label < 2 && place >= odds[label]) place -= odds[label++];
    labels.push_back(label);
    for (const double odd : odds)
      scores.push_back(static_cast<float>(honest ? odd / sum : std::sqrt(odd) / sum));
    if (honest) continue;
    // Too sure, and wrong about the second class.
    float* row = &scores[3 * i];
    row[1] *= 2;
    const float all = row[0] + row[1] + row[2];
    for (std::size_t c = 0; c < 3; ++c) row[c] /= all;
  }
  return rows_of(3, scores, labels);
}

struct Counted {
  double rows = 0, covered = 0, members = 0, empty = 0;
};
/// Over all samples, or over those of one class.
Counted count_sets(const std::vector<float>& scores, const std::vector<std::int32_t>& labels,
                   std::int32_t only = -1) {
  Counted counted;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (only >= 0 && labels[i] != only) continue;
    const std::span<const float> row(&scores[3 * i], 3);
    const auto size = std::ranges::count_if(row, [](float s) { return s >= 0; });
    ++counted.rows;
    counted.covered += row[static_cast<std::size_t>(labels[i])] >= 0;
    counted.members += static_cast<double>(size);
    counted.empty += size == 0;
  }
  return counted;
}

std::vector<float> sets_of(const Parameters& parameters, const Sample& learned, const Sample& given,
                           std::uint64_t seed = 1) {
  const auto calibrator = make_component<Calibrator>("calibrator/conformal", parameters);
  calibrator->bind(Layout::vector(3));
  MemoryReport report;
  TestContext context(1, seed);
  calibrator->fit(learned.held_out(true), report, context);
  FloatMatrix out(given.scores.rows, 3);
  calibrator->apply(given.scores.view(), out.view(), context);
  return out.values;
}

Parameters with(const char* method, double coverage, bool by_class = false,
                bool randomized = true) {
  return {{"method", std::string(method)},
          {"coverage", coverage},
          {"by_class", by_class},
          {"randomized", randomized}};
}

/// Like Strangeness, by sums over all pairs of classes.
std::vector<double> strange_by_pairs(std::span<const float> p, bool adaptive, double penalty,
                                     std::size_t free) {
  std::vector<double> out;
  for (const float own : p) {
    double before = 0, rank = 1;
    for (const float other : p) {
      before += other > own ? double{other} : 0;
      rank += other > own;
    }
    out.push_back(adaptive ? std::min(before, 1.0) +
                                 penalty * std::max(0.0, rank - static_cast<double>(free))
                           : 1 - double{own});
  }
  return out;
}

}  // namespace

TEST_CASE("strangeness is that of sums over pairs of classes") {
  Random random(5);
  for (int round = 0; round < 200; ++round) {
    std::vector<float> p(1 + random.below(7));
    float sum = 0;
    for (float& one : p) sum += one = static_cast<float>(random.below(5));
    if (sum == 0) continue;
    for (float& one : p) one /= sum;
    for (const bool adaptive : {false, true})
      for (const double penalty : {0.0, 0.25}) {
        if (!adaptive && penalty > 0) continue;
        const Strangeness strange{adaptive, false, 0, penalty, 2};
        std::vector<double> out(p.size());
        strange.of(p, out);
        const auto expected = strange_by_pairs(p, adaptive, penalty, 2);
        for (std::size_t c = 0; c < p.size(); ++c) {
          CHECK(std::abs(out[c] - expected[c]) < 1e-12);
          CHECK(out[c] <= strange.largest(p.size()));
          CHECK(out[static_cast<std::size_t>(predicted_class(p))] <= out[c]);
        }
      }
  }
}

TEST_CASE("scores that are NaN are in no set, and no set is learned from them") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const char* method : {"adaptive", "threshold"}) {
    Fitted fitted("calibrator/conformal", known_sample(3), with(method, 0.9));
    FloatMatrix in(1, 3), out(1, 3);
    in.values = {1, nan, 0};
    fitted.component->apply(std::as_const(in).view(), out.view(), fitted.context);
    CHECK(std::ranges::none_of(out.values, [](float score) { return score >= 0; }));
    CHECK(refusal([&] {
            Fitted("calibrator/conformal", rows_of(2, {1, 0, nan, 1}, {0, 0}), with(method, 0.5),
                   true);
          }) ==
          "a score of training row 1 (counted from 0) is not a finite number, so no set can be "
          "learned from it; check the rows that the solver was given");
  }
}

TEST_CASE("the chance of a row is uniform, and the same for the same row") {
  const Sample sample = drawn(20000, 6);
  const Strangeness strange{true, true, 17, 0, 1}, other{true, true, 18, 0, 1};
  std::vector<double> out(3), again(3), salted(3);
  std::vector<double> chances;
  std::size_t differ = 0;
  for (std::size_t i = 0; i < sample.scores.rows; ++i) {
    const auto p = sample.scores.view().row_span(i);
    strange.of(p, out);
    strange.of(p, again);
    other.of(p, salted);
    CHECK(out == again);
    differ += out != salted;
    const auto best = static_cast<std::size_t>(predicted_class(p));
    chances.push_back(out[best] / double{p[best]});
  }
  CHECK(differ == sample.scores.rows);
  std::ranges::sort(chances);
  // Kolmogorov's distance exceeds 1.95 / sqrt(n) once in 1,000 times.
  double distance = 0;
  for (std::size_t i = 0; i < chances.size(); ++i)
    distance = std::max(distance, std::abs(chances[i] - (static_cast<double>(i) + 0.5) / 20000));
  CHECK(distance < 1.95 / std::sqrt(20000));
}

TEST_CASE("scores keep their side of 0, and the first of equal ones its place") {
  const auto narrow = [](const std::vector<double>& scores, std::size_t first) {
    std::vector<float> out(scores.size());
    narrow_scores(scores, first, out);
    CHECK(static_cast<std::size_t>(predicted_class(out)) == first);
    for (std::size_t c = 0; c < out.size(); ++c) CHECK((out[c] >= 0) == (scores[c] >= 0));
    return out;
  };
  narrow({-1e-300, -1e-310, -1e-320}, 2);
  narrow({1e-310, 0, 1e-300}, 2);
  narrow({0.5, 0.5 + 1e-12, -0.5}, 1);
  narrow({-0.5 - 1e-12, -0.5, -0.5 - 1e-13}, 1);
  narrow({0, 0, -1}, 0);
  CHECK(narrow({0.25, 0.5}, 1) == std::vector<float>{0.25F, 0.5F});
}

TEST_CASE("sets cover new rows as often as asked for, over many draws") {
  constexpr int tries = 250;
  constexpr std::size_t learned = 99, given = 60;
  for (const bool honest : {true, false})
    for (const char* method : {"adaptive", "threshold"})
      for (const double coverage : {0.8, 0.9}) {
        double covered = 0;
        for (std::uint64_t seed = 1; seed <= tries; ++seed) {
          const Sample test = drawn(given, 5000 + seed, honest);
          covered +=
              count_sets(sets_of(with(method, coverage), drawn(learned, seed, honest), test, seed),
                         test.labels)
                  .covered /
              double{given};
        }
        // 100 coverage is an integer, so the expected share is `coverage` exactly. A try's share
        // has the variance of the threshold's level, coverage (1 - coverage) / 101, plus that of
        // the test rows.
        const double deviation =
            std::sqrt(coverage * (1 - coverage) * (1.0 / (learned + 2) + 1.0 / given) / tries);
        CAPTURE(method);
        CAPTURE(honest);
        CHECK(std::abs(covered / tries - coverage) < 3.5 * deviation);
      }
}

TEST_CASE("without chance no adaptive set is empty, and at least as many rows are covered") {
  double covered = 0;
  constexpr int tries = 150;
  for (std::uint64_t seed = 1; seed <= tries; ++seed) {
    const Sample test = drawn(60, 7000 + seed);
    const auto counted = count_sets(
        sets_of(with("adaptive", 0.8, false, false), drawn(99, seed), test), test.labels);
    CHECK(counted.empty == 0);
    covered += counted.covered / counted.rows / tries;
  }
  CHECK(covered > 0.8);
}

TEST_CASE("by class, each class is covered as often as asked for, a rare one too") {
  constexpr int tries = 250;
  Counted by_class[3], common[3];
  for (std::uint64_t seed = 1; seed <= tries; ++seed) {
    const Sample learned = drawn(300, seed, false), test = drawn(100, 9000 + seed, false);
    const auto own = sets_of(with("threshold", 0.9, true), learned, test, seed);
    const auto shared = sets_of(with("threshold", 0.9, false), learned, test, seed);
    for (std::int32_t c = 0; c < 3; ++c)
      for (auto [all, sets] : {std::pair{&by_class[c], &own}, std::pair{&common[c], &shared}}) {
        const Counted counted = count_sets(*sets, test.labels, c);
        all->rows += counted.rows;
        all->covered += counted.covered;
      }
  }
  double least = 1;
  for (std::size_t c = 0; c < 3; ++c) {
    const double coverage = by_class[c].covered / by_class[c].rows;
    // With n rows of the class, between 0.9 and 0.9 + 1 / (n + 1), where n is about 27 for the
    // third.
    CHECK(coverage > 0.89);
    CHECK(coverage < 0.94);
    least = std::min(least, common[c].covered / common[c].rows);
  }
  CHECK(least < 0.85);
}

namespace {

/// Rows whose true class is often another one than the probabilities say.
Sample misjudged(std::size_t rows, std::uint64_t seed) {
  Sample made = drawn(rows, seed + 100000);
  for (std::size_t i = 0; i < rows; i += 2) made.labels[i] = (made.labels[i] + 1) % 3;
  return made;
}

/// Rows of category 0, whose probabilities are honest, and of category 1, where they are not.
Sample of_two_categories(std::size_t each, std::uint64_t seed) {
  Sample both = drawn(each, seed);
  const Sample worse = misjudged(each, seed);
  std::vector<float> scores = both.scores.values;
  scores.insert(scores.end(), worse.scores.values.begin(), worse.scores.values.end());
  both.labels.insert(both.labels.end(), worse.labels.begin(), worse.labels.end());
  Sample made = rows_of(3, scores, both.labels);
  made.categories.assign(each, 0);
  made.categories.resize(2 * each, 1);
  made.category_names = {"site=a", "site=b"};
  return made;
}

const Parameters by_site = {{"method", std::string("threshold")},
                            {"by_column", std::string("site")}};

}  // namespace

TEST_CASE("by column, the rows of each value are covered as often as asked for") {
  constexpr std::size_t learned = 99, given = 100;
  constexpr int tries = 250;
  double apart[2] = {0, 0}, together[2] = {0, 0};
  for (std::uint64_t seed = 1; seed <= tries; ++seed) {
    const Sample train = of_two_categories(learned, seed);
    for (std::int32_t category = 0; category < 2; ++category) {
      const Sample test = category == 0 ? drawn(given, 5000 + seed) : misjudged(given, 5000 + seed);
      const auto covered = [&](const Parameters& parameters, std::int32_t within) {
        const auto calibrator = make_component<Calibrator>("calibrator/conformal", parameters);
        calibrator->bind(Layout::vector(3));
        MemoryReport report;
        TestContext context(1, seed);
        Sample sample = train;
        if (within < 0) sample.categories.clear();
        calibrator->fit(sample.held_out(true), report, context);
        FloatMatrix out(given, 3);
        if (within < 0)
          calibrator->apply(test.scores.view(), out.view(), context);
        else
          calibrator->apply_within(within, test.scores.view(), out.view(), context);
        return count_sets(out.values, test.labels).covered / double{given} / tries;
      };
      apart[category] += covered(by_site, category);
      together[category] += covered(with("threshold", 0.9), -1);
    }
  }
  const double deviation = std::sqrt(0.09 * (1.0 / (learned + 2) + 1.0 / given) / tries);
  for (const double coverage : apart) CHECK(std::abs(coverage - 0.9) < 2 * deviation);
  CHECK(std::min(together[0], together[1]) < 0.9 - 10 * deviation);
}

TEST_CASE("by column, a value with too few rows is named, and one without any has all classes") {
  Sample learned = of_two_categories(60, 3);
  std::fill(learned.categories.begin() + 8, learned.categories.end(), 1);
  const auto calibrator = make_component<Calibrator>("calibrator/conformal", by_site);
  calibrator->bind(Layout::vector(3));
  MemoryReport report;
  TestContext context;
  calibrator->fit(learned.held_out(true), report, context);
  REQUIRE(context.lines.size() == 1);
  CHECK(context.lines[0] ==
        "site=a: 8 held-out rows promise at most 88.9 %, less than the 90 % asked for, so all "
        "classes are in all sets of such rows; give more rows, or lower 'coverage'");
  const Table& table = report.tables.at("thresholds");
  CHECK(table.rows[0] == "site=a, a");
  CHECK(table.rows[5] == "site=b, c");
  CHECK(table.values[1] == 8);
  CHECK(table.values[11] == 112);
  MemoryState state;
  calibrator->save(state);
  const auto loaded = make_component<Calibrator>("calibrator/conformal", by_site);
  loaded->bind(Layout::vector(3));
  loaded->load(state, context);
  FloatMatrix own(120, 3), again(120, 3);
  for (const std::int32_t category : {-1, 0, 1}) {
    calibrator->apply_within(category, learned.scores.view(), own.view(), context);
    loaded->apply_within(category, learned.scores.view(), again.view(), context);
    CHECK(own.values == again.values);
    const bool all = std::ranges::all_of(own.values, [](float score) { return score >= 0; });
    CHECK(all == (category < 1));
  }
  CHECK_THROWS(loaded->apply_within(2, learned.scores.view(), own.view(), context));
}

TEST_CASE("by column and class, each class of each value is covered as often as asked for") {
  constexpr int tries = 200;
  std::vector<Counted> all(6);
  for (std::uint64_t seed = 1; seed <= tries; ++seed) {
    const Sample learned = of_two_categories(300, seed), test = of_two_categories(100, 7000 + seed);
    Parameters parameters = by_site;
    parameters.emplace_back("by_class", true);
    const auto calibrator = make_component<Calibrator>("calibrator/conformal", parameters);
    calibrator->bind(Layout::vector(3));
    MemoryReport report;
    TestContext context(1, seed);
    calibrator->fit(learned.held_out(true), report, context);
    for (std::size_t category = 0; category < 2; ++category) {
      FloatMatrix out(100, 3);
      const std::size_t first = 100 * category;
      calibrator->apply_within(static_cast<std::int32_t>(category),
                               test.scores.view().rows_range(first, 100), out.view(), context);
      const auto begin = test.labels.begin() + static_cast<std::ptrdiff_t>(first);
      const std::vector<std::int32_t> labels(begin, begin + 100);
      for (std::size_t c = 0; c < 3; ++c) {
        const Counted counted = count_sets(out.values, labels, static_cast<std::int32_t>(c));
        all[3 * category + c].rows += counted.rows;
        all[3 * category + c].covered += counted.covered;
      }
    }
  }
  for (const Counted& counted : all) {
    CHECK(counted.covered / counted.rows > 0.89);
    CHECK(counted.covered / counted.rows < 0.94);
  }
}

TEST_CASE("a class with too few rows is in all sets") {
  // 0.9 needs 9 rows of a class: the third one has 8, the others more.
  Sample learned = drawn(400, 11);
  std::vector<std::size_t> chosen;
  std::size_t third = 0;
  for (std::size_t i = 0; i < 400; ++i)
    if (learned.labels[i] != 2 || third++ < 8) chosen.push_back(i);
  std::vector<float> scores;
  std::vector<std::int32_t> labels;
  for (const std::size_t i : chosen) {
    const auto row = learned.scores.view().row_span(i);
    scores.insert(scores.end(), row.begin(), row.end());
    labels.push_back(learned.labels[i]);
  }
  for (const char* method : {"adaptive", "threshold"}) {
    const Fitted few("calibrator/conformal", rows_of(3, scores, labels), with(method, 0.9, true),
                     true);
    CHECK(few.report.integers.at("always_included") == 1);
    REQUIRE(few.context.lines.size() == 1);
    CHECK(few.context.lines[0] ==
          "class 'c': 8 held-out rows promise at most 88.9 %, less than the 90 % asked for, so it "
          "is in all sets; give more rows, or lower 'coverage'");
    for (std::size_t i = 0; i < few.given.rows; ++i) CHECK(few.given.view().row_span(i)[2] >= 0);
  }
  // A class without rows.
  const Sample none = rows_of(3, {0.9F, 0.1F, 0, 0.1F, 0.9F, 0}, {0, 1});
  const Fitted without("calibrator/conformal", none, with("threshold", 0.5, true), true);
  CHECK(without.report.tables.at("thresholds").values[4] == 1);
  CHECK(without.given.view().row_span(0)[2] >= 0);
}

TEST_CASE("of many classes with too few rows the first five are named") {
  std::vector<float> scores;
  std::vector<std::int32_t> labels;
  for (std::int32_t i = 0; i < 16; ++i) {
    for (std::int32_t c = 0; c < 8; ++c) scores.push_back(c == i % 8 ? 0.3F : 0.1F);
    labels.push_back(i % 8);
  }
  const Fitted few("calibrator/conformal", rows_of(8, scores, labels), with("threshold", 0.9, true),
                   true);
  REQUIRE(few.context.lines.size() == 6);
  CHECK(few.context.lines[4].starts_with("class 'e': 2 held-out rows promise at most 66.7 %"));
  CHECK(few.context.lines[5] == "so it is in 3 more of 8 cases");
}

TEST_CASE("the predicted class stays the solver's") {
  for (const bool probabilities : {false, true})
    for (const char* method : {"adaptive", "threshold"})
      for (const bool randomized : {false, true}) {
        const Sample sample = probabilities ? drawn(500, 12) : known_sample(3);
        const Fitted fitted("calibrator/conformal", sample, with(method, 0.9, false, randomized),
                            probabilities);
        for (std::size_t i = 0; i < sample.scores.rows; ++i)
          CHECK(predicted_class(fitted.given.view().row_span(i)) ==
                predicted_class(sample.scores.view().row_span(i)));
      }
}

TEST_CASE("held-out figures are those of the sets of held-out rows") {
  const Sample sample = drawn(500, 13);
  const Fitted fitted("calibrator/conformal", sample, with("threshold", 0.9), true);
  const Counted counted = count_sets(fitted.given.values, sample.labels);
  // ceil(0.9 x 501) = 451 of 500
  CHECK(counted.covered == 451);
  CHECK(fitted.report.numbers.at("held_out_coverage") == doctest::Approx(451.0 / 500));
  CHECK(fitted.report.numbers.at("held_out_size") == doctest::Approx(counted.members / 500));
  CHECK(fitted.report.numbers.at("held_out_empty") == doctest::Approx(counted.empty / 500));
  CHECK(!fitted.report.numbers.contains("temperature"));
  CHECK(fitted.component->gives_sets());
  CHECK(!fitted.component->gives_probabilities());
}

TEST_CASE("scores that are not probabilities are divided by a temperature") {
  const Sample sample = known_sample(3);
  Fitted fitted("calibrator/conformal", sample, with("threshold", 0.8, false, false));
  const double temperature = fitted.report.numbers.at("temperature");
  TestContext context;
  CHECK(temperature == fit_temperature(sample.held_out(), context).temperature);
  std::vector<float> p(3);
  const double threshold = fitted.report.tables.at("thresholds").values[0];
  for (std::size_t i = 0; i < sample.scores.rows; ++i) {
    scaled_softmax(sample.scores.view().row_span(i), false, temperature, p);
    for (std::size_t c = 0; c < 3; ++c)
      CHECK(fitted.given.view().row_span(i)[c] ==
            doctest::Approx(threshold - 1 + double{p[c]}).epsilon(1e-6));
  }
  const Fitted given("calibrator/conformal", sample, {{"temperature", 2.5}});
  CHECK(given.report.numbers.at("temperature") == 2.5);
}

TEST_CASE("saved sets are the same, and rows do not depend on each other") {
  Fitted fitted("calibrator/conformal", known_sample(3));
  const std::vector<float> rows = {1, 0, 0.5F, 2, 2, 2, -1, 3, 0};
  const auto together = fitted.of(rows, 3);
  for (std::size_t i = 0; i < 3; ++i) {
    const auto alone = fitted.of(
        {rows.begin() + static_cast<long>(3 * i), rows.begin() + static_cast<long>(3 * i + 3)}, 3);
    CHECK(std::equal(alone.begin(), alone.end(), together.begin() + static_cast<long>(3 * i)));
  }
}

TEST_CASE("a penalty makes large sets smaller, and coverage remains") {
  Counted plain, penalized;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    const Sample learned = drawn(199, seed, true, 0.6), test = drawn(100, 3000 + seed, true, 0.6);
    auto parameters = with("adaptive", 0.9);
    const auto before = count_sets(sets_of(parameters, learned, test, seed), test.labels);
    parameters.emplace_back("penalty", 0.5);
    const auto after = count_sets(sets_of(parameters, learned, test, seed), test.labels);
    plain.members += before.members;
    penalized.members += after.members;
    penalized.covered += after.covered;
    penalized.rows += after.rows;
  }
  CHECK(penalized.members < plain.members);
  CHECK(penalized.covered / penalized.rows == doctest::Approx(0.9).epsilon(0.015));
}

TEST_CASE("weights of sets are relative, and one of 0 omits a row") {
  for (const bool by_class : {false, true}) {
    Sample weighted = drawn(300, 21), rows = weighted;
    for (std::size_t i = 0; i < 300; ++i)
      weighted.weights.push_back(0.005 * static_cast<double>(i % 4));
    Sample scaled = weighted;
    for (double& weight : scaled.weights) weight *= 1000;
    const auto parameters = with("threshold", 0.8, by_class);
    const auto given = sets_of(parameters, weighted, rows);
    CHECK(given == sets_of(parameters, scaled, rows));
    // What rows of weight 0 are does not matter.
    for (std::size_t i = 0; i < 300; i += 4)
      std::ranges::copy(std::vector<float>{0.2F, 0.3F, 0.5F}, weighted.scores.view().row(i));
    CHECK(given == sets_of(parameters, weighted, rows));
  }
}

TEST_CASE("groups of rows count, not their rows") {
  Sample learned = drawn(300, 22);
  for (std::size_t i = 0; i < 300; ++i) learned.groups.push_back(static_cast<std::int32_t>(i % 10));
  const Fitted few("calibrator/conformal", learned, with("threshold", 0.95), true);
  CHECK(few.report.numbers.at("promised_coverage") == doctest::Approx(10.0 / 11));
  CHECK(few.report.numbers.at("held_out_coverage") == 1);
  REQUIRE(few.context.lines.size() == 1);
  CHECK(few.context.lines[0] ==
        "10 groups of held-out rows promise at most 90.9 % for rows of a new group, less than the "
        "95 % asked for; give more groups, lower the coverage, or set 'folds_by: row' if new rows "
        "belong to groups that are known");
  const Fitted enough("calibrator/conformal", learned, with("threshold", 0.9), true);
  CHECK(enough.report.numbers.at("promised_coverage") == 0.9);
  CHECK(enough.context.lines.empty());
}

TEST_CASE("conformal parameters that do not go together are refused") {
  CHECK(refusal([] {
          const auto calibrator = make_component<Calibrator>(
              "calibrator/conformal", {{"method", std::string("threshold")}, {"penalty", 0.1}});
          calibrator->check_parameters();
        }) == "'penalty' is for adaptive sets; omit it, or choose method: adaptive");
  const std::vector<std::string> one = {"a"}, two = {"a", "b"};
  CHECK(refusal([&] {
          make_component<Calibrator>("calibrator/conformal")
              ->check_scores({"svm", "solver/mine", one, false});
        }) == "there is one class only, so every set would be that class");
  CHECK(refusal([&] {
          make_component<Calibrator>("calibrator/conformal", {{"temperature", 1.0}})
              ->check_scores({"svm", "solver/mine", two, true});
        }) ==
        "'temperature' is for scores that are not probabilities, but those of 'svm' are; omit it");
}

}  // namespace conformal_test
