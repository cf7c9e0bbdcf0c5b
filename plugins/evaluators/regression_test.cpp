// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "evaluator_testing.hpp"
#include "figures/judged_targets.hpp"

namespace regression_test {

using namespace semblance;
using namespace semblance::evaluators;
using namespace semblance::evaluators::testing;

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

using Numbers = std::vector<double>;

/// Judges estimates, one per target in each row.
Judged judge_estimates(const std::vector<float>& estimates, const Numbers& truth,
                       const std::vector<std::string>& names = {"y"},
                       const Parameters& parameters = {{"bootstrap", std::int64_t{0}}},
                       const Numbers& training = {}, std::size_t threads = 2) {
  const auto evaluator = make_component<Evaluator>("evaluator/regression", parameters);
  Judged judged;
  TestContext context(threads);
  const std::size_t t = names.size();
  Results test{.outputs = {estimates.data(), estimates.size() / t, t, t},
               .type = PortType::estimates,
               .targets = truth,
               .target_names = names};
  test.training_targets = training;
  evaluator->evaluate(test, judged.report, context);
  judged.lines = context.lines;
  return judged;
}

double mean_of(const Numbers& values) {
  long double sum = 0;
  for (const double v : values) sum += v;
  return static_cast<double>(sum / static_cast<long double>(values.size()));
}

Numbers ranks_by_counting(const Numbers& values) {
  Numbers ranks;
  for (const double v : values) {
    double rank = 0.5;
    for (const double other : values) rank += other < v ? 1 : other == v ? 0.5 : 0;
    ranks.push_back(rank);
  }
  return ranks;
}

/// The figures by their definitions, with sums in long double and over all pairs.
EstimateFigures by_definition(const Numbers& truth, const Numbers& estimates) {
  const std::size_t n = truth.size();
  long double squares = 0, sizes = 0, errors = 0, total = 0, concordant = 0, pairs = 0;
  const long double mean_truth = [&] {
    long double sum = 0;
    for (const double t : truth) sum += t;
    return sum / static_cast<long double>(n);
  }();
  Numbers absolute;
  for (std::size_t i = 0; i < n; ++i) {
    const long double error = static_cast<long double>(estimates[i]) - truth[i];
    squares += error * error;
    sizes += std::abs(error);
    errors += error;
    absolute.push_back(static_cast<double>(std::abs(error)));
    total += (truth[i] - mean_truth) * (truth[i] - mean_truth);
    for (std::size_t j = 0; j < n; ++j) {
      if (!(truth[i] < truth[j])) continue;
      ++pairs;
      concordant += estimates[i] < estimates[j] ? 1 : estimates[i] == estimates[j] ? 0.5 : 0;
    }
  }
  std::ranges::sort(absolute);
  const Numbers a = ranks_by_counting(truth), b = ranks_by_counting(estimates);
  const double ma = mean_of(a), mb = mean_of(b);
  double ab = 0, aa = 0, bb = 0;
  for (std::size_t i = 0; i < n; ++i) {
    ab += (a[i] - ma) * (b[i] - mb);
    aa += (a[i] - ma) * (a[i] - ma);
    bb += (b[i] - mb) * (b[i] - mb);
  }
  const auto rows = static_cast<long double>(n);
  return {static_cast<double>(std::sqrt(squares / rows)),
          static_cast<double>(sizes / rows),
          (absolute[(n - 1) / 2] + absolute[n / 2]) / 2,
          static_cast<double>(errors / rows),
          pairs == 0 ? unknown : static_cast<double>(1 - squares / total),
          aa == 0 || bb == 0 ? unknown : ab / std::sqrt(aa * bb),
          pairs == 0 ? unknown : static_cast<double>(concordant / pairs)};
}

void check_same(const EstimateFigures& found, const EstimateFigures& expected) {
  for (std::size_t f = 0; f < found.size(); ++f) {
    CAPTURE(estimate_figure_names[f]);
    CHECK(std::isnan(found[f]) == std::isnan(expected[f]));
    if (!std::isnan(expected[f]))
      CHECK(std::abs(found[f] - expected[f]) <= 1e-12 * std::max(1.0, std::abs(expected[f])));
  }
}

/// Numbers with ties, and estimates of them.
struct Tied {
  Numbers truth, estimates;
};
Tied tied(std::size_t rows, std::uint64_t seed, double scale = 1, double offset = 0) {
  Tied made;
  Random random(seed);
  for (std::size_t i = 0; i < rows; ++i) {
    made.truth.push_back(offset + scale * static_cast<double>(random.below(12)));
    made.estimates.push_back(made.truth.back() +
                             scale * (static_cast<double>(random.below(9)) / 2 - 2));
  }
  return made;
}

std::vector<float> as_float(const Numbers& values) { return {values.begin(), values.end()}; }

}  // namespace

