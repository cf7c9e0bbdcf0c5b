// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "calibrator_testing.hpp"

namespace false_discoveries_test {

using namespace semblance;
using namespace semblance::testing;

namespace {

std::unique_ptr<NoveltyCalibrator> made(double rate = 0.1) {
  return make_component<NoveltyCalibrator>("calibrator/false_discoveries", {{"rate", rate}});
}

std::unique_ptr<NoveltyCalibrator> fitted(const HeldOutNovelty& held_out, double rate = 0.1) {
  auto calibrator = made(rate);
  MemoryReport report;
  TestContext context;
  calibrator->fit(held_out, report, context);
  return calibrator;
}

std::vector<float> p_values(const Transform& calibrator, std::vector<float> scores) {
  FloatMatrix in(scores.size(), 1), out(scores.size(), 1);
  in.values = std::move(scores);
  TestContext context;
  calibrator.apply(in.view(), out.view(), context);
  return out.values;
}

std::vector<float> judged(const NoveltyCalibrator& calibrator, std::vector<float> scores) {
  auto values = p_values(calibrator, std::move(scores));
  calibrator.judge(values);
  return values;
}

std::vector<float> normal(std::size_t count, Random& random, double mean = 0) {
  std::vector<float> values;
  for (std::size_t i = 0; i < count; ++i)
    values.push_back(static_cast<float>(mean + random.normal()));
  return values;
}

/// Benjamini and Hochberg, by trying every number of rows.
std::size_t plain_discoveries(std::vector<float> p, double rate) {
  std::ranges::sort(p);
  std::size_t found = 0;
  for (std::size_t k = 1; k <= p.size(); ++k)
    if (double(p[k - 1]) <= rate * double(k) / double(p.size()) * (1 + 1e-6)) found = k;
  return found;
}

/// The mean share of false discoveries among 60 usual and 40 novel rows, its standard error, and
/// the mean share of the novel rows that is found.
struct Simulated {
  double rate = 0, error = 0, power = 0;
};

template <class HeldOut>
Simulated simulated(double rate, const HeldOut& held_out) {
  constexpr int draws = 2000;
  Random random(17);
  double sum = 0, squares = 0, power = 0;
  for (int draw = 0; draw < draws; ++draw) {
    const auto calibrator = held_out(rate, random);
    auto scores = normal(60, random), novel = normal(40, random, -3);
    scores.insert(scores.end(), novel.begin(), novel.end());
    const auto found = judged(*calibrator, scores);
    const auto below = [](float s) { return s < 0; };
    const auto wrong = double(std::count_if(found.begin(), found.begin() + 60, below)),
               right = double(std::count_if(found.begin() + 60, found.end(), below));
    const double share = wrong / std::max(1.0, wrong + right);
    sum += share;
    squares += share * share;
    power += right / 40;
  }
  const double mean = sum / draws;
  return {mean, std::sqrt((squares / draws - mean * mean) / draws), power / draws};
}

}  // namespace

TEST_CASE("p-values count held-out rows that are at least as odd") {
  Random random(1);
  std::vector<float> scores = normal(99, random);
  for (float& s : scores) s = std::round(2 * s);  // ties
  const auto calibrator = fitted({scores});
  const std::vector<float> asked = {-9, -3, -2.5F, 0, 1, 9};
  const auto found = p_values(*calibrator, asked);
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const auto odder = std::ranges::count_if(scores, [&](float s) { return s <= asked[i]; });
    CHECK(found[i] == static_cast<float>(double(1 + odder) / 100));
  }
  MemoryState state;
  calibrator->save(state);
  const auto loaded = made();
  TestContext context;
  loaded->load(state, context);
  CHECK(judged(*loaded, asked) == judged(*calibrator, asked));
}

TEST_CASE("novel rows are those of Benjamini and Hochberg") {
  Random random(2);
  for (const double rate : {0.05, 0.2, 0.5, 0.95})
    for (const std::size_t rows : {1, 7, 200}) {
      const auto calibrator = fitted({normal(199, random)}, rate);
      auto scores = normal(rows, random, -1);
      const auto p = p_values(*calibrator, scores), found = judged(*calibrator, scores);
      const auto novel = std::ranges::count_if(found, [](float s) { return s < 0; });
      CHECK(static_cast<std::size_t>(novel) == plain_discoveries(p, rate));
      for (std::size_t i = 0; i < rows; ++i) {
        CHECK((found[i] == p[i] || found[i] == p[i] - 1));
        for (std::size_t j = 0; j < rows; ++j)
          if (p[i] < p[j]) CHECK(found[i] < found[j]);
      }
    }
  // All p-values on the line: rate k / m for each k.
  std::vector<float> held_out(19);
  std::iota(held_out.begin(), held_out.end(), 0.0F);
  const auto calibrator = fitted({held_out}, 0.5);
  CHECK(judged(*calibrator, {-1}) == std::vector<float>{0.05F - 1});
  CHECK(judged(*calibrator, {0.5F, 2.5F, 4.5F, 6.5F, 9}).front() < 0);
}

