// SPDX-License-Identifier: MIT
#include "neighbour_vote.hpp"

#include <algorithm>
#include <cmath>

namespace semblance::neighbours {

/// The result of one pass over the bases.
struct NeighbourVote::Standing {
  std::vector<std::size_t> best;     ///< the nearest basis of each class, or `none`
  std::vector<std::size_t> nearest;  ///< the k nearest of all, unordered; empty for one neighbour
  bool differ = false;               ///< whether similarities differ
};

NeighbourVote::NeighbourVote(std::size_t neighbours, std::size_t classes,
                             std::vector<std::int64_t> rows, std::vector<std::int64_t> labels,
                             std::vector<double> weights, bool by_distance)
    : neighbours_(neighbours),
      classes_(classes),
      by_distance_(by_distance),
      bases_(std::move(rows), std::move(weights)),
      labels_(std::move(labels)) {}

NeighbourVote::Standing NeighbourVote::standing(std::span<const float> similarities,
                                                std::size_t left_out) const {
  Standing found{std::vector<std::size_t>(classes_, none), {}, false};
  std::size_t first = none;
  for (std::size_t j = 0; j < bases(); ++j) {
    if (j == left_out || bases_.weight(j) == 0) continue;
    if (first == none) first = j;
    found.differ = found.differ || similarities[j] != similarities[first];
    std::size_t& best = found.best[static_cast<std::size_t>(labels_[j])];
    if (best == none || nearer(similarities, j, best)) best = j;
    if (neighbours_ > 1) bases_.add(similarities, j, neighbours_, found.nearest);
  }
  return found;
}

void NeighbourVote::score_nearest(std::span<const float> similarities, const Standing& standing,
                                  std::span<float> scores) const {
  constexpr float lowest = std::numeric_limits<float>::lowest();
  std::size_t winner = none;
  for (std::size_t c = 0; c < classes_; ++c) {
    const std::size_t best = standing.best[c];
    scores[c] = best == none ? lowest : similarities[best];
    if (best != none && (winner == none || nearer(similarities, best, standing.best[winner])))
      winner = c;
  }
  if (scores[winner] == lowest) scores[winner] = std::nextafter(lowest, 0.0F);
  for (std::size_t c = 0; c < classes_; ++c)
    if (c != winner && scores[c] == scores[winner]) scores[c] = std::nextafter(scores[c], lowest);
}

void NeighbourVote::score_votes(std::span<const float> similarities, const Standing& standing,
                                std::span<float> scores) const {
  std::vector<std::size_t> order;  // classes with bases, by their nearest
  for (std::size_t c = 0; c < classes_; ++c)
    if (standing.best[c] != none) order.push_back(c);
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    return nearer(similarities, standing.best[a], standing.best[b]);
  });
  std::vector<double> exact(classes_);
  for (const std::size_t base : standing.nearest) ++exact[static_cast<std::size_t>(labels_[base])];
  for (std::size_t r = 0; r < order.size(); ++r)
    exact[order[r]] += 1 - static_cast<double>(r + 1) / static_cast<double>(classes_ + 1);
  for (std::size_t c = 0; c < classes_; ++c) scores[c] = static_cast<float>(exact[c]);
}

/// Ties of sums go to the class of the nearest basis. Sums are taken in the order of nearness.
void NeighbourVote::score_weighted_votes(std::span<const float> similarities, Standing& standing,
                                         std::span<float> scores) const {
  bases_.sort(similarities, standing.nearest);
  std::vector<double> exact(classes_);
  // Relative to the nearest, so that nothing overflows; 0 / 0 is that of distance 0.
  const double least = -double{similarities[standing.nearest.front()]};
  for (const std::size_t base : standing.nearest) {
    const double distance = -double{similarities[base]};
    const double share = !by_distance_ || distance == least ? 1 : least / distance;
    exact[static_cast<std::size_t>(labels_[base])] += share * bases_.weight(base);
  }
  const double most = *std::ranges::max_element(exact);
  std::size_t winner = none;
  for (const std::size_t base : standing.nearest) {
    winner = static_cast<std::size_t>(labels_[base]);
    if (exact[winner] == most) break;
  }
  for (std::size_t c = 0; c < classes_; ++c) scores[c] = static_cast<float>(exact[c]);
  for (std::size_t c = 0; c < classes_; ++c)
    if (c != winner && scores[c] == scores[winner]) scores[c] = std::nextafter(scores[c], 0.0F);
}

bool NeighbourVote::score(std::span<const float> similarities, std::size_t left_out,
                          std::span<float> scores) const {
  Standing found = standing(similarities, left_out);
  if (neighbours_ == 1)
    score_nearest(similarities, found, scores);
  else if (weighted())
    score_weighted_votes(similarities, found, scores);
  else
    score_votes(similarities, found, scores);
  return found.differ;
}

Formula::Value NeighbourVote::write(Formula& formula, Formula::Value similarities) const {
  const Formula::Value wide = formula.widen(similarities), places = write_places(formula, bases_);
  const auto number = [&](double value) { return formula.number(value, places); };
  std::vector<std::size_t> present;
  std::vector<Formula::Value> best, place;  // of classes with bases: that of their nearest
  std::vector<double> own(classes_ * bases());
  for (std::size_t c = 0; c < classes_; ++c) {
    std::vector<std::size_t> columns;
    for (std::size_t j = 0; j < bases(); ++j)
      if (static_cast<std::size_t>(labels_[j]) == c) columns.push_back(j);
    for (const std::size_t j : columns) own[c * bases() + j] = 1;
    if (columns.empty()) continue;
    present.push_back(c);
    const Formula::Value near = formula.gather(wide, columns);
    best.push_back(formula.largest(near));
    place.push_back(formula.largest(
        formula.where_greater(best.back(), near, number(std::numeric_limits<double>::lowest()),
                              formula.gather(places, std::move(columns)))));
  }
  Formula::Value chosen = number(0);
  for (const auto& neighbour : write_nearest(formula, wide, bases_, neighbours_))
    chosen = formula.add(chosen, neighbour.chosen);
  const Formula::Value bests = formula.concatenate(best), all = formula.concatenate(place);
  std::vector<Formula::Value> more(classes_, number(0));
  for (std::size_t i = 0; i < present.size(); ++i) {
    const Formula::Value lower = formula.where_greater(all, place[i], number(1), number(0));
    const Formula::Value nearer = formula.where_greater(
        bests, best[i], number(1), formula.where_greater(best[i], bests, number(0), lower));
    const Formula::Value rank = formula.add(formula.sum(nearer), number(1));
    more[present[i]] = formula.subtract(
        number(1), formula.divide(rank, number(static_cast<double>(classes_ + 1))));
  }
  return formula.narrow(formula.add(formula.products(chosen, own), formula.concatenate(more)));
}

}  // namespace semblance::neighbours