TEST_CASE("figures of estimates are those of scikit-learn and SciPy") {
  // sklearn.metrics 1.2.1 and scipy.stats.spearmanr 1.10.1 of the same numbers.
  const auto one = judge_estimates({2.5F, 0, 2, 8}, {3, -0.5, 2, 7}, {"y"}, {}, {1, 2, 3});
  CHECK(one.figure("rmse") == doctest::Approx(0.6123724356957945).epsilon(1e-14));
  CHECK(one.figure("mae") == 0.5);
  CHECK(one.figure("median_absolute_error") == 0.5);
  CHECK(one.figure("mean_error") == 0.25);
  CHECK(one.figure("r2") == doctest::Approx(0.9486081370449679).epsilon(1e-14));
  CHECK(one.figure("spearman") == doctest::Approx(1).epsilon(1e-14));
  CHECK(one.figure("c_index") == 1);
  CHECK(one.figure("baseline_rmse") == doctest::Approx(2.839454172900137).epsilon(1e-14));
  CHECK(one.report.integers.at("rows") == 4);
  CHECK(judge_estimates({5, 6, 7, 8, 7}, {1, 2, 3, 4, 5}).figure("spearman") ==
        doctest::Approx(0.8207826816681233).epsilon(1e-14));
}

TEST_CASE("figures of several targets are the means of each") {
  // sklearn.metrics 1.2.1, multioutput="raw_values" and "uniform_average".
  const auto two = judge_estimates({0, 2, -1, 2, 8, -5}, {0.5, 1, -1, 1, 7, -6}, {"u", "v"});
  CHECK(two.figure("mae") == 0.75);
  CHECK(two.figure("rmse") == doctest::Approx((0.6454972243679028 + 1) / 2).epsilon(1e-14));
  CHECK(two.figure("r2") ==
        doctest::Approx((0.9654377880184332 + 0.9081632653061225) / 2).epsilon(1e-14));
  const Table& table = two.report.tables.at("targets");
  CHECK(table.rows == std::vector<std::string>{"u", "v"});
  CHECK(table.columns.size() == 9);
  CHECK(table.values[1] == 0.5);
  CHECK(table.values[9 + 1] == 1);
  CHECK(two.report.plane_maps.contains("estimates_v"));
}

TEST_CASE("figures of tied numbers are those by definition") {
  for (std::size_t rows = 1; rows < 60; ++rows) {
    const Tied some = tied(rows, rows);
    check_same(ComparedNumbers(some.truth, some.estimates).figures(),
               by_definition(some.truth, some.estimates));
  }
}

TEST_CASE("a sample that counts twice is two samples, one that counts 0 times is none") {
  for (std::uint64_t seed = 1; seed < 40; ++seed) {
    const Tied some = tied(25, seed);
    Tied repeated;
    std::vector<std::uint32_t> counts;
    Random random(seed);
    for (std::size_t i = 0; i < some.truth.size(); ++i) {
      counts.push_back(static_cast<std::uint32_t>(random.below(seed % 2 == 0 ? 2 : 4)));
      repeated.truth.insert(repeated.truth.end(), counts.back(), some.truth[i]);
      repeated.estimates.insert(repeated.estimates.end(), counts.back(), some.estimates[i]);
    }
    check_same(ComparedNumbers(some.truth, some.estimates).figures(counts),
               by_definition(repeated.truth, repeated.estimates));
  }
}

