// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "calibrator_testing.hpp"
#include "semblance/predicted_class.hpp"
#include "semblance/random.hpp"

namespace reject_test {

using namespace semblance;
using namespace semblance::calibrators::testing;

namespace {

constexpr const char* id = "calibrator/reject";

double confidence_of(std::span<const float> scores) {
  std::vector<float> sorted(scores.begin(), scores.end());
  std::ranges::sort(sorted, std::ranges::greater{});
  return double{sorted[0]} - double{sorted[1]};
}

bool is_right(const Sample& sample, std::size_t row) {
  return predicted_class(sample.scores.view().row_span(row)) == sample.labels[row];
}

/// The classes in the set of a row.
std::vector<std::size_t> set_of(const FloatMatrix& given, std::size_t row) {
  std::vector<std::size_t> set;
  for (std::size_t c = 0; c < given.cols; ++c)
    if (given.view().row(row)[c] >= 0) set.push_back(c);
  return set;
}

/// Three classes with scores far from equal.
Sample drawn(std::size_t rows, std::uint64_t seed, float size = 1, float offset = 0) {
  Random random(seed);
  std::vector<float> scores;
  std::vector<std::int32_t> labels;
  for (std::size_t i = 0; i < rows; ++i) {
    labels.push_back(static_cast<std::int32_t>(3 * random.uniform()));
    for (std::int32_t c = 0; c < 3; ++c)
      scores.push_back(offset +
                       size * static_cast<float>(random.normal() + (c == labels.back() ? 1.5 : 0)));
  }
  return rows_of(3, scores, labels);
}

}  // namespace

TEST_CASE("reject: rejects the rows of least confidence, and no other row changes its class") {
  for (const double share : {0.0, 0.05, 0.25, 0.9}) {
    CAPTURE(share);
    const Sample sample = known_sample(3);
    const Fitted fitted(id, sample, {{"share", share}});
    double most_rejected = -1, least_kept = 1e300;
    std::size_t rejected = 0;
    for (std::size_t i = 0; i < sample.labels.size(); ++i) {
      const auto before = sample.scores.view().row_span(i);
      const auto after = fitted.given.view().row_span(i);
      const auto set = set_of(fitted.given, i);
      CHECK(predicted_class(after) == predicted_class(before));
      if (set.empty()) {
        ++rejected;
        most_rejected = std::max(most_rejected, confidence_of(before));
      } else {
        CHECK(set == std::vector{static_cast<std::size_t>(predicted_class(before))});
        least_kept = std::min(least_kept, confidence_of(before));
      }
    }
    CHECK(static_cast<double>(rejected) <= share * 120);
    CHECK(most_rejected < least_kept);
    // One more value of the confidence would be too many.
    std::size_t with_next = 0;
    for (std::size_t i = 0; i < 120; ++i)
      with_next += confidence_of(sample.scores.view().row_span(i)) <= least_kept ? 1 : 0;
    CHECK(static_cast<double>(with_next) > share * 120);
    CHECK(fitted.report.numbers.at("held_out_rejected") ==
          doctest::Approx(static_cast<double>(rejected) / 120));
  }
}

TEST_CASE("reject: as few rows as possible for the error that is asked for") {
  for (const std::uint64_t seed : {1, 2, 3})
    for (const double error : {0.01, 0.05, 0.15}) {
      CAPTURE(seed);
      CAPTURE(error);
      const Sample sample = drawn(300, seed);
      const Fitted fitted(id, sample, {{"error", error}});
      // Every threshold, one after the other.
      std::size_t most = 0;
      for (std::size_t at = 0; at < 300; ++at) {
        const double threshold = confidence_of(sample.scores.view().row_span(at));
        std::size_t kept = 0, wrong = 0;
        for (std::size_t i = 0; i < 300; ++i) {
          if (confidence_of(sample.scores.view().row_span(i)) < threshold) continue;
          ++kept;
          wrong += is_right(sample, i) ? 0 : 1;
        }
        if (static_cast<double>(wrong) <= error * static_cast<double>(kept) + 1e-9)
          most = std::max(most, kept);
      }
      std::size_t kept = 0, wrong = 0;
      for (std::size_t i = 0; i < 300; ++i) {
        if (set_of(fitted.given, i).empty()) continue;
        ++kept;
        wrong += is_right(sample, i) ? 0 : 1;
      }
      CHECK(kept == most);
      CHECK(fitted.report.numbers.at("held_out_error") ==
            doctest::Approx(static_cast<double>(wrong) / static_cast<double>(kept)));
    }
}

TEST_CASE("reject: new rows are rejected about as often, whatever the scale of the scores") {
  for (const float size : {1e-20F, 1.0F, 1e20F}) {
    const Sample held_out = drawn(4000, 11, size), rows = drawn(4000, 12, size);
    Fitted fitted(id, held_out, {{"share", 0.2}});
    const auto scores = fitted.of(rows.scores.values, 3);
    std::size_t rejected = 0, wrong = 0;
    for (std::size_t i = 0; i < 4000; ++i) {
      const std::span<const float> row(&scores[3 * i], 3);
      if (std::ranges::all_of(row, [](float score) { return score < 0; }))
        ++rejected;
      else
        wrong += predicted_class(row) != rows.labels[i] ? 1 : 0;
    }
    CHECK(static_cast<double>(rejected) / 4000 == doctest::Approx(0.2).epsilon(0.1));
    CHECK(static_cast<double>(wrong) / static_cast<double>(4000 - rejected) <
          fitted.report.numbers.at("held_out_error_before"));
  }
}

TEST_CASE("reject: the confidence of probabilities is the largest one") {
  // By differences, the second row would be the less certain one.
  const Sample sample = rows_of(3, {0.5F, 0.25F, 0.25F, 0.55F, 0.45F, 0}, {0, 0});
  const Fitted probabilities(id, sample, {{"share", 0.5}}, true),
      scores(id, sample, {{"share", 0.5}});
  CHECK(set_of(probabilities.given, 0).empty());
  CHECK(set_of(probabilities.given, 1).size() == 1);
  CHECK(set_of(scores.given, 0).size() == 1);
  CHECK(set_of(scores.given, 1).empty());
}

TEST_CASE("reject: rows of equal confidence are treated equally") {
  const Sample sample = rows_of(2, {1, 0, 1, 0, 0, 1, 3, 0}, {0, 0, 1, 0});
  const Fitted some(id, sample, {{"share", 0.5}});
  CHECK(some.report.numbers.at("held_out_rejected") == 0);
  const Fitted more(id, sample, {{"share", 0.75}});
  CHECK(more.report.numbers.at("held_out_rejected") == 0.75);
  // Classes with equal scores: the first is the row's.
  const Sample tied = rows_of(3, {1, 1, 0, 2, 2, 2}, {0, 1});
  const Fitted all(id, tied, {{"share", 0.0}});
  CHECK(set_of(all.given, 0) == std::vector<std::size_t>{0});
  CHECK(set_of(all.given, 1) == std::vector<std::size_t>{0});
}

TEST_CASE("reject: an error that cannot be reached rejects all rows, with a warning") {
  const Sample sample = rows_of(2, {9, 0, 1, 0, 0, 1, 3e38F, -3e38F}, {1, 0, 1, 1});
  const Fitted fitted(id, sample, {{"error", 0.001}});
  CHECK(fitted.report.numbers.at("held_out_rejected") == 1);
  CHECK(fitted.report.numbers.count("held_out_error") == 0);
  CHECK(fitted.context.lines.front().starts_with("all rows are rejected"));
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(set_of(fitted.given, i).empty());
    CHECK(predicted_class(fitted.given.view().row_span(i)) ==
          predicted_class(sample.scores.view().row_span(i)));
  }
}

TEST_CASE("reject: weights repeat rows") {
  check_weights_repeat_rows(id, {{"share", 0.3}});
  check_weights_repeat_rows(id, {{"error", 0.1}});
}

TEST_CASE("reject: what it refuses") {
  CHECK(refusal([] {
          make_component<Calibrator>(id, {{"share", 0.1}, {"error", 0.1}});
        }) == "'share' and 'error' are two goals; give one of them");
  const Sample alone = rows_of(1, {1, 2}, {0, 0});
  CHECK(refusal([&] { Fitted(id, alone); }) ==
        "there is one class only, so no row is more certain than another");
  Sample sample = known_sample(2);
  sample.scores.values[6] = std::numeric_limits<float>::quiet_NaN();
  CHECK(refusal([&] { Fitted(id, sample); }).find("a score of training row 3") == 0);
}

}  // namespace reject_test
