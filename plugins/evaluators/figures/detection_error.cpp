// SPDX-License-Identifier: MIT
#include "figures/detection_error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "semblance/error.hpp"

namespace semblance::evaluators {

namespace {

void check_scores(std::span<const float> scores, std::span<const std::int32_t> labels) {
  if (scores.size() != labels.size())
    throw Error(std::to_string(labels.size()) + " labels for " + std::to_string(scores.size()) +
                " pairs; there must be one per pair");
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (labels[i] == 0)
      throw Error("test pair " + std::to_string(i) +
                  " (counted from 0) has no label; only labelled pairs can be evaluated");
    if (std::isnan(scores[i]))
      throw Error("the score of test pair " + std::to_string(i) +
                  " (counted from 0) is NaN; check the rows the solver was given");
  }
  for (const std::int32_t label : {1, -1})
    if (std::ranges::find(labels, label) == labels.end())
      throw Error(std::string("no test pair is ") +
                  (label > 0 ? "of the same class" : "of different classes") +
                  ", so not all error rates exist; choose test pairs of both kinds");
}

/// A scale on which the tails are spread about as on normal-deviate axes.
double spread(double share) {
  constexpr double least = 1e-7;
  const double p = std::clamp(share, least, 1 - least);
  return std::log(p / (1 - p));
}

}  // namespace

DetectionError::DetectionError(std::span<const float> scores,
                               std::span<const std::int32_t> labels) {
  check_scores(scores, labels);
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order,
                           [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
  const auto positives = static_cast<double>(std::ranges::count(labels, 1));
  const double negatives = static_cast<double>(labels.size()) - positives;
  negative_ = static_cast<std::size_t>(negatives);
  points_.push_back({std::numeric_limits<double>::infinity(), 0, 1});
  double matched = 0, false_matched = 0, wrong = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const float score = scores[order[i]];
    (labels[order[i]] > 0 ? matched : false_matched) += 1;
    wrong += (score > 0) != (labels[order[i]] > 0) ? 1 : 0;
    if (i + 1 < order.size() && scores[order[i + 1]] == score) continue;
    points_.push_back({score, false_matched / negatives, 1 - matched / positives});
  }
  error_at_zero_ = wrong / static_cast<double>(labels.size());
  find_equal_error();
}

void DetectionError::find_equal_error() {
  // The difference of the rates rises from -1 to 1.
  const auto difference = [](const OperatingPoint& p) {
    return p.false_match_rate - p.false_non_match_rate;
  };
  const auto after =
      std::ranges::find_if(points_, [&](const OperatingPoint& p) { return difference(p) >= 0; });
  const auto before = after - 1;
  const double t = -difference(*before) / (difference(*after) - difference(*before));
  equal_error_rate_ =
      before->false_match_rate + t * (after->false_match_rate - before->false_match_rate);
  equal_error_threshold_ = std::isinf(before->threshold)
                               ? after->threshold
                               : before->threshold + t * (after->threshold - before->threshold);
}

double DetectionError::false_non_match_rate_at(double level) const noexcept {
  double least = 1;
  for (const OperatingPoint& point : points_)
    if (point.false_match_rate <= level) least = std::min(least, point.false_non_match_rate);
  return least;
}

Curve DetectionError::curve(const std::string& name) const {
  constexpr double apart = 0.01;
  Curve curve{name, "false_match_rate", "false_non_match_rate", {}, {}};
  double x = std::numeric_limits<double>::infinity(), y = x;
  for (const OperatingPoint& point : points_) {
    // Rates of 0 and 1 have no place on these axes.
    if (point.false_match_rate <= 0 || point.false_match_rate >= 1 ||
        point.false_non_match_rate <= 0 || point.false_non_match_rate >= 1)
      continue;
    const double nx = spread(point.false_match_rate), ny = spread(point.false_non_match_rate);
    if (std::abs(nx - x) < apart && std::abs(ny - y) < apart) continue;
    curve.x.push_back(point.false_match_rate);
    curve.y.push_back(point.false_non_match_rate);
    x = nx;
    y = ny;
  }
  return curve;
}

}  // namespace semblance::evaluators