TEST_CASE("an offset and a scale of all numbers change no figure of order, and no digits") {
  const Tied plain = tied(500, 3);
  const auto expected = by_definition(plain.truth, plain.estimates);
  for (const double scale : {0x1p-140, 0x1p-20, 1.0, 0x1p100})
    for (const double offset : {0.0, 524288.0, -1048576.0}) {
      // float32 represents all estimates exactly.
      if (offset != 0 && scale != 1) continue;
      const Tied some = tied(500, 3, scale, offset);
      const auto judged = judge_estimates(as_float(some.estimates), some.truth);
      for (std::size_t f = 0; f < expected.size(); ++f) {
        const double unit = f < r2_figure ? scale : 1;
        CAPTURE(estimate_figure_names[f]);
        CHECK(judged.figure(estimate_figure_names[f]) / unit ==
              doctest::Approx(expected[f]).epsilon(1e-12));
      }
    }
}

TEST_CASE("small differences on a large offset have their figures to float32's digits") {
  const Tied some = tied(300, 5, 1.0 / 32, 5e5);
  const auto judged = judge_estimates(as_float(some.estimates), some.truth);
  std::vector<float> rounded = as_float(some.estimates);
  const auto expected = by_definition(some.truth, {rounded.begin(), rounded.end()});
  for (std::size_t f = 0; f < expected.size(); ++f)
    CHECK(judged.figure(estimate_figure_names[f]) == doctest::Approx(expected[f]).epsilon(1e-11));
}

TEST_CASE("a perfect estimate has R2 1, the mean of the test rows 0, a worse one less") {
  CHECK(judge_estimates({1, 2, 6}, {1, 2, 6}).figure("r2") == 1);
  CHECK(judge_estimates({3, 3, 3}, {1, 2, 6}).figure("r2") == doctest::Approx(0));
  CHECK(judge_estimates({6, 2, 1}, {1, 2, 6}).figure("r2") < -1);
}

TEST_CASE("undefined figures are not reported, with a warning") {
  const auto check = [](const Judged& judged, const std::vector<std::string>& missing) {
    for (const std::string& name : missing) {
      CHECK(!judged.report.numbers.contains(name));
      CHECK(std::ranges::count_if(judged.lines, [&](const std::string& line) {
              return line.starts_with(name + " is undefined");
            }) == 1);
    }
    CHECK(judged.lines.size() == missing.size());
    CHECK(judged.report.numbers.contains("rmse"));
  };
  // 0.1 thrice has a mean other than 0.1 in floating point.
  check(judge_estimates({0, 1, 2}, {0.1, 0.1, 0.1}), {"r2", "spearman", "c_index"});
  check(judge_estimates({1}, {2}), {"r2", "spearman", "c_index"});
  const auto constant = judge_estimates({1, 1, 1}, {1, 2, 4});
  check(constant, {"spearman"});
  CHECK(constant.figure("c_index") == 0.5);
}

TEST_CASE("unknown numbers are excluded") {
  const auto one = judge_estimates({1, 9, 3}, {2, unknown, 5});
  CHECK(one.report.integers.at("rows") == 2);
  CHECK(one.report.integers.at("unlabelled") == 1);
  CHECK(one.figure("mae") == 1.5);
  CHECK(one.lines ==
        std::vector<std::string>{"1 of 3 test rows have no target number and are excluded"});
  const auto two =
      judge_estimates({1, 9, 3, 4, 5, 6}, {2, unknown, 5, 4, unknown, unknown}, {"u", "v"});
  CHECK(two.report.integers.at("rows") == 2);
  const Table& table = two.report.tables.at("targets");
  CHECK(table.values[8] == 2);
  CHECK(table.values[17] == 1);
  CHECK(table.values[0] == doctest::Approx(std::sqrt(2.5)));
  CHECK(std::isnan(table.values[9 + r2_figure]));
  CHECK(two.figure("r2") == doctest::Approx(1 - 5 / 4.5));
  const auto without = judge_estimates({1, 9, 3, 4}, {2, unknown, 5, unknown}, {"u", "v"});
  CHECK(without.report.tables.at("targets").rows == std::vector<std::string>{"u"});
  CHECK(without.lines.front() ==
        "no test row has a number of 'v', so it does not count in the means");
}

