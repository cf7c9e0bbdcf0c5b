// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace semblance::solvers {

/// Turns the similarities of a sample to labelled training rows (the bases) into a score a class:
/// the k most similar ones vote.
///
/// Nearer is the base with the larger similarity; of equal similarities, the one with the lower row
/// number. The winner is the class with the most of the k nearest bases; of equal numbers, the
/// class of the nearest base of theirs. Where bases have weights, a vote counts as much as its base
/// does, and bases of weight 0 are as if they were not there.
class NeighbourVote {
 public:
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

  NeighbourVote() = default;
  /// Base j is training row `rows[j]`, of class `labels[j]` in [0, classes); `neighbours` >= 1.
  /// `weights`: one a base, not negative; empty: 1 each.
  NeighbourVote(std::size_t neighbours, std::size_t classes, std::vector<std::int64_t> rows,
                std::vector<std::int64_t> labels, std::vector<double> weights = {});

  std::size_t bases() const noexcept { return rows_.size(); }
  std::size_t classes() const noexcept { return classes_; }
  const std::vector<std::int64_t>& rows() const noexcept { return rows_; }
  const std::vector<std::int64_t>& labels() const noexcept { return labels_; }
  const std::vector<double>& weights() const noexcept { return weights_; }

  /// The base that is this training row, or `none`.
  std::size_t base_of(std::int64_t row) const noexcept;

  /// Writes one score a class. `similarities` has one finite value a base; base `left_out` does not
  /// count, and at least `neighbours` others must.
  ///
  /// One neighbour: the largest similarity to a base of the class; classes that tie with the winner
  /// get the next smaller float, and a class without bases the smallest. Several: the votes of the
  /// class, plus 1 - r / (classes + 1), where its nearest base, whether it votes or not, is the
  /// r-th among those of the classes (from 1); a class without bases gets 0. With weights: the sum
  /// of the weights of the class's votes; classes that tie with the winner get the next smaller
  /// float.
  ///
  /// Returns false where all similarities are equal, so that row numbers alone have decided.
  bool score(std::span<const float> similarities, std::size_t left_out,
             std::span<float> scores) const;

 private:
  struct Standing;
  bool nearer(std::span<const float> similarities, std::size_t a, std::size_t b) const noexcept {
    return similarities[a] > similarities[b] ||
           (similarities[a] == similarities[b] && rows_[a] < rows_[b]);
  }
  Standing standing(std::span<const float> similarities, std::size_t left_out) const;
  void score_nearest(std::span<const float> similarities, const Standing& standing,
                     std::span<float> scores) const;
  void score_weighted_votes(std::span<const float> similarities, Standing& standing,
                            std::span<float> scores) const;
  void score_votes(std::span<const float> similarities, const Standing& standing,
                   std::span<float> scores) const;

  std::size_t neighbours_ = 1;
  std::size_t classes_ = 0;
  std::vector<std::int64_t> rows_;
  std::vector<std::int64_t> labels_;
  std::vector<double> weights_;
  std::vector<std::pair<std::int64_t, std::size_t>> places_;  ///< row and base, by row
};

}  // namespace semblance::solvers
