// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "testing/pairs_testing.hpp"

namespace semblance::pairs::pair_cosine_test {
namespace {

using namespace testing;

std::unique_ptr<PairSolver> pair_cosine() {
  return make_component<PairSolver>("solver/pair_cosine");
}

/// The cosine of two centred rows by the definition.
double centred_cosine(const FloatMatrix& x, std::size_t a, std::size_t b) {
  double product = 0, left = 0, right = 0;
  for (std::size_t k = 0; k < x.cols; ++k) {
    double mean = 0;
    for (std::size_t i = 0; i < x.rows; ++i) mean += x.view().row(i)[k] / double(x.rows);
    const double u = x.view().row(a)[k] - mean, v = x.view().row(b)[k] - mean;
    product += u * v, left += u * u, right += v * v;
  }
  return product / std::sqrt(left * right);
}

std::size_t errors(const std::vector<float>& scores, const std::vector<Pair>& pairs) {
  std::size_t wrong = 0;
  for (std::size_t p = 0; p < pairs.size(); ++p) wrong += (scores[p] > 0) != (pairs[p].label > 0);
  return wrong;
}

TEST_CASE("scores are cosines of centred examples, less a threshold") {
  const Examples data = clouds(40, 11, 5);
  const auto cosine = pair_cosine();
  TestContext context;
  const MemoryReport report = train(*cosine, data.values, data.all_pairs(), context);
  const double threshold = report.numbers.at("threshold");
  CHECK(report.texts.at("certificate") == "converged");
  CHECK(report.integers.at("training_pairs") == 820);
  CHECK(report.integers.at("parameters") == 12);
  const std::vector<Pair> pairs = data.all_pairs().expanded();
  const std::vector<float> f = scores(*cosine, data.values, data.all_pairs());
  for (std::size_t p = 0; p < pairs.size(); ++p)
    CHECK(f[p] + threshold ==
          doctest::Approx(centred_cosine(data.values, std::size_t(pairs[p].first),
                                         std::size_t(pairs[p].second)))
              .epsilon(1e-5));
}

TEST_CASE("the sign distinguishes new pairs of a class from others, whatever all examples share") {
  Examples data = clouds(120, 20, 6), fresh = clouds(60, 20, 6);
  for (Examples* set : {&data, &fresh})
    for (float& value : set->values.values) value += 25;  // every plain cosine is almost 1
  const auto cosine = pair_cosine();
  TestContext context;
  const MemoryReport report = train(*cosine, data.values, data.all_pairs(false), context);
  CHECK(report.numbers.at("objective") < 0.1);
  const std::vector<Pair> pairs = fresh.all_pairs(false).expanded();
  const std::vector<float> f = scores(*cosine, fresh.values, fresh.all_pairs(false));
  CHECK(double(errors(f, pairs)) < 0.1 * double(pairs.size()));
}

TEST_CASE("examples with themselves say nothing of the threshold") {
  const Examples data = clouds(30, 6, 4);
  TestContext context;
  const auto with = pair_cosine();
  const auto without = pair_cosine();
  const auto threshold = [&](PairSolver& cosine, bool reflexive) {
    return train(cosine, data.values, data.all_pairs(reflexive), context).numbers.at("threshold");
  };
  CHECK(threshold(*with, true) == threshold(*without, false));
  const auto none = pair_cosine();
  CHECK(training_error(*none, data.values, PairSet::listed({{0, 0, 1}, {0, 1, -1}}))
            .find("an example with itself") != std::string::npos);
}

/// Trains on pairs of one example with others, whose cosines these are; the mean of all is 0, since
/// each example has its opposite, in a negative pair with it.
MemoryReport trained_on(const std::vector<double>& positive, const std::vector<double>& negative) {
  FloatMatrix x(2 * (1 + positive.size() + negative.size()), 2);
  std::vector<Pair> pairs;
  const auto add = [&](std::size_t k, double cosine, std::int32_t label) {
    const auto sine = static_cast<float>(std::sqrt(1 - cosine * cosine));
    const auto c = static_cast<float>(cosine);
    std::ranges::copy(std::array{c, sine, -c, -sine}, x.values.begin() + std::ptrdiff_t(4 * k));
    const auto row = static_cast<std::int32_t>(2 * k);
    pairs.push_back({row, row + 1, -1});
    if (k > 0) pairs.push_back({0, row, label});
  };
  add(0, 1, 0);
  for (std::size_t k = 0; k < positive.size(); ++k) add(1 + k, positive[k], 1);
  for (std::size_t k = 0; k < negative.size(); ++k) add(1 + positive.size() + k, negative[k], -1);
  TestContext context;
  return train(*pair_cosine(), x, PairSet::listed(std::move(pairs)), context);
}

TEST_CASE("the threshold is where both kinds of errors have the same share") {
  const MemoryReport apart = trained_on({0.8, 0.6}, {0.1, 0.2, -0.5});
  CHECK(apart.numbers.at("threshold") == doctest::Approx(0.4));
  CHECK(apart.numbers.at("objective") == 0);
  // Far more negative pairs than positive ones: 1 of 4, and 30 of 205.
  std::vector<double> negative;
  for (int i = 0; i < 100; ++i) negative.push_back((i + 0.5) / 100);
  const MemoryReport mixed = trained_on({0.7, 0.8, 0.9, 0.95}, negative);
  CHECK(mixed.numbers.at("objective") == doctest::Approx((1.0 / 4 + 30.0 / 205) / 2));
  CHECK(mixed.numbers.at("threshold") == doctest::Approx(0.7025));
}

TEST_CASE("the order of a pair, threads, saving and the way to ask change no bit") {
  const Examples data = clouds(300, 9, 7), fresh = clouds(40, 9, 7, 2);
  const auto cosine = pair_cosine();
  const auto again = pair_cosine();
  const auto loaded = pair_cosine();
  TestContext one(1), four(4);
  train(*cosine, data.values, data.all_pairs(), one);
  train(*again, data.values, data.all_pairs(), four);
  for (const bool reflexive : {true, false}) {
    const std::vector<float> f = scores(*cosine, fresh.values, fresh.all_pairs(reflexive), 1);
    CHECK(f == scores(*again, fresh.values, fresh.all_pairs(reflexive), 4));
    std::vector<Pair> crossed = fresh.all_pairs(reflexive).expanded();
    for (Pair& pair : crossed) pair = {pair.second, pair.first, 0};
    CHECK(f == scores(*cosine, fresh.values, PairSet::listed(crossed)));
    MemoryState state;
    cosine->save(state);
    loaded->bind(Layout::vector(9));
    loaded->load(state, one);
    CHECK(f == scores(*loaded, fresh.values, fresh.all_pairs(reflexive)));
  }
}

TEST_CASE("an example that is the mean has the cosine 0 to all others") {
  FloatMatrix values(3, 2);
  values.values = {-1, -1, 1, 1, 0, 0};
  const PairSet pairs = PairSet::listed({{0, 1, -1}, {0, 2, 1}, {1, 2, -1}});
  const auto cosine = pair_cosine();
  TestContext context;
  const double threshold = train(*cosine, values, pairs, context).numbers.at("threshold");
  const std::vector<float> f = scores(*cosine, values, pairs);
  CHECK(f[0] + threshold == doctest::Approx(-1));
  CHECK(f[1] + threshold == doctest::Approx(0));
}

TEST_CASE("what it cannot learn from ends in one message") {
  Examples data = clouds(10, 3, 2);
  const auto cosine = pair_cosine();
  CHECK(training_error(*cosine, data.values, PairSet::listed({{0, 1, 1}, {2, 10, -1}}))
            .find("out of range") != std::string::npos);
  CHECK(training_error(*cosine, data.values, PairSet::all_of({0, 1, 2}, {4, 4, 4}, true))
            .find("all 6 training pairs are positive") != std::string::npos);
  CHECK(training_error(*cosine, data.values, data.all_pairs(), 100).find("MiB") !=
        std::string::npos);
  CHECK_THROWS_AS(scores(*pair_cosine(), data.values, data.all_pairs()), Error);
  data.values.values[4] = std::numeric_limits<float>::quiet_NaN();
  CHECK(training_error(*cosine, data.values, data.all_pairs()).find("NaN") != std::string::npos);
  const auto other = pair_cosine();
  TestContext context;
  const Examples sound = clouds(10, 3, 2);
  train(*other, sound.values, sound.all_pairs(), context);
  MemoryState state;
  other->save(state);
  const auto wider = pair_cosine();
  wider->bind(Layout::vector(4));
  CHECK_THROWS_WITH_AS(wider->load(state, context),
                       "the saved model is for rows of 3 values, not of 4; train it again", Error);
}

}  // namespace
}  // namespace semblance::pairs::pair_cosine_test