TEST_CASE("what cannot be judged is refused") {
  const auto refused = [](const std::vector<float>& estimates, const Numbers& truth) {
    return message_of([&] { judge_estimates(estimates, truth); });
  };
  CHECK(refused({1, 2}, {unknown, unknown}) ==
        "no test row has a number to compare estimates with; give the test rows theirs");
  CHECK(refused({1, 2}, {1, 1e300}) ==
        "'y' of test row 1 (counted from 0) is beyond the range of float32, in which estimates "
        "are; scale it");
}

TEST_CASE("the baseline is the error of the training rows' mean") {
  const auto judged =
      judge_estimates({5e5F, 5e5F}, {500000.25, 500000.75}, {"y"}, {}, {500000, 500001, 500002});
  CHECK(judged.figure("baseline_rmse") ==
        doctest::Approx(std::sqrt((0.75 * 0.75 + 0.25 * 0.25) / 2)).epsilon(1e-12));
  CHECK(!judge_estimates({1, 2}, {1, 2}).report.numbers.contains("baseline_rmse"));
}

TEST_CASE("intervals are quantiles of the figures of draws, for any number of threads") {
  const Tied some = tied(60, 9);
  const Parameters parameters = {{"bootstrap", std::int64_t{300}}, {"confidence", 0.9}};
  const auto one = judge_estimates(as_float(some.estimates), some.truth, {"y"}, parameters, {}, 1);
  const auto four = judge_estimates(as_float(some.estimates), some.truth, {"y"}, parameters, {}, 4);
  const Table& table = one.report.tables.at("intervals");
  CHECK(table.values == four.report.tables.at("intervals").values);
  CHECK(table.rows.size() == estimate_figure_names.size());
  for (std::size_t f = 0; f < table.rows.size(); ++f) {
    CHECK(table.values[3 * f] == one.figure(table.rows[f]));
    CHECK(table.values[3 * f + 1] <= table.values[3 * f]);
    CHECK(table.values[3 * f] <= table.values[3 * f + 2]);
    CHECK(table.values[3 * f + 1] < table.values[3 * f + 2]);
  }
  CHECK(one.figure("rmse_low") == table.values[1]);
  CHECK(one.figure("r2_high") == table.values[3 * r2_figure + 2]);
}

TEST_CASE("90 % of the intervals contain the RMSE of all") {
  // Errors are standard normal.
  int contained = 0;
  constexpr int tries = 300;
  for (int k = 0; k < tries; ++k) {
    Random random(static_cast<std::uint64_t>(k) + 1);
    std::vector<float> estimates;
    for (int i = 0; i < 100; ++i) estimates.push_back(static_cast<float>(random.normal()));
    Numbers truth;
    for (const float estimate : estimates) truth.push_back(estimate + random.normal());
    const auto judged = judge_estimates(estimates, truth, {"y"},
                                        {{"bootstrap", std::int64_t{200}}, {"confidence", 0.9}});
    contained += judged.figure("rmse_low") <= 1 && 1 <= judged.figure("rmse_high");
  }
  // The percentile bootstrap of 100 rows contains it a little less often.
  CHECK(contained >= 0.84 * tries);
  CHECK(contained <= 0.95 * tries);
}

TEST_CASE("the charts are of the errors and of the estimates") {
  const auto judged = judge_estimates({2, 2, 5, 3}, {1, 2, 4, 5});
  const Curve& curve = judged.report.curves.at("errors");
  CHECK(curve.x == Numbers{-2, -2, 0, 1, 1});
  CHECK(curve.y == Numbers{0, 0.25, 0.5, 0.75, 1});
  const PlaneMap& map = judged.report.plane_maps.at("estimates");
  CHECK(map.regions.size() == map.columns * map.rows);
  CHECK(map.points.size() == 4);
  CHECK(map.points[3].group == 0);
  CHECK(map.points[3].marked);
  CHECK(std::ranges::count_if(map.points, [](const auto& p) { return p.marked; }) == 1);
  CHECK(judge_estimates({7}, {7}).report.plane_maps.at("estimates").x_low < 7);
}

}  // namespace regression_test