TEST_CASE("weights are relative, and groups count once") {
  const std::vector<float> scores{3, 1, 2, 0, 5, 4}, some{3, 1, 2, 5, 4}, asked{0.5F, 2, 9};
  const std::vector<double> equal{2, 2, 2, 0, 2, 2}, other{2, 1, 1, 0, 2, 2};
  CHECK(p_values(*fitted({scores, equal}), asked) == p_values(*fitted({some}), asked));
  // n = 8^2 / 14 rows; the scores 1 and 2 have a quarter of the weight.
  const double n = 64.0 / 14;
  CHECK(p_values(*fitted({scores, other}), {2})[0] == doctest::Approx((1 + n / 4) / (n + 1)));
  const std::vector<double> light{.002, .001, .001, 0, .002, .002};
  CHECK(p_values(*fitted({scores, light}), asked)[1] ==
        doctest::Approx(p_values(*fitted({scores, other}), asked)[1]));
  // Three groups, the first of four rows.
  const std::vector<std::int32_t> groups{0, 0, 0, 0, 1, 2};
  CHECK(p_values(*fitted({scores, {}, groups}), asked) ==
        std::vector<float>{(1 + .25F) / 4, (1 + .75F) / 4, 1});
}

TEST_CASE("the false discovery rate is what is promised, within two standard errors") {
  for (const double rate : {0.1, 0.3}) {
    CAPTURE(rate);
    const auto plain =
        simulated(rate, [](double q, Random& random) { return fitted({normal(500, random)}, q); });
    CHECK(plain.rate <= 0.6 * rate + 2 * plain.error);
    CHECK(plain.rate > 0.5 * rate);  // it uses what it is allowed
    CHECK(plain.power > 0.6);
    const auto weighted = simulated(rate, [](double q, Random& random) {
      std::vector<double> weights;
      for (int i = 0; i < 500; ++i) weights.push_back(random.uniform(0.5, 2));
      return fitted({normal(500, random), weights}, q);
    });
    CHECK(weighted.rate <= 0.6 * rate + 2 * weighted.error);
    CHECK(weighted.power > 0.6);
    // Rows of a group are copies: 100 of them are worth as many as they are groups.
    const auto grouped = simulated(rate, [](double q, Random& random) {
      std::vector<float> scores;
      std::vector<std::int32_t> groups;
      for (int g = 0; g < 400; ++g) {
        const auto score = static_cast<float>(random.normal());
        for (int i = 0; i < 1 + g % 5; ++i) {
          scores.push_back(score);
          groups.push_back(g);
        }
      }
      return fitted({scores, {}, groups}, q);
    });
    CHECK(grouped.rate <= 0.6 * rate + 2 * grouped.error);
    CHECK(grouped.power > 0.6);
  }
}

TEST_CASE("too few held-out rows are reported, none are refused") {
  TestContext context;
  MemoryReport report;
  const std::vector<float> scores(8, 1.0F);
  const auto calibrator = made();
  calibrator->fit({scores}, report, context);
  CHECK(report.numbers.at("smallest_p") == 1.0 / 9);
  CHECK(report.integers.at("held_out_rows") == 8);
  CHECK(context.lines ==
        std::vector<std::string>{
            "the smallest p-value that the held-out rows allow is 0.111, above the rate of 0.1, so "
            "nothing is novel; raise 'rate', or train with more rows or groups"});
  CHECK(judged(*calibrator, {-9}) == std::vector<float>{static_cast<float>(1.0 / 9)});
  CHECK_THROWS_WITH_AS(fitted({}),
                       "there are no held-out usual rows, so there are no p-values; give more rows",
                       Error);
  CHECK_THROWS_AS(fitted({std::vector<float>{NAN}}), Error);
}

}  // namespace false_discoveries_test
