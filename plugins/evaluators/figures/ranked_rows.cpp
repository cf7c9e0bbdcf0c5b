// SPDX-License-Identifier: MIT
#include "figures/ranked_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace semblance::evaluators {
namespace {

/// A curve with more points is thinned: they would be indistinguishable.
constexpr std::size_t most_points = 1000;

void add(Curve& curve, double x, double y) {
  curve.x.push_back(x);
  curve.y.push_back(y);
}

/// Removes points that are close to the previous one; the last one stays.
void thin(Curve& curve) {
  if (curve.x.size() <= most_points) return;
  constexpr double apart = 2.0 / most_points;
  std::size_t kept = 0;
  for (std::size_t i = 1; i < curve.x.size(); ++i) {
    const double distance =
        std::max(std::abs(curve.x[i] - curve.x[kept]), std::abs(curve.y[i] - curve.y[kept]));
    if (distance < apart && i + 1 < curve.x.size()) continue;
    ++kept;
    curve.x[kept] = curve.x[i];
    curve.y[kept] = curve.y[i];
  }
  curve.x.resize(kept + 1);
  curve.y.resize(kept + 1);
}

/// The number of samples in the first `share` of them.
double first_rows(double share, double rows) { return std::max(1.0, std::round(share * rows)); }

}  // namespace

RankedRows::RankedRows(std::span<const double> scores, const std::vector<bool>& positive)
    : order_(scores.size()) {
  std::iota(order_.begin(), order_.end(), std::uint32_t{0});
  std::ranges::stable_sort(order_, [&](auto a, auto b) { return scores[a] > scores[b]; });
  positive_.reserve(order_.size());
  for (std::size_t i = 0; i < order_.size(); ++i) {
    positive_.push_back(positive[order_[i]] ? 1 : 0);
    positives_ += positive[order_[i]] ? 1 : 0;
    if (i + 1 == order_.size() || scores[order_[i + 1]] != scores[order_[i]])
      group_end_.push_back(static_cast<std::uint32_t>(i + 1));
  }
}

bool RankedRows::defined(std::span<const std::uint32_t> counts) const {
  bool any[2] = {false, false};
  for (std::size_t i = 0; i < order_.size() && !(any[0] && any[1]); ++i)
    if (counts[order_[i]] > 0) any[positive_[i] ? 1 : 0] = true;
  return any[0] && any[1];
}

RankingFigures RankedRows::figures(const RankingLevels& levels) const {
  return figures(std::vector<std::uint32_t>(order_.size(), 1), levels);
}

RankingFigures RankedRows::figures(std::span<const std::uint32_t> counts,
                                   const RankingLevels& levels) const {
  Retrieved all;
  for (std::size_t i = 0; i < order_.size(); ++i)
    (positive_[i] ? all.positives : all.negatives) += counts[order_[i]];
  const double first = first_rows(levels.share, all.rows());
  double pairs = 0, average_precision = 0, precision_at = 0, recall_at = 0, hits = -1;
  Retrieved now;
  std::size_t i = 0;
  for (const std::uint32_t end : group_end_) {
    const Retrieved before = now;
    for (; i < end; ++i) (positive_[i] ? now.positives : now.negatives) += counts[order_[i]];
    if (now.rows() == before.rows()) continue;
    const double gained = now.positives - before.positives;
    const double precision = now.positives / now.rows(), recall = now.positives / all.positives;
    pairs += (now.negatives - before.negatives) * (before.positives + gained / 2);
    average_precision += gained / all.positives * precision;
    if (recall >= levels.recall) precision_at = std::max(precision_at, precision);
    if (precision >= levels.precision) recall_at = std::max(recall_at, recall);
    if (hits < 0 && now.rows() >= first)
      hits = before.positives + gained * (first - before.rows()) / (now.rows() - before.rows());
  }
  return {pairs / (all.positives * all.negatives), average_precision, precision_at, recall_at,
          hits / first / (all.positives / all.rows())};
}

std::vector<RankedRows::Retrieved> RankedRows::thresholds() const {
  std::vector<Retrieved> all;
  all.reserve(group_end_.size());
  Retrieved now;
  std::size_t i = 0;
  for (const std::uint32_t end : group_end_) {
    for (; i < end; ++i) ++(positive_[i] ? now.positives : now.negatives);
    all.push_back(now);
  }
  return all;
}

Curve RankedRows::roc(const std::string& name) const {
  Curve curve{name, "false_positive_rate", "true_positive_rate", {0}, {0}};
  const auto positives = static_cast<double>(positives_);
  const double negatives = static_cast<double>(rows()) - positives;
  for (const Retrieved& at : thresholds())
    add(curve, at.negatives / negatives, at.positives / positives);
  thin(curve);
  return curve;
}

Curve RankedRows::precision_recall(const std::string& name) const {
  Curve curve{name, "recall", "precision", {}, {}};
  for (const Retrieved& at : thresholds()) {
    const double precision = at.positives / at.rows();
    if (curve.x.empty()) add(curve, 0, precision);
    add(curve, at.positives / static_cast<double>(positives_), precision);
  }
  thin(curve);
  return curve;
}

}  // namespace semblance::evaluators
